// What the WebAssembly module offers to JavaScript: the typings of wasm/bindings.cpp, checked by tests/wasm.

export type ErrorCode =
  | "EMPTY"
  | "TOO_LONG"
  | "BAD_VALUE"
  | "BAD_WEIGHTS"
  | "WRONG_MODEL"
  | "NEWER_FORMAT"
  | "NO_MODEL"
  | "NO_FILE"
  | "CANNOT_WRITE"
  | "NO_DEVICE"
  | "NOT_FINITE"
  | "OUT_OF_MEMORY";

export interface Failure {
  code: ErrorCode;
  message: string;
}
export type Outcome<T> = { value: T } | { error: Failure };

/** What a loaded weights file turned out to be. */
export interface ModelInfo {
  name: string;
  score: "none" | "dot" | "general" | "additive";
  ordering: "luong" | "bahdanau";
  encoder: "uni" | "bi";
  d_emb: number;
  d_h: number;
  d_a: number;
  parameters: number;
  /** Training steps that the file's metadata states; 0 when it states none. */
  steps: number;
}

/** Something to know about a source that can still be read. */
export interface Note {
  code: "UNKNOWN_LETTER" | "OUTSIDE_TRAINING" | "UNTRAINED_FORM" | "IMPOSSIBLE_DATE" | "UNFINISHED";
  /** A whole sentence. */
  message: string;
  /** Code point range [start, end) of the text that it speaks of; empty range when it speaks of the whole. */
  start: number;
  end: number;
}

export interface Decoding {
  model: string;
  /** The S characters that the model read, one string per code point: the columns of alpha. */
  source: string[];
  /** Code point index in the typed text of each of them (unknown letters are skipped). */
  positions: number[];
  /** The T tokens written, "<eos>" included when reached: the rows of alpha. */
  tokens: string[];
  /** Ids of the tokens in `target_vocabulary`. */
  ids: number[];
  /** The answer as text: the tokens without <pad>, <bos>, <eos>. */
  output: string;
  /** False when the length limit came before <eos>. */
  finished: boolean;
  /** log P(output | source) in nats, summed over the tokens (Eq. 1). */
  log_prob: number;
  /** (T, S) row-major attention weights; null for the plain model. An owned copy. */
  alpha: Float32Array | null;
  /** (T, V) row-major P(token | tokens before it, source) (Eq. 4). An owned copy. */
  probabilities: Float32Array;
  /** The ISO dates that the text says, when it is in a trained form and possible; else null. */
  expected: string | null;
  /** Number of dates read by the grammar (not by the model), 0 when the text is not in a known form. */
  K: number;
  notes: Note[];
}

/** Token t of a decoding, unfolded: Eq. 9-11, 6 and 7. Every array is an owned copy. */
export interface Inspection {
  model: string;
  /** Which token of the answer, counted from 0. */
  t: number;
  S: number;
  d_h: number;
  /** (S) scores of the S characters (Eq. 9-11). */
  score: Float32Array;
  /** The largest score. */
  largest: number;
  /** (S) exp(score - largest). */
  exponential: Float32Array;
  /** Of the exponentials. */
  sum: number;
  /** (S) exponential / sum (Eq. 6): bit by bit row t of the decoding's alpha. */
  alpha: Float32Array;
  /** (S, d_h) row-major encoder states. */
  h: Float32Array;
  /** (d_h) the decoder state that asks. */
  s: Float32Array;
  /** (d_h) the sum of alpha_i h_i (Eq. 7). */
  h_bar: Float32Array;
}

/** What a model's outputs for the test split are worth; entry K - 1 of each list speaks of the sources with K dates. */
export interface Measurement {
  /** Sources. */
  n: number[];
  /** Share of the outputs that are right as a whole. */
  exact_match: number[];
  /** For k = 1..K the share of the outputs whose k-th date is right. */
  per_date: number[][];
  /** Share of the outputs that are K existing dates, right or wrong. */
  well_formed: number[];
}

export interface Sample {
  source: string;
  target: string;
  K: number;
  index: number;
}

export interface Session {
  /** Reads a safetensors file; the model is then known as `name`. On error the session keeps what it had. */
  load(name: string, weights: Uint8Array): Outcome<ModelInfo>;
  /** Greedy decoding of `text`. Errors: NO_MODEL, EMPTY, TOO_LONG (over 400 code points). */
  decode(name: string, text: string): Outcome<Decoding>;
  /** Token `t` of the greedy decoding of `text`. Also BAD_VALUE: for the plain model, and for a `t` outside the answer. */
  inspect(name: string, text: string, t: number): Outcome<Inspection>;
  /** Outputs for sources `first` to `first + count - 1` of the test split's 0 to 1999, at most 45 tokens long. */
  decode_test(name: string, first: number, count: number): Outcome<string[]>;
  /** What the 2,000 outputs of `decode_test`, in the order of the split, are worth. */
  measure(outputs: string[]): Outcome<Measurement>;
  /** Example `index` (0..499) of the test split's bucket `K` (1..4). */
  sample(K: number, index: number): Outcome<Sample>;
  /** A copy of a loaded weight, by its state_dict name. */
  weight(name: string, parameter: string): Outcome<Float32Array>;
  /** Frees the C++ object; call it once. */
  delete(): void;
}

export interface SoftalignModule {
  Session: { new (): Session };
  /** ["<pad>", "<bos>", "<eos>", "0", ..., "9", "-", " "]: the columns of `probabilities`. */
  target_vocabulary(): string[];
  /** Longest source in code points (400). */
  source_limit(): number;
  HEAPU8: Uint8Array;
}

declare const createSoftalign: (options: { wasmBinary: ArrayBuffer | Uint8Array }) => Promise<SoftalignModule>;
export default createSoftalign;
