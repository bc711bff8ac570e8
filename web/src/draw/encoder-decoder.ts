// Places of the unrolled network (Figure 1): time runs along one axis, what is read, the state and what is predicted lie
// across it; on a narrow page the picture is turned by 90 degrees.
import { linkHorizontal, linkVertical } from "d3-shape";

export interface Place {
  x: number;
  y: number;
}

/** Measures of one way of lying: along for time, across for the rows. */
interface Measures {
  pitch: number;
  bridge: number;
  /** Where the encoder's first step is. */
  start: number;
  reads: number;
  state: number;
  predicts: number;
  correct: number;
  /** Where attention runs past the encoder's states. */
  look: number;
  extent: number;
  box: { width: number; height: number };
}

const LYING: Measures = {
  pitch: 38,
  bridge: 92,
  start: 84,
  reads: 172,
  state: 116,
  predicts: 54,
  correct: 22,
  look: 86,
  extent: 196,
  box: { width: 30, height: 26 },
};
const TURNED: Measures = {
  pitch: 34,
  bridge: 74,
  start: 44,
  reads: 38,
  state: 118,
  predicts: 218,
  correct: 296,
  look: 150,
  extent: 336,
  box: { width: 36, height: 24 },
};

/** Encoder states drawn at most: of a longer text the beginning and the end, with a gap between. */
const MOST_STATES = 120;

export interface Layout extends Omit<Measures, "start" | "extent" | "bridge"> {
  turned: boolean;
  width: number;
  height: number;
  /** Source positions that are drawn, from 0, and how many were left out in the middle. */
  drawn: readonly number[];
  leftOut: number;
  /** A place by its position along time and across it. */
  at(along: number, across: number): Place;
  /** Along time: of drawn encoder state k from 0, of decoder step t from 1. */
  encoder(k: number): number;
  decoder(t: number): number;
}

function drawnPositions(S: number): { drawn: number[]; leftOut: number } {
  const all = Array.from({ length: S }, (_, i) => i);
  if (S <= MOST_STATES) return { drawn: all, leftOut: 0 };
  const half = MOST_STATES / 2;
  return { drawn: [...all.slice(0, half), ...all.slice(-half)], leftOut: S - MOST_STATES };
}

export function layOutNetwork(S: number, T: number, turned: boolean): Layout {
  const { start, extent, bridge, ...measures } = turned ? TURNED : LYING;
  const { drawn, leftOut } = drawnPositions(S);
  const { pitch } = measures;
  // The gap takes the room of one state.
  const encoder = (k: number) => start + pitch * (k + (leftOut > 0 && k >= MOST_STATES / 2 ? 1 : 0));
  const first = encoder(drawn.length - 1) + bridge;
  const decoder = (t: number) => first + pitch * (t - 1);
  const length = decoder(T) + pitch * 0.75;
  return {
    ...measures,
    turned,
    drawn,
    leftOut,
    width: turned ? extent : length,
    height: turned ? length : extent,
    at: (along, across) => (turned ? { x: across, y: along } : { x: along, y: across }),
    encoder,
    decoder,
  };
}

const lying = linkHorizontal<[Place, Place], Place>()
  .source(([from]) => from)
  .target(([, to]) => to)
  .x(({ x }) => x)
  .y(({ y }) => y);
const standing = linkVertical<[Place, Place], Place>()
  .source(([from]) => from)
  .target(([, to]) => to)
  .x(({ x }) => x)
  .y(({ y }) => y);

/** Half of a token's room, which arrows keep clear of. */
export const TOKEN = 11;

/** From a token at step t, across at `across`, to the input of the step after it. */
export function feedback(layout: Layout, t: number, across: number): string {
  const { at, decoder, reads, turned } = layout;
  const ends: [Place, Place] = [at(decoder(t) + TOKEN, across), at(decoder(t + 1) - TOKEN, reads)];
  return (turned ? standing(ends) : lying(ends)) ?? "";
}

/** A straight arrow's ends across time: from input to state, from state to prediction. */
export function upward(layout: Layout, along: number, part: "input" | "output"): [Place, Place] {
  const { at, box, turned, reads, state, predicts } = layout;
  const half = (turned ? box.width : box.height) / 2;
  const out = turned ? 1 : -1;
  // Sideways, <bos> and <eos> are wider than they are high.
  const room = turned ? 20 : 13;
  return part === "input"
    ? [at(along, reads + out * room), at(along, state - out * (half + 2))]
    : [at(along, state + out * half), at(along, predicts - out * room)];
}

/** From one state to the next, with room for the arrow's head. */
export function onward(layout: Layout, from: number, to: number): [Place, Place] {
  const { at, box, turned, state } = layout;
  const half = (turned ? box.height : box.width) / 2;
  return [at(from + half, state), at(to - half - 2, state)];
}

/** How many states lie before and after a stretch along time that is in sight; a state counts with its middle. */
export function outOfSight({ drawn, encoder, decoder }: Layout, T: number, from: number, to: number) {
  const places = [...drawn.map((_, k) => encoder(k)), ...Array.from({ length: T }, (_, t) => decoder(t + 1))];
  return { before: places.filter((at) => at < from).length, after: places.filter((at) => at > to).length };
}

/** The decoder's step at a place along time, 0 in the encoder. */
export function stepAt({ turned, decoder, pitch }: Layout, T: number, x: number, y: number): number {
  const step = Math.round(((turned ? y : x) - decoder(1)) / pitch) + 1;
  return Math.min(Math.max(step, 0), T);
}
