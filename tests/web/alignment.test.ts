// Rows of a map told by the field that they write, and what they come to.
import { describe, expect, it } from "vitest";
import { countAlignment, fieldBlocks, fieldRows, readCell, writeCell } from "../../web/src/draw/alignment.ts";
import type { DateFields } from "../../web/src/engine/protocol.ts";

const fields: DateFields = { date: [0, 12], year: [8, 12], month: [2, 7], day: [0, 1] };

/** A map whose row t has all its weight on one position. */
function mapAt(source: string, tokens: string[], positions: number[]) {
  const alpha = new Float32Array(source.length * tokens.length);
  positions.forEach((at, t) => {
    alpha[t * source.length + at] = 1;
  });
  return { source: [...source], positions: [...source].map((_, i) => i), tokens, alpha };
}

const oneDate = (positions: number[]) => mapAt("3 March 2021", [..."2021-03-03", "<eos>"], positions);
const inside = [8, 9, 10, 11, 0, 2, 6, 0, 0, 0, 5];

describe("fieldRows", () => {
  it("tells year, month and day of one date, and leaves the rest out", () => {
    const rows = fieldRows(oneDate(inside), [fields], 0);
    expect(rows.map((row) => row?.field)).toEqual([
      ...["year", "year", "year", "year", undefined],
      ...["month", "month", undefined, "day", "day", undefined],
    ]);
    expect(rows.map((row) => row?.span)).toEqual([
      ...[[8, 12], [8, 12], [8, 12], [8, 12], undefined],
      ...[[2, 7], [2, 7], undefined, [0, 1], [0, 1], undefined],
    ]);
    for (const row of rows) expect(row?.inField ?? true).toBe(true);
  });

  it("counts positions after the field, as many as are allowed, and none before it", () => {
    // The month's rows read the space behind it, the day's the space and the letter behind that, the year's one before it.
    const data = oneDate([7, 9, 10, 11, 0, 7, 7, 0, 1, 2, 0]);
    const hits = (tol: number) => fieldRows(data, [fields], tol).flatMap((row) => (row ? [row.inField] : []));
    expect(hits(0)).toEqual([false, true, true, true, false, false, false, false]);
    expect(hits(1)).toEqual([false, true, true, true, true, true, true, false]);
    expect(hits(2)).toEqual([false, true, true, true, true, true, true, true]);
    expect(fieldRows(data, [fields], 2).map((row) => row?.reach)).toEqual([
      ...[12, 12, 12, 12, undefined],
      ...[9, 9, undefined, 3, 3, undefined],
    ]);
  });

  it("goes on to the next date after a space, and stops beyond those of the source", () => {
    const second: DateFields = { date: [14, 22], year: [14, 18], month: [19, 20], day: [21, 22] };
    const tokens = [..."2021-03-03 2020-04-05 1999-01-01"];
    const data = mapAt("3 March 2021; 2020/4/5", tokens, new Array<number>(tokens.length).fill(14));
    const rows = fieldRows(data, [fields, second], 0);
    expect(rows.map((row) => row?.date)).toEqual([
      ...[0, 0, 0, 0, undefined, 0, 0, undefined, 0, 0, undefined],
      ...[1, 1, 1, 1, undefined, 1, 1, undefined, 1, 1, undefined],
      ...new Array<undefined>(10).fill(undefined),
    ]);
    expect(countAlignment(data, rows)).toEqual({ rows: 32, sharp: 32, digits: 16, inDate: 8, inField: 4 });
  });

  it("says nothing of what has not the shape of a date", () => {
    const data = mapAt("3 March 2021", [..."20-1-03", "<eos>"], [8, 8, 8, 8, 8, 8, 8, 8]);
    expect(fieldRows(data, [fields], 0).map((row) => row?.field ?? null)).toEqual([
      ...["year", "year", null, null, null, null, null, null],
    ]);
  });
});

describe("countAlignment", () => {
  it("counts rows above 0.99 as the core does, in single precision", () => {
    const data = { ...oneDate(inside), alpha: new Float32Array(12 * 11) };
    data.alpha[0] = 0.99;
    data.alpha[12] = 0.991;
    expect(countAlignment(data, [])).toEqual({ rows: 11, sharp: 1, digits: 0, inDate: 0, inField: 0 });
  });
});

it("blocks are the rows of one field below one another", () => {
  const blocks = fieldBlocks(fieldRows(oneDate(inside), [fields], 1));
  expect(blocks).toEqual([
    { field: "year", date: 0, span: [8, 12], reach: 12, first: 0, last: 3 },
    { field: "month", date: 0, span: [2, 7], reach: 8, first: 5, last: 6 },
    { field: "day", date: 0, span: [0, 1], reach: 2, first: 8, last: 9 },
  ]);
});

it("cells are written from 1, and what names none is none", () => {
  const data = oneDate(inside);
  expect(readCell(writeCell({ t: 10, i: 11 }), data)).toEqual({ t: 10, i: 11 });
  expect(writeCell(null)).toBe("");
  for (const none of ["", "0-1", "12-1", "1-13", "1", "a-b", "1-1-1", "-1-1"])
    expect(readCell(none, data), none).toBeNull();
});
