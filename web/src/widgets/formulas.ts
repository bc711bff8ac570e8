// The equations of the attention step as MathML, with the step and the position of one cell in their places.
import { html, mathml, type TemplateResult } from "lit";
import { type Printed, printed } from "../draw/characters.ts";
import type { ModelInfo } from "../engine/protocol.ts";

/** The cell that a formula speaks of; both count from 1, as in the equations. */
export interface Place {
  t: number;
  i: number;
  ordering: ModelInfo["ordering"];
}

function powerOfTen({ digits, exponent }: Printed) {
  if (exponent === null) return mathml`<mn>${digits}</mn>`;
  const power = String(exponent).replace("-", "\u2212");
  return mathml`<mrow><mn>${digits}</mn><mo>\u00d7</mo><msup><mn>10</mn><mn>${power}</mn></msup></mrow>`;
}

/**
 * Significant digits of a score, of an exponential or a sum of them, and of a weight. Each step prints fewer than the
 * one before, so that a reader who calculates with the printed numbers arrives at the printed result.
 */
const SCORE = 7;
const EXPONENTIAL = 5;
const WEIGHT = 4;

const number = (x: number, digits: number) => powerOfTen(printed(x, digits));

/** Apart from what it is equal to, so that a narrow page can break the line there. */
const equals = (x: number, digits: number) => html`<math><mo>=</mo>${number(x, digits)}</math>`;

/** A negative number in brackets, where a sign stands before it. */
const bracketed = (x: number, digits: number) =>
  x < 0 ? mathml`<mrow><mo>(</mo>${number(x, digits)}<mo>)</mo></mrow>` : number(x, digits);

/** The state that asks: that of the step itself, or, in Bahdanau's ordering, of the one before. */
const query = ({ t, ordering }: Place) =>
  mathml`<msub class="target"><mi>s</mi><mn>${ordering === "bahdanau" ? t - 1 : t}</mn></msub>`;
const queryTransposed = ({ t, ordering }: Place) =>
  mathml`<msubsup class="target"><mi>s</mi><mn>${ordering === "bahdanau" ? t - 1 : t}</mn><mi class="upright">T</mi></msubsup>`;
const state = ({ i }: Place) => mathml`<msub class="source"><mi>h</mi><mn>${i}</mn></msub>`;
const weight = ({ t, i }: Place) =>
  mathml`<msub class="attention"><mi>\u03b1</mi><mrow><mn>${t}</mn><mo separator="true">,</mo><mn>${i}</mn></mrow></msub>`;
const matrix = (letter: string, of: string) => mathml`<msub><mi>${letter}</mi><mi>${of}</mi></msub>`;
const context = ({ t }: Place) =>
  mathml`<msub class="attention"><mover><mi>h</mi><mo>\u00af</mo></mover><mn>${t}</mn></msub>`;

/** The score of each kind of model (Eq. 9, 10 and 11). */
const scores: Record<Exclude<ModelInfo["score"], "none">, { equation: number; body: (at: Place) => TemplateResult }> = {
  dot: { equation: 9, body: (at) => mathml`${queryTransposed(at)}${state(at)}` },
  general: { equation: 10, body: (at) => mathml`${queryTransposed(at)}${matrix("W", "a")}${state(at)}` },
  additive: {
    equation: 11,
    body: (at) =>
      mathml`<msup><mi>u</mi><mi class="upright">T</mi></msup><mi class="upright">tanh</mi><mrow><mo>(</mo>${matrix("W", "q")}${query(at)}<mo>+</mo>${matrix("W", "k")}${state(at)}<mo>)</mo></mrow>`,
  },
};

export const scoreEquation = (score: ModelInfo["score"]) => (score === "none" ? 0 : scores[score].equation);

export const scoreFormula = (score: ModelInfo["score"], at: Place, value: number) =>
  html`<math>${score === "none" ? null : scores[score].body(at)}</math> ${equals(value, SCORE)}`;

export const exponentialFormula = (score: number, largest: number, value: number) =>
  html`<math><mi class="upright">exp</mi><mrow><mo>(</mo>${number(score, SCORE)}<mo>\u2212</mo>${bracketed(largest, SCORE)}<mo>)</mo></mrow></math> ${equals(value, EXPONENTIAL)}`;

export const sumFormula = (value: number) => html`<math>${number(value, EXPONENTIAL)}</math>`;

export const weightFormula = (at: Place, exponential: number, sum: number, alpha: number) =>
  html`<math displaystyle="true">${weight(at)}<mo>=</mo><mfrac>${number(exponential, EXPONENTIAL)}${number(sum, EXPONENTIAL)}</mfrac></math> ${equals(alpha, WEIGHT)}`;

export const partSymbol = (at: Place) => html`<math>${weight(at)}${state(at)}</math>`;
export const contextSymbol = (at: Place) => html`<math>${context(at)}</math>`;
