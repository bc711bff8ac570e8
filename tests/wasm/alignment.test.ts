// Where attention looks on the test split, as the module counts it: the numbers that the model's manifest holds.
import { readFileSync } from "node:fs";
import type { Session } from "@wasm/softalign.mjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rates } from "./alignment.ts";
import { openSession, value } from "./files.ts";

let session: Session;
beforeAll(async () => {
  ({ session } = await openSession());
});
afterAll(() => session.delete());

describe("align_test", () => {
  it("names the position of each row's largest weight, <eos> left out", () => {
    const { sources, targets } = session.test_split();
    const [first, count] = [1498, 4];
    const expected: number[] = [];
    for (let at = first; at < first + count; ++at) {
      const [source, target] = [sources[at] ?? "", targets[at] ?? ""];
      const { alpha, tokens } = value(session.teacher_force("dot", source, target));
      expect(tokens).toHaveLength(target.length + 1);
      for (let t = 0; t < target.length; ++t) {
        const row = alpha?.subarray(t * source.length, (t + 1) * source.length) ?? new Float32Array();
        expected.push(row.indexOf(Math.max(...row)));
      }
    }
    expect([...value(session.align_test("dot", first, count))]).toEqual(expected);
  });

  it.each([
    ["plain", 0, 1, "BAD_VALUE"],
    ["dot", 1999, 2, "BAD_VALUE"],
    ["dot", -1, 1, "BAD_VALUE"],
    ["nobody", 0, 1, "NO_MODEL"],
  ])("align_test(%j, %i, %i) -> %s", (model, first, count, code) => {
    expect(session.align_test(model, first, count)).toHaveProperty("error.code", code);
  });
});

describe("measure_alignment", () => {
  it("of slices of all of it: the rates that the manifest of dot holds", () => {
    const slices = [700, 300, 999, 1].reduce<{ first: number; positions: number[] }>(
      ({ first, positions }, count) => ({
        first: first + count,
        positions: positions.concat([...value(session.align_test("dot", first, count))]),
      }),
      { first: 0, positions: [] },
    );
    const { evaluation } = JSON.parse(readFileSync("models/dot.json", "utf8"));
    expect(value(session.measure_alignment(slices.positions))).toEqual(rates(evaluation));
  }, 60_000);

  it("refuses positions that cannot be", () => {
    const { sources, targets } = session.test_split();
    const characters = targets.reduce((sum, { length }) => sum + length, 0);
    const positions = new Int32Array(characters);
    expect(value(session.measure_alignment(positions)).alignment_hit_rate.by_K[0]).toHaveLength(4);
    for (const wrong of [
      positions.subarray(1),
      positions.with(0, -1),
      positions.with(characters - 1, sources.at(-1)?.length ?? 0),
    ])
      expect(session.measure_alignment(wrong)).toHaveProperty("error.code", "BAD_VALUE");
  });
});
