// The explanation of a cell: its numbers, its bars, which cell it is about, and how numbers are printed.
import { describe, expect, it, vi } from "vitest";
import { printed } from "../../web/src/draw/characters.ts";
import { barsPath, cellNumbers, rangeOf, signedBars } from "../../web/src/draw/explain.ts";
import type { Inspection } from "../../web/src/engine/protocol.ts";
import { cellToExplain, cellWithin, Rows } from "../../web/src/page/explaining.ts";
import { moved } from "../../web/src/widgets/map-keys.ts";

/** The worked example of the course: three states in two dimensions, the scores (2, 0, -2). */
function worked(): Inspection {
  const score = Float32Array.of(2, 0, -2);
  const exponential = Float32Array.of(1, 0.1353353, 0.0183156);
  const sum = exponential.reduce((total, x) => total + x, 0);
  const alpha = exponential.map((x) => x / sum);
  const h = Float32Array.of(1, 0, 0, 1, -1, 0);
  const [a = 0, b = 0, c = 0] = alpha;
  const sizes = { t: 0, S: 3, V: 3, d_h: 2, d_enc: 2, d_k: 2 };
  const s = Float32Array.of(2, 0);
  const h_bar = Float32Array.of(a - c, b);
  const attention = { q: s, k: h, score, largest: 2, exponential, sum, alpha, alpha_read: alpha, h, h_bar };
  const logits = { s_tilde: s, z: Float32Array.of(0, 0, 0), log_probs: new Float32Array(3).fill(-Math.log(3)) };
  return { model: "dot", token: "2", ...sizes, s, s_t: s, ...attention, ...logits };
}

describe("cellNumbers", () => {
  it("takes the cell's own numbers out of the row", () => {
    const numbers = cellNumbers(worked(), 1);
    expect(numbers).toMatchObject({ score: 0, largest: 2 });
    expect(numbers.exponential).toBeCloseTo(0.1353353, 6);
    expect(numbers.alpha).toBeCloseTo(0.117, 3);
    expect([...numbers.part]).toEqual([0, numbers.alpha]);
  });

  it("adds up over a row: the parts to the average, the shares to 1", () => {
    const row = worked();
    const cells = [0, 1, 2].map((i) => cellNumbers(row, i));
    for (let k = 0; k < row.d_h; ++k) {
      const sum = cells.reduce((total, { part }) => total + (part[k] ?? 0), 0);
      expect(sum).toBeCloseTo(row.h_bar[k] ?? Number.NaN, 6);
    }
    expect(cells.reduce((total, { share }) => total + share, 0)).toBeCloseTo(1, 6);
    // The third state points away from the average: its share is negative.
    expect(cells[2]?.share).toBeLessThan(0);
  });
});

describe("signedBars", () => {
  const box = { width: 90, height: 40, gap: 2 };

  it("grows up from zero for positive values and down for negative ones, to scale", () => {
    const { bars, zero } = signedBars([3, -1, 0], rangeOf([3, -1, 0]), box);
    expect(zero).toBe(30);
    expect(bars.map(({ y, height }) => [y, height])).toEqual([
      [0, 30],
      [30, 10],
      [29.5, 0.5],
    ]);
    expect(bars.map(({ x, width }) => [x, width])).toEqual([
      [1, 28],
      [31, 28],
      [61, 28],
    ]);
  });

  it("draws as many rectangles in a path as there are values", () => {
    const { bars } = signedBars([1, -1, 0.5, 0], [-1, 1], box);
    expect(barsPath(bars).match(/z/g)).toHaveLength(4);
  });

  it("takes zero into its range, and lives with values that are all equal", () => {
    expect(rangeOf([2, 5])).toEqual([0, 5]);
    expect(rangeOf([-2], [-7])).toEqual([-7, 0]);
    for (const { y, height } of signedBars([0, 0], rangeOf([0, 0]), box).bars) {
      expect(Number.isFinite(y) && Number.isFinite(height)).toBe(true);
    }
  });
});

describe("printed", () => {
  it.each([
    [0, "0", null],
    [26.8123, "26.81", null],
    [-2.14, "\u22122.140", null],
    [0.0010004, "0.001000", null],
    [0.00049721, "4.972", -4],
    [-1.5e-12, "\u22121.500", -12],
    [123456, "1.235", 5],
  ])("%s as %s with power %s", (x, digits, exponent) => {
    expect(printed(x)).toEqual({ digits, exponent });
  });
});

describe("the cell that is explained", () => {
  const map = {
    source: [..."3 Mar"],
    positions: [0, 1, 2, 3, 4],
    tokens: ["2", "0", "<eos>"],
    // Row 0 reads position 3 most, row 1 position 0, row 2 position 4.
    alpha: Float32Array.of(0.1, 0.1, 0.1, 0.6, 0.1, 0.9, 0.1, 0, 0, 0, 0, 0, 0, 0.2, 0.8),
  };
  const nowhere = { t: null, i: null };

  it("is where the first row reads most, until something is picked or pointed at", () => {
    expect(cellToExplain(map, nowhere, null)).toEqual({ t: 0, i: 3 });
    expect(cellToExplain(map, nowhere, { t: 2, i: 1 })).toEqual({ t: 2, i: 1 });
    expect(cellToExplain(map, { t: 1, i: 2 }, { t: 2, i: 1 })).toEqual({ t: 1, i: 2 });
  });

  it("follows a row to where it reads most, and a column within the row on show", () => {
    expect(cellToExplain(map, { t: 2, i: null }, null)).toEqual({ t: 2, i: 4 });
    expect(cellToExplain(map, { t: null, i: 1 }, { t: 2, i: 4 })).toEqual({ t: 2, i: 1 });
  });

  it("stays on the map", () => {
    expect(cellToExplain(map, { t: 9, i: 9 }, null)).toEqual({ t: 2, i: 4 });
    expect(cellWithin(map, { t: 2, i: 4 })).toEqual({ t: 2, i: 4 });
    expect(cellWithin(map, { t: 3, i: 0 })).toBeNull();
    expect(cellWithin(map, { t: 0, i: 5 })).toBeNull();
    expect(cellWithin(map, null)).toBeNull();
  });

  it("moves with the keys and never off the map", () => {
    expect(moved("ArrowDown", { t: 2, i: 1 }, map)).toEqual({ t: 2, i: 1 });
    expect(moved("ArrowUp", { t: 2, i: 1 }, map)).toEqual({ t: 1, i: 1 });
    expect(moved("End", { t: 1, i: 0 }, map)).toEqual({ t: 1, i: 4 });
    expect(moved("PageDown", { t: 0, i: 3 }, map)).toEqual({ t: 2, i: 3 });
    expect(moved("ArrowLeft", nowhere, map)).toEqual({ t: 0, i: 0 });
    for (const key of ["Enter", "a", "toString", "__proto__"]) expect(moved(key, nowhere, map)).toBeNull();
  });
});

describe("Rows", () => {
  it("asks for a row once, and again when its model or its first answer was lost", async () => {
    const inspect = vi.fn(async () => worked());
    const rows = new Rows(inspect);
    await Promise.all([rows.get("dot", "x", 0), rows.get("dot", "x", 0), rows.get("dot", "x", 1)]);
    expect(inspect.mock.calls).toEqual([
      ["dot", "x", 0],
      ["dot", "x", 1],
    ]);
    rows.clear();
    inspect.mockRejectedValueOnce(new Error("superseded"));
    await expect(rows.get("dot", "x", 0)).rejects.toThrow("superseded");
    await expect(rows.get("dot", "x", 0)).resolves.toMatchObject({ S: 3 });
    expect(inspect).toHaveBeenCalledTimes(4);
  });
});
