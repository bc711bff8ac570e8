// The attention weights as a real table, beside the map that screen readers cannot see.
import { html, nothing } from "lit";
import { decimals } from "../draw/characters.ts";
import { type MapData, weightAt } from "../draw/map.ts";
import { messages } from "../page/messages.ts";

/** The same numbers as the map; `shown` or for screen readers alone. */
export function weightsTable(data: MapData, shown: boolean) {
  const { source, positions, tokens } = data;
  const caption = messages.tableCaption(source.length);
  return html`<div
      class=${shown ? "table" : "table unseen"}
      role=${shown ? "region" : nothing}
      aria-label=${shown ? messages.tableRegion : nothing}
      tabindex=${shown ? 0 : nothing}
    >
      <table>
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
