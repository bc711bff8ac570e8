// The still figures of the demos, drawn when the page is built from what the shipped models compute for the showcase.
import { render } from "@lit-labs/ssr";
import { collectResult } from "@lit-labs/ssr/lib/render-result.js";
import { html, type TemplateResult } from "lit";
import type { Session } from "@wasm/softalign.mjs";
import { alignmentStill } from "./src/demos/alignment-still.ts";
import { meterChart } from "./src/demos/meter-chart.ts";
import { pathLengthCharts } from "./src/demos/path-length-chart.ts";
import { SHOWCASE } from "./src/page/address.ts";

/** A figure of the demo of this name, from the module that the page ships. */
type Still = (session: Session) => TemplateResult | Promise<TemplateResult>;

function decoded(session: Session, text: string) {
  const decoding = session.decode("dot", text);
  if ("error" in decoding) throw new Error(`no still figure: ${decoding.error.message}`);
  return decoding.value;
}

const stills: Record<string, Still> = {
  "path-length": () => pathLengthCharts({ S: 12, T: 11, d_h: 128, attention: false }),
  "bottleneck-meter": () =>
    html`${meterChart(
      ["plain", "dot"].map((name) => ({ name, shares: [], guesses: [], recorded: [] })),
      "exact",
      560,
    )}`,
  alignment: (session) => alignmentStill(decoded(session, SHOWCASE)),
};

/** Lit's markers say where a template's parts are; nothing takes these figures up again. */
const withoutMarkers = (markup: string) => markup.replace(/<!--.*?-->/gs, "").replace(/\s+/g, " ");

export async function drawStills(session: Session): Promise<Map<string, string>> {
  const drawn = await Promise.all(
    Object.entries(stills).map(async ([name, still]) => {
      const markup = withoutMarkers(await collectResult(render(await still(session))));
      return [name, `<figure class="still-figure">${markup.trim()}</figure>`] as const;
    }),
  );
  return new Map(drawn);
}
