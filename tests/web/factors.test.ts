// Eq. 1 of a decoding: every factor, their product, the tokens that came next, and where the year of a date went.
import { describe, expect, it } from "vitest";
import { codePoints } from "../../web/src/draw/characters.ts";
import {
  barLength,
  factorsOf,
  LIST,
  listHeight,
  probabilityText,
  rowAt,
  rowTop,
  runnersUp,
  stripCells,
  stripWidth,
  yearsMoved,
} from "../../web/src/draw/factors.ts";
import { openSession, value } from "../wasm/files.ts";

describe("the factors of a decoding", () => {
  it.each([
    ["dot", "3 March 2021", 11],
    ["plain", "July 24, 2041; February 14, 1914", 22],
  ])("of %s for %s multiply to its log-probability", async (model, text, T) => {
    const { session } = await openSession();
    const decoding = value(session.decode(model, text));
    const factors = factorsOf(decoding);
    expect(factors).toHaveLength(T);
    expect(factors.at(-1)?.token).toBe("<eos>");
    expect(factors.map(({ before }) => before.length)).toEqual(factors.map((_, t) => t));
    expect(factors[2]?.before).toEqual(decoding.tokens.slice(0, 2));
    const V = decoding.probabilities.length / T;
    for (const { index, probability } of factors) {
      expect(probability).toBe(Math.max(...decoding.probabilities.subarray(index * V, (index + 1) * V)));
    }
    expect(Math.log(factors.at(-1)!.product)).toBeCloseTo(decoding.log_prob, 4);
    session.delete();
  });

  it("are followed by the likeliest of the other tokens", async () => {
    const { module, session } = await openSession();
    const decoding = value(session.decode("plain", "3 March 2021"));
    const next = runnersUp(decoding, 1, module.target_vocabulary(), 14);
    expect(next.map(({ token }) => token)).not.toContain(decoding.tokens[1]);
    expect(new Set(next.map(({ token }) => token)).size).toBe(14);
    expect(next.map(({ probability }) => probability)).toEqual(
      next.map(({ probability }) => probability).sort((one, other) => other - one),
    );
    const all = next.reduce((sum, { probability }) => sum + probability, factorsOf(decoding)[1]!.probability);
    expect(all).toBeCloseTo(1, 5);
    session.delete();
  });
});

describe("the year of a date", () => {
  it.each([
    ["3 March 2021", "2021-03-03", [["2021", 8, 0]]],
    ["2021/3/3", "2021-03-03", [["2021", 0, 0]]],
    [
      "July 24, 2041; February 14, 1914",
      "2041-07-24 1914-02-14",
      [
        ["2041", 9, 0],
        ["1914", 28, 11],
      ],
    ],
    [
      "1 Jan 1999 and 2 Jan 1999",
      "1999-01-01 1999-01-02",
      [
        ["1999", 6, 0],
        ["1999", 21, 11],
      ],
    ],
    ["3 March 2021", "2012-03-03", []],
    ["3 March 2021", "", []],
  ])("of %s is found again in %s", (text, output, moves) => {
    expect(yearsMoved(codePoints(text), output).map(({ characters, from, to }) => [characters, from, to])).toEqual(
      moves,
    );
  });
});

describe("the pictures", () => {
  it("print no probability as 1 or 0 that is not", () => {
    expect(probabilityText(1)).toEqual({ relation: "=", digits: "1.000000" });
    expect(probabilityText(0.99999999)).toEqual({ relation: ">", digits: "0.999999" });
    expect(probabilityText(0.87654321)).toEqual({ relation: "=", digits: "0.876543" });
    expect(probabilityText(1e-9)).toEqual({ relation: "<", digits: "0.000001" });
    expect(probabilityText(0)).toEqual({ relation: "=", digits: "0.000000" });
  });

  it("find a row at a height, and none outside", () => {
    for (const t of [0, 5, 10]) expect(rowAt(rowTop(t) + LIST.row / 2, 11)).toBe(t);
    expect(rowAt(-5, 11)).toBe(0);
    expect(rowAt(listHeight(11) + 50, 11)).toBe(10);
    expect([barLength(0), barLength(0.5), barLength(1)]).toEqual([0, LIST.barWidth / 2, LIST.barWidth]);
  });

  it("give <eos> the room of two characters, and a space a sign", () => {
    const cells = stripCells(["2", " ", "<eos>"]);
    expect(cells.map(({ text }) => text)).toEqual(["2", "\u2423", "<eos>"]);
    expect(cells[2]!.width).toBe(2 * cells[0]!.width);
    expect(cells[1]!.x).toBe(cells[0]!.x + cells[0]!.width);
    expect(stripWidth(cells)).toBeGreaterThanOrEqual(cells[2]!.x + cells[2]!.width);
  });
});
