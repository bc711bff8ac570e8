// What sa-attention-map says of the place that is pointed at.
import { html, nothing } from "lit";
import type { FieldRow } from "../draw/alignment.ts";
import { type MapData, strongest, weightAt } from "../draw/map.ts";
import { alignment as about, messages } from "../page/messages.ts";
import type { Point } from "./base.ts";

type Fields = readonly (FieldRow | null)[] | null;

/** What row t writes, where that is known. */
function fieldWords({ positions }: MapData, t: number, fields: Fields) {
  const row = fields?.[t];
  if (!row) return nothing;
  const place = (column: number) => (positions[column] ?? column) + 1;
  const [start, end] = row.span;
  return html` ${about.fieldWords(row.field, row.date + 1, place(start), place(end - 1), row.inField)}`;
}

export function mapWords(data: MapData, { t, i }: Point, fields: Fields) {
  const token = t === null ? undefined : data.tokens[t];
  const character = i === null ? undefined : data.source[i];
  const place = (data.positions[i ?? 0] ?? 0) + 1;
  if (t !== null && i !== null && token !== undefined && character !== undefined) {
    return [messages.cell(t + 1, token, character, place, weightAt(data, t, i)), fieldWords(data, t, fields)];
  }
  if (t !== null && token !== undefined) {
    const best = strongest(data, t);
    const [most, at] = [data.source[best] ?? "", (data.positions[best] ?? 0) + 1];
    return [messages.cellMost(t + 1, token, most, at, weightAt(data, t, best)), fieldWords(data, t, fields)];
  }
  if (character !== undefined) return messages.column(character, place);
  return html`<span class="hint">${messages.mapHint}</span>`;
}
