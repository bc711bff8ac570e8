// The pictures of Eq. 1, for the page as it is served and for the demo: what a factor knows, and all the factors in a list.
import { html, nothing, svg, type TemplateResult } from "lit";
import { factors as messages } from "../page/messages.ts";
import { codePoints, visible } from "./characters.ts";
import {
  barLength,
  type Factor,
  LIST,
  listHeight,
  type Move,
  moveRibbon,
  probabilityText,
  rowTop,
  STRIP,
  type StripCell,
  stripCells,
  stripWidth,
} from "./factors.ts";
import { rem } from "./size.ts";

const box = ({ text, x, width }: StripCell, top: number, dress: string) => svg`
  <rect class="box ${dress}" x=${x + 1} y=${top} width=${width - 2} height=${STRIP.box} rx="2"></rect>
  <text class="mono glyph ${dress}${text.length > 1 ? " control" : ""}" x=${x + width / 2} y=${top + STRIP.box / 2}
    text-anchor="middle" dominant-baseline="central">${text}</text>`;

/** What the factor at `step` is conditioned on: the whole source, and the target before it. */
export function stripParts(source: readonly string[], tokens: readonly string[], moves: readonly Move[], step: number) {
  const [read, written] = [stripCells(source), stripCells(tokens)];
  const dress = (t: number) => (t < step ? "target" : t === step ? "target now" : "later");
  const { source: top, target: below, box: height } = STRIP;
  return {
    width: Math.max(stripWidth(read), stripWidth(written)),
    now: written[step],
    marks: svg`
      ${moves.map((move) => svg`<path class="ribbon" d=${moveRibbon(move)}></path>`)}
      <text class="letter source" x="6" y=${top + height / 2} dominant-baseline="central">x</text>
      <text class="letter target" x="6" y=${below + height / 2} dominant-baseline="central">y</text>
      ${read.map((cell) => box(cell, top, "source"))}
      ${written.map((cell, t) => box(cell, below, dress(t)))}`,
  };
}

function row({ index, token, probability, product }: Factor, step: number): TemplateResult {
  const middle = rowTop(index) + LIST.row / 2;
  const [factor, so] = [probabilityText(probability), probabilityText(product)];
  const shown = (text: { relation: string; digits: string }) =>
    `${text.relation === "=" ? "" : `${text.relation} `}${text.digits}`;
  const place = (x: number, text: string, dress: string, anchor: string) =>
    svg`<text class=${dress} x=${x} y=${middle} text-anchor=${anchor} dominant-baseline="central">${text}</text>`;
  return svg`
    ${index === step ? svg`<rect class="chosen" x="1" y=${rowTop(index)} width=${LIST.width - 2} height=${LIST.row} rx="2"></rect>` : nothing}
    ${place(LIST.number, String(index + 1), "quiet num", "end")}
    ${place(LIST.token, visible(token), `mono glyph target${codePoints(token).length > 1 ? " control" : ""}`, "start")}
    <rect class="trough" x=${LIST.bar} y=${middle - 5} width=${LIST.barWidth} height="10"></rect>
    <rect class="bar target" x=${LIST.bar} y=${middle - 5} width=${barLength(probability)} height="10"></rect>
    ${place(LIST.factor, shown(factor), "num", "end")}
    ${place(LIST.end, shown(so), "num quiet", "end")}`;
}

/** The list's rows, each wrapped as the caller needs it, under their headings. */
export function listParts(
  factors: readonly Factor[],
  step: number,
  wrap = (drawn: TemplateResult, _: Factor) => drawn,
) {
  const heading = (x: number, text: string, anchor: string) =>
    svg`<text class="quiet" x=${x} y="11" text-anchor=${anchor} dominant-baseline="central">${text}</text>`;
  return svg`
    ${heading(LIST.number, "t", "end")} <text class="quiet letter" x=${LIST.token} y="11" dominant-baseline="central">y<tspan class="low" dy="4">t</tspan></text>
    ${heading(LIST.factor, messages.factor, "end")} ${heading(LIST.end, messages.product, "end")}
    ${factors.map((factor) => wrap(row(factor, step), factor))}`;
}

/** Both pictures as they are served. */
export function stillFactors(source: readonly string[], factors: readonly Factor[], moves: readonly Move[]) {
  const tokens = factors.map(({ token }) => token);
  const strip = stripParts(source, tokens, moves, tokens.length - 1);
  const height = STRIP.height + 10 + listHeight(tokens.length);
  const output = tokens.filter((token) => token !== "<eos>").join("");
  return html`<svg class="sa-marks" viewBox="0 0 ${LIST.width} ${height}" width=${rem(LIST.width)} height=${rem(height)}
    role="img" aria-label=${messages.still(source.join(""), output, tokens.length)}>
    <g>${strip.marks}</g>
    <g transform="translate(0 ${STRIP.height + 10})">${listParts(factors, -1)}</g>
  </svg>`;
}
