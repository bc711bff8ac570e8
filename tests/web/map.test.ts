// The attention map's marks: one column a code point, one row a token, places and printed numbers.
import { describe, expect, it } from "vitest";
import { codePoints } from "../../web/src/draw/characters.ts";
import { cellAt, layOut, type MapData, mapMarks, PRINTED_FROM, strongest, weightAt } from "../../web/src/draw/map.ts";

/** A map of which row t puts `peak` on `column(t)` and shares the rest evenly. */
function mapOf(text: string, answer: string, column: (t: number) => number, peak = 0.97): MapData {
  const source = codePoints(text);
  const tokens = [...codePoints(answer), "<eos>"];
  const alpha = new Float32Array(tokens.length * source.length);
  for (let t = 0; t < tokens.length; ++t) {
    for (let i = 0; i < source.length; ++i) {
      alpha[t * source.length + i] = i === column(t) ? peak : (1 - peak) / (source.length - 1);
    }
  }
  return { source, positions: source.map((_, i) => i), tokens, alpha };
}

describe("mapMarks", () => {
  it("keeps equal characters apart: 11 November 2011 has 16 columns and 11 rows (L52)", () => {
    const data = mapOf("11 November 2011", "2011-11-11", (t) => t);
    const marks = mapMarks(data, layOut(16, 11, 900));
    expect(marks.columns.map((label) => label.text).join("")).toBe("11\u2423November\u24232011");
    expect(marks.rows.map((label) => label.text)).toEqual([..."2011-11-11", "<eos>"]);
    expect(new Set(marks.columns.map((label) => label.x)).size).toBe(16);
    expect(new Set(marks.rows.map((label) => label.y)).size).toBe(11);
    expect(marks.cells.map((row) => row.length)).toEqual(new Array(11).fill(16));
    expect(new Set(marks.cells.flat().map((cell) => `${cell.x} ${cell.y}`)).size).toBe(16 * 11);
  });

  it("puts source positions on x and steps on y (L53)", () => {
    const data = mapOf("3 March 2021", "2021-03-03", (t) => (t === 0 ? 9 : 2));
    const cells = mapMarks(data, layOut(12, 11, 900)).cells.flat();
    const dark = cells.find((cell) => cell.weight > 0.9 && cell.t === 0);
    expect(dark?.i).toBe(9);
    const right = cells.find((cell) => cell.t === 0 && cell.i === 10);
    const below = cells.find((cell) => cell.t === 1 && cell.i === 9);
    expect(right?.x).toBeGreaterThan(dark?.x ?? Infinity);
    expect(right?.y).toBe(dark?.y);
    expect(below?.y).toBeGreaterThan(dark?.y ?? Infinity);
  });

  it("prints weights of at least 0.10 with two decimals, and no others", () => {
    const data = mapOf("3 March 2021", "2021-03-03", (t) => t, 0.5);
    for (const cell of mapMarks(data, layOut(12, 11, 900)).cells.flat()) {
      if (cell.weight >= PRINTED_FROM) expect(cell.printed?.text).toBe("0.50");
      else expect(cell.printed).toBeUndefined();
    }
  });

  it("gives one weight one colour, whatever the text (L56)", () => {
    const fills = ["3 March 2021", "2021/3/3; 2022/4/4"].map((text) => {
      const data = mapOf(text, "2021-03-03", () => 1, 0.3);
      return mapMarks(data, layOut(data.source.length, 11, 900)).cells[0]?.find((cell) => cell.i === 1)?.fill;
    });
    expect(fills[0]).toBe(fills[1]);
  });

  it("leaves out only invisible cells where there are very many", () => {
    const data = mapOf("3 ".repeat(200), "2".repeat(127), () => 5, 0.9);
    const { cells, columns, rows } = mapMarks(data, layOut(400, 128, 900));
    expect([columns.length, rows.length]).toEqual([400, 128]);
    expect(cells.flat()).toHaveLength(128);
  });
});

describe("a narrow column", () => {
  it("has no number, which would be cut off", () => {
    const wide = {
      source: Array.from("a".repeat(60)),
      positions: [],
      tokens: ["2"],
      alpha: new Float32Array(60).fill(0.5),
    };
    const printed = (width: number) =>
      mapMarks(wide, layOut(60, 1, width))
        .cells.flat()
        .filter((cell) => cell.printed);
    expect(printed(66 + 60 * 13.5)).toEqual([]);
    expect(printed(66 + 60 * 14)).toHaveLength(60);
  });
});

describe("layOut", () => {
  it("fits one date into a 360 px page and four dates into a wide one", () => {
    const narrow = layOut(12, 11, 336);
    expect(narrow.rowLabelWidth + narrow.width).toBeLessThanOrEqual(336);
    const wide = layOut(77, 45, 1280);
    expect(wide.rowLabelWidth + wide.width).toBeLessThanOrEqual(1280);
    expect(wide.upright).toBe(true);
  });

  it("grows past its region rather than become unreadable", () => {
    const layout = layOut(77, 45, 336);
    expect(layout.width).toBeGreaterThan(336);
    expect(layout.upright).toBe(false);
    expect(layout.cellWidth).toBeGreaterThanOrEqual(24);
  });
});

describe("cellAt", () => {
  it("finds the cell under a point, and nothing outside", () => {
    const data = mapOf("3 March 2021", "2021-03-03", (t) => t);
    const layout = layOut(12, 11, 900);
    for (const cell of mapMarks(data, layout).cells.flat()) {
      expect(cellAt(layout, data, cell.x + 1, cell.y + 1)).toEqual({ t: cell.t, i: cell.i });
    }
    expect(cellAt(layout, data, 5, layout.top - 1)).toBeNull();
    expect(cellAt(layout, data, layout.width + 1, layout.top + 1)).toBeNull();
  });

  it("strongest takes the first of equals", () => {
    const data = mapOf("3 March 2021", "2021-03-03", () => 4, 1 / 12);
    data.alpha.fill(0.25);
    expect(strongest(data, 3)).toBe(0);
    expect(weightAt(data, 3, 0)).toBe(0.25);
  });
});
