// The drawn parts of sa-attention-map: labels, grid, cells, what is lit up, and the scale of colours.
import { html, nothing, svg } from "lit";
import { FIELDS, type FieldRow, fieldBlocks } from "../draw/alignment.ts";
import type { Cell as Mark, Label, MapData, MapLayout } from "../draw/map.ts";
import { attentionRamp } from "../draw/ramp.ts";
import { alignment as about, messages } from "../page/messages.ts";
import type { Cell, Point } from "./base.ts";

export const LEGEND_STEPS = 11;
const LEGEND_STEP = 14;
/** Columns narrower than this have no number over their character. */
const NUMBERED_FROM = 18;

const classes = (...names: (string | false)[]) => names.filter(Boolean).join(" ");

export function rowLabel({ index, text, space, x, y }: Label, point: Point) {
  const lit = point.t === index && "lit";
  return svg`
    <text class=${classes("step", lit)} x="4" y=${y}>${index + 1}</text>
    <text class=${classes("row", lit, space && "space", text.length > 1 && "control")} data-t=${index} x=${x} y=${y}>${text}</text>`;
}

export function columnLabel({ index, text, space, x, y }: Label, place: number, layout: MapLayout, point: Point) {
  const lit = point.i === index && "lit";
  return svg`
    ${layout.cellWidth >= NUMBERED_FROM ? svg`<text class=${classes("step", lit)} x=${x} y=${y - 19}>${place}</text>` : nothing}
    <text class=${classes("column", lit, space && "space")} data-i=${index} x=${x} y=${y}>${text}</text>`;
}

export function grid({ top, cellWidth, cellHeight }: MapLayout, S: number, T: number) {
  const [right, bottom] = [S * cellWidth, top + T * cellHeight];
  const across = Array.from({ length: T + 1 }, (_, t) => `M0 ${top + t * cellHeight}H${right}`);
  const down = Array.from({ length: S + 1 }, (_, i) => `M${i * cellWidth} ${top}V${bottom}`);
  return svg`<path class="grid" d=${[...across, ...down].join("")} />`;
}

export function cell({ t, i, x, y, fill, printed }: Mark, { cellWidth, cellHeight, upright }: MapLayout) {
  const [cx, cy] = [x + cellWidth / 2, y + cellHeight / 2];
  return svg`
    <rect data-t=${t} data-i=${i} x=${x + 0.5} y=${y + 0.5} width=${cellWidth - 1} height=${cellHeight - 1} fill=${fill} />
    ${
      printed
        ? svg`<text class="weight" x=${cx} y=${cy} fill=${printed.fill}
            transform=${upright ? `rotate(-90 ${cx} ${cy})` : nothing}>${printed.text}</text>`
        : nothing
    }`;
}

/** Where a row's field label begins, and the centre of the dot behind it. */
const FIELD_AT = 22;
const DOT_AT = 82;
const INSET = 1.25;

/** Which field a row writes, and whether it reads there: a full dot inside, an empty one outside. */
export function fieldLabel({ index, y }: Label, row: FieldRow | null | undefined, point: Point) {
  if (!row) return nothing;
  return svg`
    <text class=${classes("of-field", point.t === index && "lit")} x=${FIELD_AT} y=${y}>${about.fieldShort(row.field, row.date + 1)}</text>
    <circle class=${row.inField ? "inside" : "outside"} cx=${DOT_AT} cy=${y} r="3.5" />`;
}

/** Outlines the columns of each field in the rows that write it, and thinly those behind it that still count. */
export function fieldOutlines(rows: readonly (FieldRow | null)[], { top, cellWidth, cellHeight }: MapLayout) {
  return fieldBlocks(rows).map(({ field, span: [start, end], reach, first, last }) => {
    const y = top + first * cellHeight;
    const height = (last - first + 1) * cellHeight;
    // A little inside its cells, so that no stroke is cut at the map's edge.
    const outline = (name: string, from: number, to: number) =>
      svg`<rect class=${name} x=${from * cellWidth + INSET} y=${y + INSET} width=${(to - from) * cellWidth - 2 * INSET} height=${height - 2 * INSET} />`;
    return svg`${reach > end ? outline("field reach", end, reach) : nothing}
      ${outline("field ground", start, end)}${outline(`field ${field}`, start, end)}`;
  });
}

export function fieldLegend() {
  const swatch = (name: string) => html`<svg viewBox="0 0 26 16" width="26" height="16" aria-hidden="true">
    <rect class="field ${name}" x="2" y="2" width="22" height="12" />
  </svg>`;
  const dot = (name: string) => html`<svg viewBox="0 0 10 16" width="10" height="16" aria-hidden="true">
    <circle class=${name} cx="5" cy="8" r="3.5" />
  </svg>`;
  return html`<span class="legend fields">
    ${FIELDS.map((name) => html`<span>${swatch(name)} ${about.fieldName[name]}</span>`)}
    <span>${swatch("reach")} ${about.fieldReach}</span>
    <span>${dot("inside")} ${about.fieldInside}</span> <span>${dot("outside")} ${about.fieldOutside}</span>
  </span>`;
}

/** Cells that are marked whatever is pointed at. */
export interface Marked {
  kept: Cell | null;
  explained: Cell | null;
}

/** The bands of the row and of the column that are pointed at, and rings around single cells. */
export function highlight(layout: MapLayout, { source, tokens }: MapData, point: Point, { kept, explained }: Marked) {
  const { top, cellWidth, cellHeight } = layout;
  const row = point.t !== null && point.t < tokens.length ? point.t : null;
  const column = point.i !== null && point.i < source.length ? point.i : null;
  const [x, y] = [(column ?? 0) * cellWidth, top + (row ?? 0) * cellHeight];
  const ring = (name: string, cell: Cell | null) => {
    const there = cell !== null && cell.t < tokens.length && cell.i < source.length;
    const [left, above] = [(cell?.i ?? 0) * cellWidth, top + (cell?.t ?? 0) * cellHeight];
    return svg`<rect class=${name} ?hidden=${!there} x=${left} y=${above} width=${cellWidth} height=${cellHeight} />`;
  };
  return svg`
    <rect class="band of-target" ?hidden=${row === null} x="0" y=${y} width=${source.length * cellWidth} height=${cellHeight} />
    <rect class="band of-source" ?hidden=${column === null} x=${x} y=${top} width=${cellWidth} height=${tokens.length * cellHeight} />
    ${ring("explained", explained)} ${ring("pin", kept)}
    ${ring("ring", row === null || column === null ? null : { t: row, i: column })}`;
}

export function legend() {
  const steps = Array.from({ length: LEGEND_STEPS }, (_, k) => k / (LEGEND_STEPS - 1));
  const width = LEGEND_STEPS * LEGEND_STEP;
  return html`<span class="legend">
    <span class="mono">0</span>
    <svg role="img" aria-label=${messages.legendLabel} width=${width} height=${LEGEND_STEP}>
      ${steps.map((step, k) => svg`<rect x=${k * LEGEND_STEP} y="0" width=${LEGEND_STEP} height=${LEGEND_STEP} fill=${attentionRamp.colour(step)} />`)}
      <rect class="frame" x="0.5" y="0.5" width=${width - 1} height=${LEGEND_STEP - 1} />
    </svg>
    <span class="mono">1</span> <span>${messages.legend}</span>
  </span>`;
}
