// The loss token by token: bars in proportion, the line of an even guess at its place, and what is kept back left out.
import { describe, expect, it } from "vitest";
import { evenLoss, LOSS, lossChart } from "../../web/src/draw/token-loss.ts";
import { lossText } from "../../web/src/draw/token-loss-figure.ts";
import { openSession, value } from "../wasm/files.ts";

const tokens = ["2", "0", "<eos>"];

describe("the chart", () => {
  it("draws bars in proportion to the losses, on one scale with the line", () => {
    const chart = lossChart(tokens, { trained: [0.5, 1, 0], untrained: [2, evenLoss(15), 3] }, 15);
    const lengths = (name: string) => chart.rows.map(({ bars }) => bars.find((bar) => bar.name === name)!.length);
    const [half, one, none] = lengths("trained");
    expect(one).toBeCloseTo(2 * half!, 9);
    expect(none).toBe(0);
    expect(LOSS.bar + lengths("untrained")[1]!).toBeCloseTo(chart.even!, 9);
    expect(lengths("untrained")[0]).toBeCloseTo(4 * half!, 9);
  });

  it("leaves the trained model's bars out where they are kept back", () => {
    const { rows } = lossChart(tokens, { trained: null, untrained: [2, 2, 2] }, 15);
    expect(rows.flatMap(({ bars }) => bars.map(({ name }) => name))).toEqual(new Array(3).fill("untrained"));
  });

  it("leaves the untrained model's bars out with the line that tells their length", () => {
    const { rows, even } = lossChart(tokens, { trained: [1, 1, 1], untrained: null }, 15);
    expect(rows.flatMap(({ bars }) => bars.map(({ name }) => name))).toEqual(new Array(3).fill("trained"));
    expect(even).toBeNull();
  });

  it("makes room for a loss of any size", () => {
    const { rows } = lossChart(tokens, { trained: [14, 0, 0], untrained: [2, 2, 2] }, 15);
    expect(Math.max(...rows.flatMap(({ bars }) => bars.map(({ length }) => length)))).toBeLessThanOrEqual(
      LOSS.barWidth,
    );
  });

  it("prints no loss as 0 that is not", () => {
    expect([lossText(0), lossText(1e-9), lossText(0.0002), lossText(2.70805)]).toEqual([
      "0.0000",
      "< 0.0001",
      "0.0002",
      "2.7081",
    ]);
  });
});

describe("an untrained model", () => {
  it("costs about ln 15 a token, whatever its seed", async () => {
    const { session } = await openSession();
    const means = [0, 1, 2, 3].map((seed) => {
      value(session.untrained("untrained", "dot", seed));
      return value(session.teacher_force("untrained", "3 March 2021", "2021-03-03")).mean;
    });
    for (const mean of means) expect(Math.abs(mean - evenLoss(15))).toBeLessThan(0.35);
    expect(new Set(means).size).toBe(4);
    session.delete();
  });
});
