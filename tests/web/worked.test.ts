// The worked examples: their numbers, what an attribute says of them, what was typed, and plain exponentials.
import { describe, expect, it } from "vitest";
import { rounded } from "../../web/src/draw/characters.ts";
import {
  type Example,
  entryOf,
  examples,
  plainExponentials,
  positionsOf,
  readWorked,
  withEntry,
  withPositions,
  writeWorked,
} from "../../web/src/draw/worked.ts";

describe("an example", () => {
  it.each(Object.keys(examples) as Example[])("%s is its own where nothing was changed", (name) => {
    expect(readWorked(name, "", -1)).toEqual(examples[name]);
    expect(writeWorked(name, examples[name])).toBe("");
  });

  it("comes back from what is written of it", () => {
    const changed = withEntry(withPositions(examples.vectors, true), "h", 7, -2.5);
    const written = writeWorked("vectors", changed);
    expect(written).toBe("2 0 1 0 0 1 -1 0 0 -2.5");
    expect(readWorked("vectors", written, 2)).toEqual({ ...changed, padding: 2 });
    expect(positionsOf(changed)).toBe(4);
  });

  it.each([
    ["scores", "1 two 3"],
    ["scores", "1 2 3 4 5 6 7"],
    ["scores", "1e9"],
    ["vectors", "2 0"],
    ["vectors", "2 0 1"],
    ["vectors", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"],
  ] as const)("%s takes no notice of %j", (name, written) => {
    expect(readWorked(name, written, -1)).toEqual(examples[name]);
  });

  it("always keeps one position that is no padding", () => {
    expect(readWorked("scores", "4", 5).padding).toBe(0);
    expect(readWorked("padded", "", 5).padding).toBe(2);
  });
});

describe("what was typed", () => {
  it.each([
    ["2", 2],
    [" -1.5 ", -1.5],
    ["\u22121,5", -1.5],
    ["0.12345", 0.123],
    ["999", 999],
    ["1000", null],
    ["", null],
    ["two", null],
    ["Infinity", null],
  ])("%j is %s", (typed, value) => {
    expect(entryOf(typed)).toBe(value);
  });
});

describe("exp(score)", () => {
  it("is found from exponentials that have the largest score taken off", () => {
    const scores = [2, 0, -2, 0];
    const plain = plainExponentials(
      scores,
      Float32Array.from(scores, (score) => Math.exp(score - 2)),
    );
    expect(plain).toEqual([7.389, 1, 0.1353].map((value) => expect.closeTo(value, 3)));
  });

  it("is not told where 32 bits cannot hold it", () => {
    expect(plainExponentials([100, 0], [1, 0])).toBeNull();
    expect(plainExponentials([-100, 0], [0, 1])).toBeNull();
  });
});

describe("a rounded number", () => {
  it.each([
    [-0.004, 2, "0.00"],
    [-1.5, 1, "\u22121.5"],
    [0.7866, 3, "0.787"],
  ])("%f to %i places is %s", (x, digits, written) => {
    expect(rounded(x, digits)).toBe(written);
  });
});
