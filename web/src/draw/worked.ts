// The worked examples of the attention step: their numbers, as an attribute writes them, and as the module takes them.
import { numberOf } from "../demos/questions.ts";

export type Example = "scores" | "shifted" | "far" | "equal" | "vectors" | "padded";

/** What an example is worked from: scores, or a query and states of two entries whose scores are their dot products. */
export interface Worked {
  /** Empty where the scores come from vectors. */
  score: readonly number[];
  /** (2) the query, and (S, 2) row-major the states; empty where the scores are given. */
  q: readonly number[];
  h: readonly number[];
  /** Positions at the end that only fill the batch up. */
  padding: number;
}

const scores = (...score: number[]): Worked => ({ score, q: [], h: [], padding: 0 });
const vectors = { score: [], q: [2, 0], h: [1, 0, 0, 1, -1, 0] };

export const examples: Readonly<Record<Example, Worked>> = {
  scores: scores(2, 0, 0),
  shifted: scores(12, 10, 10),
  far: scores(20, 0, 0),
  equal: scores(1, 1, 1, 1),
  vectors: { ...vectors, padding: 0 },
  padded: { ...vectors, padding: 1 },
};

export const MOST_POSITIONS = 6;
/** The largest number that can be typed, and its decimals. */
export const MOST = 999;
const DECIMALS = 3;

export const positionsOf = ({ score, h }: Worked) => score.length || h.length / 2;
export const hasVectors = ({ q }: Worked) => q.length > 0;

/** A number that can be worked with, or null. */
export function entryOf(typed: string): number | null {
  const value = numberOf(typed.replace("\u2212", "-"));
  return value === null || Math.abs(value) > MOST ? null : Number(value.toFixed(DECIMALS));
}

/** Whether a number that can be worked with may still come of what was typed, as of "-" or of nothing. */
export const isBeginning = (typed: string) => /^\s*[-\u2212]?[.,]?$/.test(typed);

/** An example with the numbers that an attribute writes; numbers that do not fit it leave it as it is. */
export function readWorked(example: Example, written: string, padding: number): Worked {
  const usual = examples[example];
  const numbers = written.trim() === "" ? [] : written.trim().split(/\s+/).map(entryOf);
  const given = numbers.filter((value) => value !== null);
  const whole = given.length === numbers.length && given.length > 0;
  let worked = usual;
  if (whole && !hasVectors(usual) && given.length <= MOST_POSITIONS) worked = { ...usual, score: given };
  const pairs = given.length / 2 - 1;
  if (whole && hasVectors(usual) && Number.isInteger(pairs) && pairs >= 1 && pairs <= MOST_POSITIONS) {
    worked = { ...usual, q: given.slice(0, 2), h: given.slice(2) };
  }
  const asked = padding < 0 ? usual.padding : padding;
  return { ...worked, padding: Math.min(asked, positionsOf(worked) - 1) };
}

/** Empty for the example's own numbers. */
export function writeWorked(example: Example, { score, q, h }: Worked): string {
  const written = [...score, ...q, ...h].join(" ");
  const usual = examples[example];
  return written === [...usual.score, ...usual.q, ...usual.h].join(" ") ? "" : written;
}

/** Entry `at` of the list of scores, query or states changed. */
export const withEntry = (worked: Worked, list: "score" | "q" | "h", at: number, value: number): Worked => ({
  ...worked,
  [list]: worked[list].with(at, value),
});

/** One position more, with zeros, or one less, at the end. */
export function withPositions(worked: Worked, more: boolean): Worked {
  const change = (list: readonly number[], entries: number) =>
    more ? [...list, ...new Array<number>(entries).fill(0)] : list.slice(0, -entries);
  return hasVectors(worked) ? { ...worked, h: change(worked.h, 2) } : { ...worked, score: change(worked.score, 1) };
}

/** Scores beyond this have exponentials that a 32-bit number cannot hold, or holds badly. */
const PLAIN_UP_TO = 80;

/**
 * exp(score), for scores that were asked about together with a last one of 0: exp(score - largest) / exp(0 - largest).
 * Null where the exponentials do not fit.
 */
export function plainExponentials(scores: ArrayLike<number>, exponential: ArrayLike<number>): number[] | null {
  const one = exponential[exponential.length - 1] ?? 0;
  const fits = Array.from(scores).every((score) => Math.abs(score) <= PLAIN_UP_TO);
  return fits ? Array.from(exponential, (value) => value / one).slice(0, -1) : null;
}
