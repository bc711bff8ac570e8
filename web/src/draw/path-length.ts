// What a longer source costs, with and without attention: the values that reach the decoder and the length of the longest path.
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";

export interface Cost {
  /** Numbers that carry the source to the decoder. */
  values: number;
  /** Steps between the first source token and the last target token. */
  steps: number;
}

/** Section 3: one vector and S + T recurrent steps without attention; S vectors and a single step with it. */
export const cost = (S: number, T: number, d_h: number, attention: boolean): Cost =>
  attention ? { values: S * d_h, steps: 1 } : { values: d_h, steps: S + T };

export interface Chart {
  width: number;
  height: number;
  /** Left edge and bottom of the plot inside the drawing. */
  left: number;
  bottom: number;
  path: string;
  /** Where the source of now, and one twice as long, stand on the line. */
  now: { x: number; y: number };
  twice: { x: number; y: number };
  ticks: { x: { at: number; label: string }[]; y: { at: number; label: string }[] };
}

const WIDTH = 320;
const HEIGHT = 170;
const MARGIN = { left: 52, right: 16, top: 14, bottom: 26 };

const label = (value: number) => value.toLocaleString("en");

/** A quantity over the length of the source, up to a little more than twice the one of now. */
export function chart(S: number, of: (S: number) => number, least: number): Chart {
  const most = Math.max(2 * S, 10) * 1.08;
  const x = scaleLinear([0, most], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([0, Math.max(of(most), least)], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);
  const point = (at: number) => ({ x: x(at), y: y(of(at)) });
  const drawn = line<number>(
    (at) => x(at),
    (at) => y(of(at)),
  )([1, most]);
  return {
    width: WIDTH,
    height: HEIGHT,
    left: MARGIN.left,
    bottom: HEIGHT - MARGIN.bottom,
    path: drawn ?? "",
    now: point(S),
    twice: point(2 * S),
    ticks: {
      x: x.ticks(4).map((at) => ({ at: x(at), label: label(at) })),
      y: y.ticks(4).map((at) => ({ at: y(at), label: label(at) })),
    },
  };
}
