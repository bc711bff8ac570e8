// From a map and the fields of its source to what each row writes and whether it reads there: no document, no model.
import type { DateFields } from "../engine/protocol.ts";
import { type MapData, strongest, weightAt } from "./map.ts";

export const FIELDS = ["year", "month", "day"] as const;
export type FieldName = (typeof FIELDS)[number];

/** What one row of a map writes. */
export interface FieldRow {
  field: FieldName;
  /** Which date of the source, from 0. */
  date: number;
  /** Columns of that field, [start, end), and the end of those that still count. */
  span: readonly [number, number];
  reach: number;
  /** Whether the row's largest weight lies in the field, and in the date, or at most `tol` positions after it. */
  inField: boolean;
  inDate: boolean;
}

/** The field that the character at a place of yyyy-mm-dd belongs to; none for the dashes. */
const fieldAt = (place: number): FieldName | undefined =>
  place < 4 ? "year" : place === 5 || place === 6 ? "month" : place === 8 || place === 9 ? "day" : undefined;

const isDigit = (token: string) => /^[0-9]$/.test(token);

/**
 * What each row writes, by its place in the answer; null for dashes, spaces and <eos>, for what has not the shape of a date,
 * and for dates beyond those of the source.
 */
export function fieldRows(data: MapData, fields: readonly DateFields[], tol: number): (FieldRow | null)[] {
  const S = data.source.length;
  let [date, place, shaped] = [0, 0, true];
  return data.tokens.map((token, t) => {
    if (token === " ") {
      date += 1;
      [place, shaped] = [0, true];
      return null;
    }
    const field = fieldAt(place);
    place += 1;
    if (field ? !isDigit(token) : token !== "-") shaped = false;
    const of = fields[date];
    if (!field || !shaped || !of) return null;
    const at = strongest(data, t);
    const reach = ([, end]: readonly [number, number]) => Math.min(end + tol, S);
    const within = (span: readonly [number, number]) => span[0] <= at && at < reach(span);
    const span = of[field];
    return { field, date, span, reach: reach(span), inField: within(span), inDate: within(of.date) };
  });
}

/** Rows of one field below one another: a block of the map. */
export interface FieldBlock {
  field: FieldName;
  date: number;
  span: readonly [number, number];
  reach: number;
  first: number;
  last: number;
}

export function fieldBlocks(rows: readonly (FieldRow | null)[]): FieldBlock[] {
  const blocks: FieldBlock[] = [];
  rows.forEach((row, t) => {
    const before = blocks.at(-1);
    if (!row) return;
    if (before && before.last === t - 1 && before.field === row.field && before.date === row.date) before.last = t;
    else {
      const { field, date, span, reach } = row;
      blocks.push({ field, date, span, reach, first: t, last: t });
    }
  });
  return blocks;
}

/** A row counts as sharp when more than this lies on one position: the single-precision number, as the core compares. */
const SHARP = Math.fround(0.99);

/** What the rows of one map come to. */
export interface AlignmentCount {
  rows: number;
  sharp: number;
  digits: number;
  inDate: number;
  inField: number;
}

export function countAlignment(data: MapData, rows: readonly (FieldRow | null)[]): AlignmentCount {
  const written = rows.filter((row) => row !== null);
  return {
    rows: data.tokens.length,
    sharp: data.tokens.filter((_, t) => weightAt(data, t, strongest(data, t)) > SHARP).length,
    digits: written.length,
    inDate: written.filter(({ inDate }) => inDate).length,
    inField: written.filter(({ inField }) => inField).length,
  };
}

/** "3-11": a row and a column counted from 1. Null for what names no cell of the map. */
export function readCell(written: string, data: MapData): { t: number; i: number } | null {
  const [, row, column] = written.match(/^(\d{1,3})-(\d{1,3})$/) ?? [];
  const [t, i] = [Number(row) - 1, Number(column) - 1];
  return t >= 0 && i >= 0 && t < data.tokens.length && i < data.source.length ? { t, i } : null;
}
export const writeCell = (cell: { t: number; i: number } | null) => (cell ? `${cell.t + 1}-${cell.i + 1}` : "");
