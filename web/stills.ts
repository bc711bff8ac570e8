// The still figures of the demos, drawn when the page is built from what the shipped models compute for the showcase.
import { render } from "@lit-labs/ssr";
import { collectResult } from "@lit-labs/ssr/lib/render-result.js";
import { html, type TemplateResult } from "lit";
import type { Outcome, Session, SoftalignModule } from "@wasm/softalign.mjs";
import { factorsOf, yearsMoved } from "./src/draw/factors.ts";
import { stillNetwork } from "./src/draw/encoder-decoder-figure.ts";
import { stillFactors } from "./src/draw/factors-figure.ts";
import { stillLoss } from "./src/draw/token-loss-figure.ts";
import { attentionStill, dialStill, workedStill } from "./src/demos/attention-stills.ts";
import { alignmentStill } from "./src/demos/alignment-still.ts";
import { meterChart } from "./src/demos/meter-chart.ts";
import { pathLengthCharts } from "./src/demos/path-length-chart.ts";
import { SHOWCASE } from "./src/page/address.ts";

/** A figure of the demo of this name, from the module that the page ships. */
type Still = (session: Session, module: SoftalignModule) => TemplateResult | Promise<TemplateResult>;

const value = <T>(outcome: Outcome<T>): T => {
  if ("error" in outcome) throw new Error(`no still figure: ${outcome.error.message}`);
  return outcome.value;
};

const decoded = (session: Session) => value(session.decode("dot", SHOWCASE));

const stills: Record<string, Still> = {
  factors: (session) => {
    const decoding = decoded(session);
    return stillFactors(decoding.source, factorsOf(decoding), yearsMoved(decoding.source, decoding.output));
  },
  "encoder-decoder": (session) => {
    const { source, tokens } = decoded(session);
    return stillNetwork(source, tokens);
  },
  "token-loss": (session) => {
    const { output } = decoded(session);
    const { tokens, loss, probabilities } = value(session.teacher_force("dot", SHOWCASE, output));
    return stillLoss(tokens, loss, probabilities.length / tokens.length);
  },
  "path-length": (session) => {
    const { source, tokens } = decoded(session);
    const { d_h } = value(session.inspect("dot", SHOWCASE, 0));
    return pathLengthCharts({ S: source.length, T: tokens.length, d_h, attention: false });
  },
  "bottleneck-meter": () =>
    html`${meterChart(
      ["plain", "dot"].map((name) => ({ name, attends: name !== "plain", shares: [], guesses: [], recorded: [] })),
      "exact",
      560,
    )}`,
  "query-dial": (_, module) => dialStill(module),
  "worked-attention": (_, module) => workedStill(module),
  "attention-step": (session) => attentionStill(session),
  alignment: (session) => alignmentStill(decoded(session)),
};

/** Without Lit's markers, since nothing takes these figures up again, and with no more digits than a screen can show. */
const slim = (markup: string) =>
  markup
    .replace(/<!--.*?-->/gs, "")
    .replace(/\s+/g, " ")
    .replace(/(\d\.\d)\d+(?=[^<>]*>)/g, "$1");

export async function drawStills(session: Session, module: SoftalignModule): Promise<Map<string, string>> {
  const drawn = await Promise.all(
    Object.entries(stills).map(async ([name, still]) => {
      const markup = slim(await collectResult(render(await still(session, module))));
      return [name, `<figure class="still-figure">${markup.trim()}</figure>`] as const;
    }),
  );
  return new Map(drawn);
}
