// States in a plane: where a query points, what lies inside their hull, their average, and their places in a drawing.
import { describe, expect, it } from "vitest";
import {
  aim,
  arrow,
  average,
  frameAround,
  hullPath,
  insideHull,
  PLACED,
  type Point,
  pointsOf,
  radiusOf,
  tip,
} from "../../web/src/draw/plane.ts";
import { largest, weightBars } from "../../web/src/draw/weight-bars.ts";

describe("a query", () => {
  it.each([
    [0, 1],
    [20, 1.5],
    [90, 0.1],
    [359, 3],
  ])("that points to %i degrees with length %f is found again from its tip", (angle, length) => {
    expect(aim(tip(angle, length), 77)).toEqual({ angle, length });
  });

  it("keeps its direction at length 0 and is never longer than 3", () => {
    expect(aim([0.01, -0.02], 77)).toEqual({ angle: 77, length: 0 });
    expect(aim([0, -50], 77)).toEqual({ angle: 270, length: 3 });
  });
});

describe("the hull", () => {
  it("of the placed states holds every average of them and no point beyond", () => {
    expect(insideHull(PLACED, average(PLACED, [0.2, 0.2, 0.2, 0.2, 0.2]))).toBe(true);
    expect(insideHull(PLACED, average(PLACED, [0.96, 0.01, 0.01, 0.01, 0.01]))).toBe(true);
    for (const [x, y] of PLACED) expect(insideHull(PLACED, [1.01 * x, 1.01 * y])).toBe(false);
  });

  it("of two points has no inside and no path", () => {
    const two: Point[] = [
      [0, 0],
      [1, 1],
    ];
    expect(insideHull(two, [0.5, 0.5])).toBe(false);
    expect(hullPath(frameAround(two, { width: 10, height: 10, margin: 1 }), two)).toBe("");
  });
});

describe("an average", () => {
  it("is that of the worked example", () => {
    const [x, y] = average(pointsOf([1, 0, 0, 1, -1, 0]), [0.867, 0.117, 0.016]);
    expect([x, y]).toEqual([expect.closeTo(0.851, 6), expect.closeTo(0.117, 6)]);
  });
});

describe("a frame", () => {
  const points: Point[] = [
    [-1, 2],
    [3, 2.5],
    [0, 4],
  ];
  it.each([false, true])("holds its points inside its margin and finds them again (stretched: %s)", (stretched) => {
    const frame = frameAround(points, { width: 300, height: 200, margin: 20, stretched });
    for (const point of points) {
      const [x, y] = frame.at(point);
      expect(Math.min(x, 300 - x, y, 200 - y)).toBeGreaterThanOrEqual(20 - 1e-9);
      expect(frame.back([x, y])).toEqual(point.map((value) => expect.closeTo(value, 9)));
    }
    const [[x0, y0], [x1, y1]] = [frame.at([0, 0]), frame.at([1, 1])];
    expect(y1).toBeLessThan(y0);
    if (!stretched) expect(x1 - x0).toBeCloseTo(y0 - y1, 9);
    else expect(frame.at([-1, 4])).toEqual([expect.closeTo(20, 9), expect.closeTo(20, 9)]);
  });

  it("survives points that are all the same", () => {
    expect(frameAround([[1, 1]], { width: 10, height: 10, margin: 1 }).at([1, 1])).toEqual([5, 5]);
  });
});

describe("marks", () => {
  it("an arrow ends at its tip, and too short a one has none", () => {
    expect(arrow([0, 0], [30, 0])).toEqual({ shaft: "M0,0L18,0", head: "M30,0L18,5L18,-5Z" });
    expect(arrow([0, 0], [3, 4])).toEqual({ shaft: "", head: "" });
  });

  it("a dot grows in area with its weight", () => {
    expect((radiusOf(0.5) - radiusOf(0)) ** 2).toBeCloseTo((radiusOf(1) - radiusOf(0)) ** 2 / 2, 9);
  });

  it("bars are as long as their weights; 0 has none, and what is almost 0 is still seen", () => {
    const { marks, barLeft, barRight } = weightBars(
      [1, 0.5, 0, 1e-9].map((alpha) => ({ label: "h", index: "1", alpha, before: alpha / 2 })),
    );
    const whole = barRight - barLeft;
    expect(marks.map(({ width }) => width)).toEqual([whole, whole / 2, 0, 1]);
    expect(marks.map(({ beforeWidth }) => beforeWidth)).toEqual([whole / 2, whole / 4, 0, 1]);
  });

  it("the largest weights come first, equals in their order", () => {
    expect(largest([0.1, 0.4, 0.1, 0.3, 0.1], 4)).toEqual([1, 3, 0, 2]);
    expect(largest([0.5, 0.5], 5)).toEqual([0, 1]);
  });
});
