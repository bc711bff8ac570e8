// What the WebAssembly module offers to JavaScript: the typings of its bindings, checked by tests/wasm.

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
  encoder: "uni" | "bi" | "reversed";
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

/** Where a source writes one date: columns of alpha, [start, end). */
export interface DateFields {
  date: [number, number];
  year: [number, number];
  month: [number, number];
  /** With its ordinal suffix. */
  day: [number, number];
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
  /** Where each date stands, by the grammar; null where it does not understand the whole text, or cannot tell which date it is. */
  fields: DateFields[] | null;
  notes: Note[];
}

/** An edit of the weights that the tokens `first` to `last` of the answer, counted from 0, are written with. */
export interface RowsEdit {
  first: number;
  last: number;
  /**
   * one_hot: all on `position`, or on the row's own largest where that is -1 or not given. uniform: the same on every
   * character. shift: moved `by` characters to the right. temperature: softmax(score / `temperature`). row: the weights
   * of `row`, made to sum to 1. none: no weight at all, so that the context is 0.
   */
  kind: "one_hot" | "uniform" | "shift" | "temperature" | "row" | "none";
  position?: number;
  by?: number;
  temperature?: number;
  row?: ArrayLike<number>;
}

export interface Edits {
  /** Where two meet, the later one counts. */
  rows?: RowsEdit[];
  /** The beginning of the answer, written in place of what the model would write. */
  prefix?: string;
}

/** A decoding with edits. */
export interface Intervention extends Decoding {
  /** (T, S) what the states were read through, where alpha is what the model computed; null without edited rows. */
  alpha_read: Float32Array | null;
}

/** An output of a beam search. */
export interface Hypothesis {
  /** With "<eos>" when finished. */
  tokens: string[];
  ids: number[];
  output: string;
  /** False when the length limit came before <eos>. */
  finished: boolean;
  /** Its value: log P(output | source) in nats. */
  log_prob: number;
  /** log_prob / number of tokens, <eos> counted. */
  value_per_length: number;
  /** Its last token's node in the tree. */
  node: number;
}

/** Every candidate that a beam search considered, step by step: one entry a node in each list. Owned copies. */
export interface BeamTree {
  /** Id in `target_vocabulary`. */
  token: Int32Array;
  /** Log-probability of all tokens up to here. */
  value: Float64Array;
  /** The node before it; -1 for the first tokens. */
  parent: Int32Array;
  /** Tokens up to here. */
  length: Int32Array;
  /** 1 where it was among the B best of its step, else 0. */
  kept: Uint8Array;
  /** 1 where it was kept and is <eos>. */
  finished: Uint8Array;
}

export interface Beam {
  model: string;
  /** As in Decoding, and so are positions, expected, K and notes. */
  source: string[];
  positions: number[];
  B: number;
  /** Whether outputs are compared by log_prob rather than by value_per_length. */
  plain_values: boolean;
  /** Best first, no two of the same text. */
  best: Hypothesis[];
  tree: BeamTree;
  expected: string | null;
  K: number;
  notes: Note[];
}

/**
 * Token t of a decoding, unfolded: Eq. 3, 9-11, 6, 7, 8 and 4. Every array is an owned copy; what the model does not
 * compute is empty (without attention all from `q` to `h_bar` but `h` and `s`; without Eq. 8 `s_tilde`).
 */
export interface Inspection {
  model: string;
  /** Which token of the answer, counted from 0. */
  t: number;
  /** That token. */
  token: string;
  S: number;
  V: number;
  d_h: number;
  /** Entries of each encoder state: d_h, or twice that for a bi encoder. */
  d_enc: number;
  /** Entries of q and of each row of k. */
  d_k: number;
  /** (d_k) what the score compares: W_q s, or s itself. */
  q: Float32Array;
  /** (S, d_k) row-major, with: W_k h_i, W_a h_i, or h_i itself. */
  k: Float32Array;
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
  /** (S) what the states are read through: alpha, or what an edit made of it. */
  alpha_read: Float32Array;
  /** (S, d_enc) row-major encoder states (Eq. 2). */
  h: Float32Array;
  /** (d_h) the decoder state that asks: s_t, or s_{t-1} in the bahdanau ordering, which attends before the cell. */
  s: Float32Array;
  /** (d_enc) the sum of alpha_read_i h_i (Eq. 7). */
  h_bar: Float32Array;
  /** (d_h) the state after the cell (Eq. 3): s itself, but for the bahdanau ordering. */
  s_t: Float32Array;
  /** (d_h) tanh(W_c [s_t; h_bar] + b_c) (Eq. 8). */
  s_tilde: Float32Array;
  /** (V) logits (Eq. 4), of s_tilde, or of s_t where there is no s_tilde. */
  z: Float32Array;
  /** (V) log softmax(z). */
  log_probs: Float32Array;
}

/** A given target, scored under teacher forcing: each token after the right ones before it (Eq. 5). */
export interface TeacherForced {
  model: string;
  /** As in Decoding, and so are positions, alpha and probabilities. */
  source: string[];
  positions: number[];
  /** The T tokens of the target, with "<eos>". */
  tokens: string[];
  ids: number[];
  /** (T) what the decoder is given at each step: "<bos>", then the target shifted right. */
  tgt_in: string[];
  /** (T) the most probable token of each step. */
  predicted: string[];
  /** (T) -log P(y_t | y_<t, source) in nats. */
  loss: Float32Array;
  /** Of the losses: -log P(target | source) in nats. */
  sum: number;
  /** sum / T: nats per token. */
  mean: number;
  alpha: Float32Array | null;
  probabilities: Float32Array;
}

/** The plane of a probe: where a model's states differ most. */
export interface ProbeInfo {
  /** Share of the variance along each axis. */
  explained: [number, number];
  /** Entries of the states that it draws. */
  d: number;
}

/** What the score compares in a greedy decoding, drawn in the plane of the model's probe. */
export interface Plane {
  model: string;
  /** As in Decoding, and so are positions, tokens and alpha. */
  source: string[];
  positions: number[];
  tokens: string[];
  /** (S, 2) the keys W_k h_i, W_a h_i or h_i. */
  k: Float32Array;
  /** (T, 2) the queries W_q s or s, of the states that ask. */
  q: Float32Array;
  alpha: Float32Array | null;
  explained: [number, number];
}

/** One step of attention on plain arrays. Owned copies. */
export interface AttentionStep {
  S: number;
  /** Entries of each state. */
  d: number;
  /** (S) as given, or q . h_i (Eq. 9); padding has one, too. */
  score: Float32Array;
  /** The largest of the scores up to the length. */
  largest: number;
  /** (S) exp(score - largest), 0 on padding. */
  exponential: Float32Array;
  /** Of the exponentials. */
  sum: number;
  /** (S) exponential / sum (Eq. 6), exactly 0 on padding. */
  alpha: Float32Array;
  /** (d) the sum of alpha_i h_i (Eq. 7). */
  h_bar: Float32Array;
}

/** The test split, 500 examples for each K from 1 to 4, in this order. */
export interface TestSplit {
  sources: string[];
  targets: string[];
}

/** Outputs for sources of the test split. */
export interface TestOutputs {
  outputs: string[];
  /** 1 where the whole output is the target. */
  right: Uint8Array;
}

/** A rate over the test split's digits, `tol` positions beyond the span allowed. */
export interface TestRate {
  /** Of all examples, by tol from 0 to 2. */
  all: number[];
  /** [tol][K - 1]: of the examples with K dates. */
  by_K: number[][];
}

/** Where attention looks under teacher forcing: see the metrics of `softalign evaluate`. */
export interface Alignment {
  /** Share of the digits whose largest weight lies in their date. 1 at K = 1, where the date is the source. */
  alignment_hit_rate: TestRate;
  /** Share of the digits whose largest weight lies in their year, month or day. */
  field_hit_rate: TestRate;
  /** What positions drawn uniformly would reach in each. */
  chance_hit_rate: TestRate;
  chance_field_rate: TestRate;
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
  /** Greedy decoding with edited weights or a forced beginning. Also BAD_VALUE: where the model or the text lacks what is edited. */
  intervene(name: string, text: string, edits: Edits): Outcome<Intervention>;
  /** Beam search with `B` hypotheses, 1 to 100; `n_best` outputs, 1 to B. Also BAD_VALUE, OUT_OF_MEMORY. */
  beam(name: string, text: string, B: number, n_best: number, plain_values: boolean): Outcome<Beam>;
  /** Token `t` of the greedy decoding of `text`, with edits where they are given. Also BAD_VALUE: for a `t` outside the answer. */
  inspect(name: string, text: string, t: number, edits?: Edits): Outcome<Inspection>;
  /**
   * An untrained model, then known as `name`, of the kind and sizes of the loaded model `like`: its weights are drawn from
   * `seed`, a whole number, as training with that seed draws them at its start. Errors: NO_MODEL, BAD_VALUE.
   */
  untrained(name: string, like: string, seed: number): Outcome<ModelInfo>;
  /**
   * Reads the .probe.safetensors file of the loaded model `name`, which forgets it when it is loaded again. WRONG_MODEL when
   * the probe was fitted to other weights than the file of this SHA-256, in lower-case hexadecimal digits; the caller knows
   * it, and where it is empty nothing is compared.
   */
  load_probe(name: string, probe: Uint8Array, weights_sha256: string): Outcome<ProbeInfo>;
  /** Greedy decoding of `text`, drawn in the plane of the probe. Also NO_MODEL where there is no probe. */
  plane(name: string, text: string): Outcome<Plane>;
  /**
   * Scores `target`, an output such as `2021-03-03`, to which <eos> is added. Also BAD_VALUE: when it is empty, has another
   * character than outputs have, or is longer than 127.
   */
  teacher_force(name: string, text: string, target: string): Outcome<TeacherForced>;
  /** All of the test split. */
  test_split(): TestSplit;
  /** Outputs for sources `first` to `first + count - 1` of the test split's 0 to 1999, at most 45 tokens long. */
  decode_test(name: string, first: number, count: number): Outcome<TestOutputs>;
  /** What the 2,000 outputs of `decode_test`, in the order of the split, are worth. */
  measure(outputs: string[]): Outcome<Measurement>;
  /**
   * Under teacher forcing, for the same examples, the position of the largest weight for each character of the target,
   * <eos> left out, one example behind the other. Also BAD_VALUE for a model without attention.
   */
  align_test(name: string, first: number, count: number): Outcome<Int32Array>;
  /** What such positions for all of the test split are worth. BAD_VALUE when one is missing or outside its source. */
  measure_alignment(positions: ArrayLike<number>): Outcome<Alignment>;
  /** Example `index` (0..499) of the test split's bucket `K` (1..4). */
  sample(K: number, index: number): Outcome<Sample>;
  /** A copy of a loaded weight, by its state_dict name. */
  weight(name: string, parameter: string): Outcome<Float32Array>;
  /** Frees the C++ object; call it once. */
  delete(): void;
}

export interface SoftalignModule {
  Session: { new (): Session };
  /**
   * Eq. 6 and 7 on plain arrays: `score` (S), `h` (S, d) row-major; positions from `length` on are padding. BAD_VALUE for
   * shapes that do not fit, more than 400 states or 256 entries, and numbers that are not finite.
   */
  masked_attention(score: ArrayLike<number>, h: ArrayLike<number>, length: number): Outcome<AttentionStep>;
  /** Eq. 9 first: `q` (d), `h` (S, d). */
  dot_product_attention(q: ArrayLike<number>, h: ArrayLike<number>, length: number): Outcome<AttentionStep>;
  /** ["<pad>", "<bos>", "<eos>", "0", ..., "9", "-", " "]: the columns of `probabilities`. */
  target_vocabulary(): string[];
  /** Longest source in code points (400). */
  source_limit(): number;
  HEAPU8: Uint8Array;
}

declare const createSoftalign: (options: { wasmBinary: ArrayBuffer | Uint8Array }) => Promise<SoftalignModule>;
export default createSoftalign;
