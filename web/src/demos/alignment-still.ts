// The still figure of sa-alignment: the showcase's map with its fields, a result that the course keeps until after its lab.
import { html } from "lit";
import type { Decoding } from "../engine/protocol.ts";
import { fieldRows } from "../draw/alignment.ts";
import { FIELD_LABEL, layOut, mapMarks } from "../draw/map.ts";
import { alignment as messages } from "../page/messages.ts";
import { cell, columnLabel, fieldLabel, fieldOutlines, grid, rowLabel } from "../widgets/map-drawing.ts";

const NOWHERE = { t: null, i: null };
/** Between a phone and a desk: the picture grows and shrinks with the page. */
const WIDTH = 558;
/** Lighter cells cannot be told from the paper; the page is served without them. */
const VISIBLE_FROM = 0.002;

export function alignmentStill({ source, positions, tokens, alpha, fields }: Decoding) {
  if (!alpha || !fields) throw new Error("the still map needs a model with attention and a text in a known form");
  const data = { source, positions, tokens, alpha };
  const layout = layOut(source.length, tokens.length, WIDTH, FIELD_LABEL);
  const marks = mapMarks(data, layout);
  const visible = marks.cells.flat().filter(({ weight }) => weight >= VISIBLE_FROM);
  const rows = fieldRows(data, fields, 0);
  const { rowLabelWidth, width, height } = layout;
  return html`<div class="still-fields result">
      <svg viewBox="0 0 ${rowLabelWidth + width} ${height}" role="img" aria-label=${messages.still(source.join(""))}>
        <g class="rows">${marks.rows.map((row) => [rowLabel(row, NOWHERE), fieldLabel(row, rows[row.index], NOWHERE)])}</g>
        <g transform="translate(${rowLabelWidth} 0)">
          ${grid(layout, source.length, tokens.length)}
          ${marks.columns.map((column) => columnLabel(column, (positions[column.index] ?? 0) + 1, layout, NOWHERE))}
          ${visible.map((mark) => cell(mark, layout))} ${fieldOutlines(rows, layout)}
        </g>
      </svg>
    </div>
    <figcaption>${messages.stillCaption(source.join(""))}</figcaption>`;
}
