// Measures a model on the test split: what its outputs are worth, and where its attention looks.
import type { Gate } from "./gate.ts";
import type { Line } from "./line.ts";
import { type Alignment, BUCKET_SIZE, BUCKETS, type Measurement, SPLIT_SIZE, type TestOutputs } from "./protocol.ts";
import { ANSWER_LIMIT_MS, type Crew, type Job, Slices, type Subject } from "./slices.ts";

export type { Crew, Recipe, Subject } from "./slices.ts";

/** How far a measurement is; entry K - 1 of a list speaks of the sources with K dates. */
export interface Progress {
  done: number;
  total: number;
  /** Sources done. */
  n: number[];
}
export interface OutputProgress extends Progress {
  /** Those of them whose whole output is right. */
  right: number[];
}

export interface Options<P extends Progress> {
  onProgress?: ((progress: P) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** While it is held, no new slice is begun. */
  pause?: Gate | undefined;
}

interface Effort {
  /** From the call to the result, starting of engines included, pauses left out. */
  seconds: number;
  /** Workers that took part; 0 when the page did it by itself. */
  workers: number;
}

export interface Measured extends Measurement, Effort {
  /** For each source of the test split, in its order. */
  outputs: string[];
  /** 1 where the whole output is the target. */
  right: Uint8Array;
}
export interface MeasuredAlignment extends Alignment, Effort {
  /** Sources. */
  n: number[];
}

type Tell<P extends Progress> = Options<P> & { signal: AbortSignal };

const bucketOf = (first: number) => Math.floor(first / BUCKET_SIZE);
const nothing = () => BUCKETS.map(() => 0);

/** Runs a job over the whole split; the signal ends it at once, with its reason. No engine of it is left when it settles. */
async function run<Part, Result>(
  crew: Crew,
  job: Job<Part>,
  conclude: (parts: Part[], line: Line) => Promise<Result>,
): Promise<Result & Effort> {
  const { signal, pause } = job;
  signal.throwIfAborted();
  const begin = performance.now() - (pause?.heldMs ?? 0);
  const slices = new Slices(crew, job);
  const close = () => slices.close();
  signal.addEventListener("abort", close);
  try {
    const { parts, line } = await slices.all();
    const result = await conclude(parts, line);
    const seconds = (performance.now() - (pause?.heldMs ?? 0) - begin) / 1000;
    return { ...result, seconds, workers: slices.workers };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", close);
    slices.close();
  }
}

const count = (flags: Uint8Array) => flags.reduce((sum, flag) => sum + flag, 0);

export function measureModel(crew: Crew, subject: Subject, tell: Tell<OutputProgress>): Promise<Measured> {
  const { signal, pause, onProgress } = tell;
  const [n, right] = [nothing(), nothing()];
  const job: Job<TestOutputs> = {
    subject,
    signal,
    pause,
    ask: (line, first, count) => line.call("decode_test", { model: subject.model, first, count }, ANSWER_LIMIT_MS),
    onSlice: (done, first, parts) => {
      const k = bucketOf(first);
      for (const part of parts) {
        n[k] = (n[k] ?? 0) + part.outputs.length;
        right[k] = (right[k] ?? 0) + count(part.right);
      }
      onProgress?.({ done, total: SPLIT_SIZE, n: [...n], right: [...right] });
    },
  };
  return run(crew, job, async (parts, line) => {
    const outputs = parts.flatMap((part) => part.outputs);
    const measurement = await line.call("measure", { outputs }, ANSWER_LIMIT_MS);
    return { ...measurement, outputs, right: Uint8Array.from(parts.flatMap((part) => [...part.right])) };
  });
}

export function measureAlignment(crew: Crew, subject: Subject, tell: Tell<Progress>): Promise<MeasuredAlignment> {
  const { signal, pause, onProgress } = tell;
  const n = nothing();
  const job: Job<Int32Array> = {
    subject,
    signal,
    pause,
    ask: (line, first, count) => line.call("align_test", { model: subject.model, first, count }, ANSWER_LIMIT_MS),
    onSlice: (done, first) => {
      const k = bucketOf(first);
      n[k] = (n[k] ?? 0) + done - n.reduce((sum, each) => sum + each, 0);
      onProgress?.({ done, total: SPLIT_SIZE, n: [...n] });
    },
  };
  return run(crew, job, async (parts, line) => {
    const positions = Int32Array.from(parts.flatMap((part) => [...part]));
    return { ...(await line.call("measure_alignment", { positions }, ANSWER_LIMIT_MS)), n };
  });
}
