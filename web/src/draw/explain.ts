// From the inspection of one row to the numbers and bars that explain one of its cells (Eq. 6, 7 and 9-11).
import type { Inspection } from "../engine/protocol.ts";

export interface CellNumbers {
  score: number;
  largest: number;
  exponential: number;
  sum: number;
  alpha: number;
  /** (d_enc) alpha_i h_i, this cell's term of Eq. 7. */
  part: Float32Array;
  /** How much of h_bar's length that term makes up, measured along h_bar; over all cells of a row this sums to 1. */
  share: number;
}

const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, k) => sum + value * (y[k] ?? 0), 0);

export function cellNumbers(row: Inspection, i: number): CellNumbers {
  const alpha = row.alpha[i] ?? 0;
  const part = row.h.slice(i * row.d_enc, (i + 1) * row.d_enc).map((value) => alpha * value);
  return {
    score: row.score[i] ?? 0,
    largest: row.largest,
    exponential: row.exponential[i] ?? 0,
    sum: row.sum,
    alpha,
    part,
    share: dot(part, row.h_bar) / dot(row.h_bar, row.h_bar),
  };
}

export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Bars {
  bars: Bar[];
  /** Where zero lies. */
  zero: number;
}

/** Shortest bar that is still seen, so that a small value differs from no value. */
const HAIR = 0.5;

/** Signed bars, one for each value, over a box; `low` and `high` are the values at its bottom and top edge. */
export function signedBars(
  values: ArrayLike<number>,
  [low, high]: readonly [number, number],
  { width, height, gap }: { width: number; height: number; gap: number },
): Bars {
  const span = high - low || 1;
  const place = (value: number) => ((high - value) / span) * height;
  const zero = Math.min(height, Math.max(0, place(0)));
  const step = width / Math.max(1, values.length);
  const bars = Array.from(values, (value, k) => {
    const end = place(value);
    const long = Math.max(HAIR, Math.abs(end - zero));
    return { x: k * step + gap / 2, y: value < 0 ? zero : zero - long, width: step - gap, height: long };
  });
  return { bars, zero };
}

/** The least range that holds all values and zero. */
export function rangeOf(...lists: ArrayLike<number>[]): [number, number] {
  let [low, high] = [0, 0];
  for (const list of lists) {
    for (let k = 0; k < list.length; ++k) {
      low = Math.min(low, list[k] ?? 0);
      high = Math.max(high, list[k] ?? 0);
    }
  }
  return [low, high];
}

/** Bars as one path, for many that never need a life of their own. */
export const barsPath = (bars: readonly Bar[]) =>
  bars
    .map(
      ({ x, y, width, height }) =>
        `M${x.toFixed(2)} ${y.toFixed(2)}h${width.toFixed(2)}v${height.toFixed(2)}h${(-width).toFixed(2)}z`,
    )
    .join("");
