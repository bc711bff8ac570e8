// A list of weights as bars: one line each with its label, its score and the weight, and what the weight was before.

export interface WeightLine {
  label: string;
  /** Whether the label is a character of a text rather than the letter of a state. */
  character?: boolean;
  /** Written small and low after the label. */
  index: string;
  score?: number | undefined;
  /** Whether the position is padding, whose score counts as −∞ whatever it would be. */
  masked?: boolean;
  alpha: number;
  /** The weight before a change that is being looked at. */
  before?: number | undefined;
}

export interface WeightMark extends WeightLine {
  /** Top and middle of the bar. */
  top: number;
  middle: number;
  width: number;
  beforeWidth: number | null;
}

export interface WeightBars {
  width: number;
  height: number;
  barHeight: number;
  /** Where labels begin, where scores end, and where bars begin and end. */
  left: number;
  scoreRight: number;
  barLeft: number;
  barRight: number;
  marks: WeightMark[];
}

const WIDTH = 360;
const HEADING = 30;
const LINE = 34;
const BAR = 20;
const LEFT = 4;
const SCORE_RIGHT = 104;
const BAR_LEFT = 124;
/** Room for the number after the longest bar. */
const NUMBER = 52;
/** A weight of 0 has no bar; any other has one that is seen. */
const HAIR = 1;

export function weightBars(lines: readonly WeightLine[]): WeightBars {
  const barRight = WIDTH - NUMBER;
  const long = (alpha: number) => (alpha > 0 ? Math.max(HAIR, alpha * (barRight - BAR_LEFT)) : 0);
  return {
    width: WIDTH,
    height: HEADING + lines.length * LINE,
    barHeight: BAR,
    left: LEFT,
    scoreRight: SCORE_RIGHT,
    barLeft: BAR_LEFT,
    barRight,
    marks: lines.map((each, k) => ({
      ...each,
      top: HEADING + k * LINE + (LINE - BAR) / 2,
      middle: HEADING + (k + 0.5) * LINE,
      width: long(each.alpha),
      beforeWidth: each.before === undefined ? null : long(each.before),
    })),
  };
}

/** The so many largest weights, largest first, by position; equals stay in their order. */
export const largest = (alpha: ArrayLike<number>, count: number): number[] =>
  Array.from(alpha, (_, i) => i)
    .sort((i, j) => (alpha[j] ?? 0) - (alpha[i] ?? 0))
    .slice(0, count);
