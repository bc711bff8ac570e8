// Eq. 1 of one decoding: the factor of every token written, their running product, and where the year of a date went.
import { scaleLinear } from "d3-scale";
import { area, curveBumpY } from "d3-shape";
import { codePoints, decimals, isSpace, visible } from "./characters.ts";

export interface Candidate {
  token: string;
  probability: number;
}

/** One factor P(y_t | y_<t, x). */
export interface Factor {
  /** From 0. */
  index: number;
  token: string;
  /** The tokens before it, y_<t. */
  before: readonly string[];
  probability: number;
  /** Of all the factors up to this one. */
  product: number;
}

interface Written {
  tokens: readonly string[];
  ids: readonly number[];
  /** (T, V) row-major. */
  probabilities: Float32Array;
}

const rowOf = ({ tokens, probabilities }: Written, t: number) => {
  const V = probabilities.length / tokens.length;
  return probabilities.subarray(t * V, (t + 1) * V);
};

export function factorsOf(written: Written): Factor[] {
  let product = 1;
  return written.tokens.map((token, index) => {
    const probability = rowOf(written, index)[written.ids[index] ?? 0] ?? 0;
    product *= probability;
    return { index, token, before: written.tokens.slice(0, index), probability, product };
  });
}

/** The likeliest tokens at step t beside the one taken. */
export function runnersUp(written: Written, t: number, vocabulary: readonly string[], count: number): Candidate[] {
  const taken = written.ids[t];
  return Array.from(rowOf(written, t), (probability, id) => ({ id, token: vocabulary[id] ?? "", probability }))
    .filter(({ id }) => id !== taken)
    .sort((one, other) => other.probability - one.probability)
    .slice(0, count)
    .map(({ token, probability }) => ({ token, probability }));
}

/** A run of the same characters in source and output; positions from 0. */
export interface Move {
  characters: string;
  from: number;
  to: number;
}

const YEAR = 4;

/** Where the year of each date stands in the source and in the output; dates come in the order of the source. */
export function yearsMoved(source: readonly string[], output: string): Move[] {
  const written = codePoints(output);
  const starts = written.flatMap((_, at) => (at === 0 || isSpace(written[at - 1] ?? "") ? [at] : []));
  const moves: Move[] = [];
  let after = 0;
  for (const to of starts) {
    const characters = written.slice(to, to + YEAR).join("");
    const from = source.findIndex((_, at) => at >= after && source.slice(at, at + YEAR).join("") === characters);
    if (!/^\d{4}$/.test(characters) || from < 0) continue;
    moves.push({ characters, from, to });
    after = from + YEAR;
  }
  return moves;
}

/** The factors one below the other: a bar from 0 to 1 for each, its number, and the product so far. */
export const LIST = {
  width: 336,
  row: 23,
  top: 24,
  number: 20,
  token: 30,
  bar: 84,
  barWidth: 108,
  factor: 256,
  end: 328,
};

export const listHeight = (T: number) => LIST.top + T * LIST.row + 2;
export const rowTop = (index: number) => LIST.top + index * LIST.row;
export const barLength = scaleLinear([0, 1], [0, LIST.barWidth]).clamp(true);

/** The row at a height of the list. */
export const rowAt = (y: number, T: number) => Math.min(Math.max(Math.floor((y - LIST.top) / LIST.row), 0), T - 1);

/** Source above target, a cell a token, in which a factor's conditions are marked. */
export const STRIP = { left: 24, cell: 21, box: 24, source: 4, target: 62, height: 90 };

export interface StripCell {
  text: string;
  x: number;
  width: number;
}

/** Cells from left to right; a control token such as `<eos>` takes the room of two characters. */
export function stripCells(tokens: readonly string[]): StripCell[] {
  let x = STRIP.left;
  return tokens.map((token) => {
    const cell = { text: visible(token), x, width: STRIP.cell * (codePoints(token).length > 1 ? 2 : 1) };
    x += cell.width;
    return cell;
  });
}

const ribbon = area<readonly [number, number, number]>()
  .x0(([x0]) => x0)
  .x1(([, x1]) => x1)
  .y(([, , y]) => y)
  .curve(curveBumpY);

/** From the characters in the source to the same characters in the output. */
export function moveRibbon({ characters, from, to }: Move): string {
  const { left, cell, box, source, target } = STRIP;
  const edges = (at: number): [number, number] => [left + cell * at, left + cell * (at + characters.length)];
  return (
    ribbon([
      [...edges(from), source + box],
      [...edges(to), target],
    ]) ?? ""
  );
}

export const stripWidth = (cells: readonly StripCell[]) => {
  const last = cells.at(-1);
  return last ? last.x + last.width + 2 : STRIP.left;
};

/** How a probability is printed: one that is not 1 never looks like it, and none looks like 0. */
export function probabilityText(p: number): { relation: "=" | ">" | "<"; digits: string } {
  const digits = decimals(p, 6);
  if (p < 1 && Number(digits) === 1) return { relation: ">", digits: "0.999999" };
  if (p > 0 && Number(digits) === 0) return { relation: "<", digits: "0.000001" };
  return { relation: "=", digits };
}
