// The still figures of the demos, drawn when the page is built from what the shipped models compute for the showcase.
import { render } from "@lit-labs/ssr";
import { collectResult } from "@lit-labs/ssr/lib/render-result.js";
import { html, type TemplateResult } from "lit";
import type { Session, SoftalignModule } from "@wasm/softalign.mjs";
import { attentionStill, dialStill, workedStill } from "./src/demos/attention-stills.ts";
import { meterChart } from "./src/demos/meter-chart.ts";
import { pathLengthCharts } from "./src/demos/path-length-chart.ts";

/** A figure of the demo of this name, from the module that the page ships. */
type Still = (session: Session, module: SoftalignModule) => TemplateResult | Promise<TemplateResult>;

const stills: Record<string, Still> = {
  "path-length": () => pathLengthCharts({ S: 12, T: 11, d_h: 128, attention: false }),
  "bottleneck-meter": () =>
    html`${meterChart(
      ["plain", "dot"].map((name) => ({ name, shares: [], guesses: [], recorded: [] })),
      "exact",
      560,
    )}`,
  "query-dial": (_, module) => dialStill(module),
  "worked-attention": (_, module) => workedStill(module),
  "attention-step": (session) => attentionStill(session),
};

/** Lit's markers say where a template's parts are; nothing takes these figures up again. */
const withoutMarkers = (markup: string) => markup.replace(/<!--.*?-->/gs, "").replace(/\s+/g, " ");

export async function drawStills(session: Session, module: SoftalignModule): Promise<Map<string, string>> {
  const drawn = await Promise.all(
    Object.entries(stills).map(async ([name, still]) => {
      const markup = withoutMarkers(await collectResult(render(await still(session, module))));
      return [name, `<figure class="still-figure">${markup.trim()}</figure>`] as const;
    }),
  );
  return new Map(drawn);
}
