// The attention weights as a real table, beside the map that screen readers cannot see.
import { html, nothing } from "lit";
import { decimals } from "../draw/characters.ts";
import { type MapData, weightAt } from "../draw/map.ts";
import { messages } from "../page/messages.ts";
import type { Point } from "./base.ts";

/** The same numbers as the map; `shown` or for screen readers alone. */
export function weightsTable(data: MapData, shown: boolean, onPoint: (event: Event) => void) {
  const { source, positions, tokens } = data;
  const caption = messages.tableCaption(source.length);
  return html`<div
      class=${shown ? "table" : "table unseen"}
      role=${shown ? "region" : nothing}
      aria-label=${shown ? messages.tableRegion : nothing}
      tabindex=${shown ? 0 : nothing}
    >
      <table @pointerover=${onPoint} @pointerleave=${onPoint}>
        <caption>${caption}</caption>
        <thead>
          <tr>
            <th scope="col">${messages.tableCorner}</th>
            ${source.map((character, i) => html`<th scope="col" class="mono">${messages.tableColumn(character, (positions[i] ?? 0) + 1)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${tokens.map(
            (token, t) => html`<tr>
              <th scope="row" class="mono">${messages.tableRow(token)}</th>
              ${source.map((_, i) => html`<td>${decimals(weightAt(data, t, i), 3)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

/** The place in the map of the table cell or heading under the pointer; null off the numbers. */
export function tablePlace({ type, target }: Event): Point | null {
  const cell = type === "pointerleave" ? null : (target as Element).closest<HTMLTableCellElement>("td, th");
  const row = cell?.closest("tr");
  if (!cell || !row) return null;
  // The table counts its headings as row 0 and column 0.
  const [t, i] = [row.rowIndex - 1, cell.cellIndex - 1];
  return { t: t < 0 ? null : t, i: i < 0 ? null : i };
}

/** Lights up a row and a column of the table in `root`, and their cell. */
export function lightTable(root: ParentNode, { t, i }: Point) {
  const table = root.querySelector("table");
  for (const lit of table?.querySelectorAll(".lit") ?? []) lit.classList.remove("lit");
  const [heading, ...rows] = table?.rows ?? [];
  if (i !== null) heading?.cells[i + 1]?.classList.add("lit");
  if (t !== null) rows[t]?.cells[0]?.classList.add("lit");
  if (t !== null && i !== null) rows[t]?.cells[i + 1]?.classList.add("lit");
}
