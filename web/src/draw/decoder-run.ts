// What the decoder is fed and what it predicts at each step: under teacher forcing, or going on from its own output.
import { codePoints } from "./characters.ts";

/** A token that the decoder is made to predict. */
export interface Made {
  /** From 1. */
  step: number;
  token: string;
}

export interface DecoderStep {
  /** From 1. */
  t: number;
  /** The token whose embedding is the input, y_{t-1}. */
  fed: string;
  /** What stands as the prediction of this step. */
  predicted: string;
  /** Whether that was made so and is not the model's own. */
  made: boolean;
  /** The likeliest token by the model, and its probability. */
  own: string;
  probability: number;
  /** The target's token; null beyond its end or without a target. */
  correct: string | null;
}

/** Tokens that a model can be made to predict: what an output text is made of. */
export const WRITABLE: readonly string[] = [...codePoints("0123456789-"), " "];

/** `2:7`: step 2 predicts 7. Null for anything else. */
export function readMade(written: string): Made | null {
  const [, step = "", token = ""] = written.match(/^(\d{1,3}):(.)$/u) ?? [];
  return Number(step) > 0 && WRITABLE.includes(token) ? { step: Number(step), token } : null;
}

export const writeMade = ({ step, token }: Made) => `${step}:${token}`;

/** Characters of a target that can be scored at most. */
const LONGEST_TARGET = 127;

/** What is forced on the decoder: the right answer or, where none is known, the model's own; empty where there is neither. */
export const targetOf = ({ expected, output }: { expected: string | null; output: string }) =>
  (expected ?? output).slice(0, LONGEST_TARGET);

interface Probabilities {
  /** T tokens. */
  tokens: readonly string[];
  /** (T, V) row-major. */
  probabilities: Float32Array;
}

/** The likeliest token at step t, counted from 0. */
function likeliest({ tokens, probabilities }: Probabilities, t: number, vocabulary: readonly string[]) {
  const V = probabilities.length / tokens.length;
  const row = probabilities.subarray(t * V, (t + 1) * V);
  const probability = Math.max(...row);
  return { own: vocabulary[row.indexOf(probability)] ?? "", probability };
}

/**
 * The steps of one pass. `fed` holds the inputs: the target shifted right, or the tokens written. Made to predict something
 * else, a step's prediction changes and nothing more: what that does to the inputs is for whoever computed them.
 */
export function decoderSteps(
  run: Probabilities & { tgt_in: readonly string[] },
  target: readonly string[],
  vocabulary: readonly string[],
  made: Made | null,
): DecoderStep[] {
  return run.tgt_in.map((fed, index) => {
    const { own, probability } = likeliest(run, index, vocabulary);
    const madeHere = made?.step === index + 1 && made.token !== own;
    const predicted = madeHere ? made.token : own;
    return { t: index + 1, fed, predicted, made: madeHere, own, probability, correct: target[index] ?? null };
  });
}

/** What a free run was fed: the start, then each token that it had written. */
export const shiftedRight = (tokens: readonly string[]) => ["<bos>", ...tokens.slice(0, -1)];

export const isWrong = (token: string, correct: string | null) => correct !== null && token !== correct;

/** The beginning of the answer up to a token that is made. */
export const prefixOf = (tokens: readonly string[], { step, token }: Made) =>
  [...tokens.slice(0, step - 1), token].join("");
