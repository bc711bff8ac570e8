// The drawn list of weights: label, score, bar and number of every line, and the outline of the weight before.
import { html, nothing, svg } from "lit";
import { rounded } from "../draw/characters.ts";
import { attentionRamp } from "../draw/ramp.ts";
import { type WeightBars, type WeightMark, weightBars, type WeightLine } from "../draw/weight-bars.ts";
import { plane as messages } from "../page/messages.ts";

function scoreText({ score, masked, middle }: WeightMark, x: number) {
  if (score === undefined) return nothing;
  return masked
    ? svg`<text class="number" x=${x} y=${middle - 6}>\u2212\u221e</text><text class="small number" x=${x} y=${middle + 9}>${messages.masked}</text>`
    : svg`<text class="number" x=${x} y=${middle}>${rounded(score, 2)}</text>`;
}

function drawn(mark: WeightMark, { left, scoreRight, barLeft, barRight, barHeight }: WeightBars) {
  const { label, character, index, alpha, top, middle, width, beforeWidth } = mark;
  return svg`<g>
    <text class=${character ? "mono" : "letter"} x=${left} y=${middle}>${label}<tspan class="index" dy="4">${index}</tspan></text>
    ${scoreText(mark, scoreRight)}
    <path class="base" d="M${barLeft},${top}v${barHeight}M${barRight},${top}v${barHeight}" />
    <rect class="bar" x=${barLeft} y=${top} width=${width} height=${barHeight} fill=${attentionRamp.colour(alpha)} />
    ${beforeWidth === null ? nothing : svg`<rect class="before" x=${barLeft} y=${top - 3} width=${beforeWidth} height=${barHeight + 6} />`}
    <text class="number" x=${barRight + 50} y=${middle}>${rounded(alpha, 3)}</text>
  </g>`;
}

/** `says` is the drawing in words. */
export function weightDrawing(lines: readonly WeightLine[], says: string) {
  const bars = weightBars(lines);
  const { width, height, left, scoreRight, barLeft } = bars;
  return html`<svg class="sa-weights" viewBox="0 0 ${width} ${height}" role="img" aria-label=${says}>
    <text class="small" x=${left} y="14">${messages.state}</text>
    ${bars.marks.some(({ score }) => score !== undefined) ? svg`<text class="small number" x=${scoreRight} y="14">${messages.score}</text>` : nothing}
    <text class="small" x=${barLeft} y="14">${messages.weight}</text>
    ${bars.marks.map((mark) => drawn(mark, bars))}
  </svg>`;
}
