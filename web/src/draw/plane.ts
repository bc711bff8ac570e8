// States in a plane: where a query points, the hull of the states, their average, and their places in a drawing.
import { polygonContains, polygonHull } from "d3-polygon";
import { scaleLinear } from "d3-scale";
import { curveLinearClosed, line } from "d3-shape";

export type Point = readonly [x: number, y: number];

/** The five states that the course places by hand. */
export const PLACED: readonly Point[] = [
  [1.4, 0.15],
  [0.7, 1.25],
  [-0.85, 1.1],
  [-1.4, -0.3],
  [0.3, -1.4],
];
export const LONGEST = 3;
const LENGTH_STEP = 10;

/** The tip of an arrow from 0. */
export function tip(angle: number, length: number): Point {
  const radians = (angle * Math.PI) / 180;
  return [length * Math.cos(radians), length * Math.sin(radians)];
}

/** The whole degree and the tenth of length nearest to a tip; one at 0 has no direction and leaves it as it was. */
export function aim([x, y]: Point, before: number): { angle: number; length: number } {
  const length = Math.min(Math.round(Math.hypot(x, y) * LENGTH_STEP) / LENGTH_STEP, LONGEST);
  const degrees = Math.round((Math.atan2(y, x) * 180) / Math.PI);
  return { angle: length === 0 ? before : (degrees + 360) % 360, length };
}

/** Row k of pairs that lie one after another. */
export const pointAt = (pairs: ArrayLike<number>, k: number): Point => [pairs[2 * k] ?? 0, pairs[2 * k + 1] ?? 0];
export const pointsOf = (pairs: ArrayLike<number>): Point[] =>
  Array.from({ length: pairs.length / 2 }, (_, k) => pointAt(pairs, k));

/** The weighted average of points (Eq. 7, seen in the plane). */
export const average = (points: readonly Point[], weights: ArrayLike<number>): Point =>
  points.reduce<Point>(([x, y], [px, py], k) => [x + (weights[k] ?? 0) * px, y + (weights[k] ?? 0) * py], [0, 0]);

const hullOf = (points: readonly Point[]) => polygonHull(points.map(([x, y]): [number, number] => [x, y]));

/** Whether a point lies inside the hull of others; fewer than three points, or points on a line, have no inside. */
export function insideHull(points: readonly Point[], [x, y]: Point): boolean {
  const hull = hullOf(points);
  return hull !== null && polygonContains(hull, [x, y]);
}

/** Where the points of the plane lie in a drawing. */
export interface Frame {
  width: number;
  height: number;
  /** Pixels of one unit across. */
  unit: number;
  at(point: Point): Point;
  back(place: Point): Point;
}

/**
 * The largest frame of this size that holds all points, with a margin around them. One unit is as long across as upwards,
 * unless each axis is stretched to fill its side.
 */
export function frameAround(
  points: readonly Point[],
  { width, height, margin, stretched = false }: { width: number; height: number; margin: number; stretched?: boolean },
): Frame {
  const middleAndReach = (values: number[]) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return [(low + high) / 2, Math.max((high - low) / 2, 1e-6)] as const;
  };
  const [across, reach] = middleAndReach(points.map(([x]) => x));
  const [upwards, climb] = middleAndReach(points.map(([, y]) => y));
  const units = [(width / 2 - margin) / reach, (height / 2 - margin) / climb] as const;
  const [unit, rise] = stretched ? units : [Math.min(...units), Math.min(...units)];
  const x = scaleLinear([across, across + 1], [width / 2, width / 2 + unit]);
  const y = scaleLinear([upwards, upwards + 1], [height / 2, height / 2 - rise]);
  return { width, height, unit, at: (p) => [x(p[0]), y(p[1])], back: (p) => [x.invert(p[0]), y.invert(p[1])] };
}

const pathThrough = ({ at }: Frame) =>
  line<Point>(
    (point) => at(point)[0],
    (point) => at(point)[1],
  ).digits(1);

/** The hull as a closed path; empty where there is none. */
export const hullPath = (frame: Frame, points: readonly Point[]) =>
  pathThrough(frame).curve(curveLinearClosed)(hullOf(points) ?? []) ?? "";

/** From point to point, in their order. */
export const wayPath = (frame: Frame, points: readonly Point[]) => pathThrough(frame)(points) ?? "";

const HEAD = { length: 12, half: 5 };

/** A shaft and a head between two places of a drawing; an arrow shorter than its head has neither. */
export function arrow([x1, y1]: Point, [x2, y2]: Point): { shaft: string; head: string } {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < HEAD.length) return { shaft: "", head: "" };
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [bx, by] = [x2 - HEAD.length * ux, y2 - HEAD.length * uy];
  const side = (sign: number) => `${bx - sign * HEAD.half * uy},${by + sign * HEAD.half * ux}`;
  return { shaft: `M${x1},${y1}L${bx},${by}`, head: `M${x2},${y2}L${side(1)}L${side(-1)}Z` };
}

/** Radius of a state's dot: its area grows with its weight. */
export const radiusOf = (alpha: number) => 3 + 8 * Math.sqrt(alpha);

/** A square that stands on a corner, around a place. */
export const diamond = ([x, y]: Point, half: number) =>
  `M${x},${y - half}l${half},${half}l${-half},${half}l${-half},${-half}Z`;
