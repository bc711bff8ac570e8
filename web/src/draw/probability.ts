// From the probabilities of one decoding to the rows of a table: every token at every step, the largest marked.
import { probabilityRamp } from "./ramp.ts";

export interface ProbabilityData {
  /** T tokens written. */
  tokens: readonly string[];
  ids: readonly number[];
  /** (T, V) row-major. */
  probabilities: Float32Array;
}

export interface ProbabilityCell {
  token: number;
  probability: number;
  /** The token that greedy decoding took. */
  taken: boolean;
  /** Shade of the cell, 0 to SHADES. */
  shade: number;
}

/** Shades are classes of a fixed stylesheet, since strict pages forbid inline styles. */
export const SHADES = 50;

export function probabilityRows(data: ProbabilityData, V: number): ProbabilityCell[][] {
  return data.tokens.map((_, t) =>
    Array.from({ length: V }, (_, token) => {
      const probability = data.probabilities[t * V + token] ?? 0;
      return { token, probability, taken: data.ids[t] === token, shade: Math.round(probability * SHADES) };
    }),
  );
}

/** The stylesheet of the shades. */
export const shadeRules = () =>
  Array.from({ length: SHADES + 1 }, (_, shade) => {
    const p = shade / SHADES;
    return `.shade-${shade}{background:${probabilityRamp.colour(p)};color:${probabilityRamp.label(p)}}`;
  }).join("");
