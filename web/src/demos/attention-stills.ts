// The still figures of section 4: the dial at its start, the first worked example, and the row of a map with its weights.
import { html, type TemplateResult } from "lit";
import type { Outcome, Session, SoftalignModule } from "@wasm/softalign.mjs";
import { visible } from "../draw/characters.ts";
import { PLACED, pointAt, tip } from "../draw/plane.ts";
import { largest } from "../draw/weight-bars.ts";
import { examples } from "../draw/worked.ts";
import { attentionStep, queryDial, workedAttention } from "../page/messages.ts";
import { elements, SHOWCASE } from "./elements.ts";
import { context, dialFrame as frame, hull, queryArrow, rings, stateArrow } from "./plane-drawing.ts";
import { weightDrawing } from "./weight-drawing.ts";

function value<T>(outcome: Outcome<T>): T {
  if ("error" in outcome) throw new Error(`no still figure: ${outcome.error.message}`);
  return outcome.value;
}

const { angle, length } = elements["sa-query-dial"].attributes;

export function dialStill(module: SoftalignModule): TemplateResult {
  const query = tip(angle.usual, length.usual);
  const { score, alpha, h_bar } = value(module.dot_product_attention([...query], PLACED.flat(), PLACED.length));
  const lines = PLACED.map((_, k) => ({ label: "h", index: String(k + 1), score: score[k], alpha: alpha[k] ?? 0 }));
  return html`<div class="pair">
      <svg class="sa-plane" viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label=${queryDial.plane}>
        ${hull(frame, PLACED)} ${rings(frame)} ${queryArrow(frame, query)}
        ${PLACED.map((point, k) => stateArrow(frame, point, k, alpha[k] ?? 0))} ${context(frame, pointAt(h_bar, 0))}
      </svg>
      ${weightDrawing(lines, queryDial.weights([...alpha]))}
    </div>
    <figcaption>${queryDial.illustration}</figcaption>`;
}

export function workedStill(module: SoftalignModule): TemplateResult {
  const scores = [...examples.scores.score];
  const { score, alpha } = value(module.masked_attention(scores, new Float32Array(scores.length), scores.length));
  const lines = scores.map((_, i) => ({ label: "h", index: String(i + 1), score: score[i], alpha: alpha[i] ?? 0 }));
  return html`${weightDrawing(lines, workedAttention.weightsLabel)}`;
}

/** The heaviest weights of the first row: a result of the map, and so marked as one. */
export function attentionStill(session: Session): TemplateResult {
  const row = value(session.inspect("dot", SHOWCASE, 0));
  const { source, positions } = value(session.decode("dot", SHOWCASE));
  const lines = largest(row.alpha, 5).map((i) => ({
    character: true,
    label: visible(source[i] ?? ""),
    index: String((positions[i] ?? i) + 1),
    score: row.score[i],
    alpha: row.alpha[i] ?? 0,
  }));
  return html`<div class="result">${weightDrawing(lines, attentionStep.still(SHOWCASE))}</div>
    <figcaption>${attentionStep.still(SHOWCASE)}</figcaption>`;
}
