// Right and wrong by date and by character.
import { describe, expect, it } from "vitest";
import { compare } from "../../web/src/draw/compare.ts";

const rights = (output: string, expected: string | null) => compare(output, expected).dates.map((date) => date.right);

describe("compare", () => {
  it("marks every character of a right answer right", () => {
    const { dates, right, wrong } = compare("2021-03-03", "2021-03-03");
    expect([right, wrong]).toEqual([true, 0]);
    expect(dates[0]?.characters.every((character) => character.right)).toBe(true);
  });

  it("marks the characters that differ", () => {
    const { dates } = compare("2021-04-03", "2021-03-03");
    expect(dates[0]?.characters.map((character) => character.right)).toEqual([..."2021-04-03"].map((_, k) => k !== 6));
  });

  it("judges date by date", () => {
    expect(rights("2041-07-24 1987-02-21", "2041-07-24 1914-02-14")).toEqual([true, false]);
  });

  it("names a missing date and a date too many", () => {
    const missing = compare("2041-07-24", "2041-07-24 1914-02-14");
    expect(missing.dates.map((date) => [date.right, date.characters.length])).toEqual([
      [true, 10],
      [false, 0],
    ]);
    const extra = compare("2041-07-24 1914-02-14", "2041-07-24");
    expect([extra.right, extra.dates[1]?.right, extra.dates[1]?.expected]).toEqual([false, false, ""]);
  });

  it("says nothing where nothing is known", () => {
    const { dates, right, wrong } = compare("2021-03-03", null);
    expect([right, wrong, dates[0]?.right]).toEqual([null, 0, null]);
    expect(dates[0]?.characters.every((character) => character.right === null)).toBe(true);
  });

  it("an answer that is right as a whole has no wrong date, and the other way round", () => {
    for (const output of ["", " ", "2021-03-03", "2021-03-03 ", "x", "2021-03-03 2021-03-03"]) {
      const { right, wrong } = compare(output, "2021-03-03");
      expect(right).toBe(wrong === 0);
    }
  });
});
