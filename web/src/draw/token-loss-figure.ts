// The picture of the loss token by token, for the page as it is served and for the demo.
import { html, nothing, svg } from "lit";
import { tokenLoss as messages } from "../page/messages.ts";
import { codePoints, decimals, visible } from "./characters.ts";
import { rem } from "./size.ts";
import { LOSS, lossChart, type LossChart, type LossRow } from "./token-loss.ts";

/** A loss as it is printed; one that is not 0 never looks like it. */
export const lossText = (loss: number) => (loss > 0 && loss < 0.00005 ? "< 0.0001" : decimals(Math.max(loss, 0), 4));

function row({ index, token, top, bars }: LossRow) {
  const middle = top + LOSS.row / 2;
  const control = codePoints(token).length > 1 ? " control" : "";
  return svg`
    <text class="quiet num" x=${LOSS.number} y=${middle} text-anchor="end" dominant-baseline="central">${index + 1}</text>
    <text class="mono glyph target${control}" x=${LOSS.token} y=${middle} dominant-baseline="central">${visible(token)}</text>
    ${bars.map(
      ({ name, loss, length, y }) => svg`
        <rect class="loss ${name}" x=${LOSS.bar} y=${y} width=${length} height=${LOSS.thick}></rect>
        <text class="num small" x=${LOSS.end} y=${y + LOSS.thick / 2} text-anchor="end" dominant-baseline="central">${lossText(loss)}</text>`,
    )}`;
}

export function lossFigure({ width, height, rows, even, ticks }: LossChart) {
  const bottom = height - 4;
  return html`<svg class="sa-marks" viewBox="0 0 ${width} ${height}" width=${rem(width)} height=${rem(height)} role="img" aria-label=${messages.label(rows.length)}>
    ${ticks.map(
      ({ x, label }) => svg`<line class="grid" x1=${x} x2=${x} y1=${LOSS.top - 2} y2=${bottom}></line>
        <text class="quiet num small" x=${x} y=${LOSS.top - 10} text-anchor="middle">${label}</text>`,
    )}
    ${rows.map(row)}
    ${
      even === null
        ? nothing
        : svg`<line class="even" x1=${even} x2=${even} y1=${LOSS.top - 6} y2=${bottom}></line>
            <text class="small" x=${even} y="10" text-anchor="middle">${messages.even}</text>`
    }
  </svg>`;
}

/** What the two kinds of bars are. */
export const lossKey = (names: readonly { name: "trained" | "untrained"; label: string }[]) => html`<ul class="key">
  ${names.map(
    ({ name, label }) => html`<li>
      <svg class="sa-marks swatch" viewBox="0 0 16 10" width="16" height="10" aria-hidden="true"><rect class="loss ${name}" x="1" y="1" width="14" height="8"></rect></svg>
      ${label}
    </li>`,
  )}
</ul>`;

/** As it is served: the trained model alone, since the untrained one's loss is asked about first. */
export const stillLoss = (tokens: readonly string[], trained: Float32Array, V: number) =>
  html`${lossKey([{ name: "trained", label: messages.trained("dot") }])}${lossFigure(
    lossChart(tokens, { trained, untrained: null }, V),
  )}`;
