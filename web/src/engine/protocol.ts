// What travels between the page and the engine: a closed union of requests and of replies, plain data only.
import type {
  Alignment,
  AttentionStep,
  Decoding,
  Edits,
  ErrorCode,
  Failure,
  Inspection,
  Intervention,
  Measurement,
  ModelInfo,
  Plane,
  ProbeInfo,
  Sample,
  TeacherForced,
  TestOutputs,
  TestSplit,
} from "@wasm/softalign.mjs";

export type {
  Alignment,
  AttentionStep,
  DateFields,
  Decoding,
  Edits,
  Failure,
  Inspection,
  Intervention,
  Measurement,
  ModelInfo,
  Note,
  Plane,
  ProbeInfo,
  RowsEdit,
  Sample,
  TeacherForced,
  TestOutputs,
  TestRate,
  TestSplit,
} from "@wasm/softalign.mjs";

/** The module's codes and those that only a browser can meet. */
export type Code = ErrorCode | "NO_ENGINE" | "SUPERSEDED" | "CANCELLED";

export interface EngineInfo {
  target_vocabulary: string[];
  source_limit: number;
}

/** The test split, as `sample` takes it: a bucket of 500 sources for each K. */
export const BUCKETS = [1, 2, 3, 4] as const;
export const BUCKET_SIZE = 500;
export const SPLIT_SIZE = BUCKETS.length * BUCKET_SIZE;

/** Numbers as a call takes them. */
export type Numbers = number[] | Float32Array;

/** Every call: its arguments and what it gives back. */
export interface Calls {
  start: { args: { wasmBinary: Uint8Array<ArrayBuffer> }; result: EngineInfo };
  load: { args: { name: string; weights: Uint8Array }; result: ModelInfo };
  decode: { args: { model: string; text: string }; result: Decoding };
  inspect: { args: { model: string; text: string; t: number }; result: Inspection };
  sample: { args: { K: number; index: number }; result: Sample };
  intervene: { args: { model: string; text: string; edits: Edits }; result: Intervention };
  teacher_force: { args: { model: string; text: string; target: string }; result: TeacherForced };
  untrained: { args: { name: string; like: string; seed: number }; result: ModelInfo };
  load_probe: { args: { name: string; probe: Uint8Array; weights_sha256: string }; result: ProbeInfo };
  plane: { args: { model: string; text: string }; result: Plane };
  /** The next two need no model. */
  masked_attention: { args: { score: Numbers; h: Numbers; length: number }; result: AttentionStep };
  dot_product_attention: { args: { q: Numbers; h: Numbers; length: number }; result: AttentionStep };
  test_split: { args: Record<string, never>; result: TestSplit };
  decode_test: { args: { model: string; first: number; count: number }; result: TestOutputs };
  measure: { args: { outputs: string[] }; result: Measurement };
  align_test: { args: { model: string; first: number; count: number }; result: Int32Array };
  measure_alignment: { args: { positions: Int32Array }; result: Alignment };
}

export type CallName = keyof Calls;
export type Request<N extends CallName = CallName> = { [M in N]: { id: number; name: M; args: Calls[M]["args"] } }[N];
export type Result = Calls[CallName]["result"];
export type Reply = { id: number; result: Result } | { id: number; error: { code: Code; message: string } };

/** An error with a code from the list and a sentence to act on. */
export class EngineError extends Error {
  override readonly name = "EngineError";

  constructor(
    readonly code: Code,
    message: string,
  ) {
    super(message);
  }
}

export const failed = (failure: Failure) => new EngineError(failure.code, failure.message);
