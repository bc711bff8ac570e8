// Measures a model on the test split: several engines decode slices of it at once, and one says what they wrote is worth.
import { type Line, START_LIMIT_MS } from "./line.ts";
import { type Measurement, SPLIT_SIZE } from "./protocol.ts";

/** Sources that a worker decodes between two replies: few enough that progress moves, many enough that posting is nothing. */
const SLICE = 50;

/** On the page itself an engine gives the thread back after so long, so that with one more source a frame is kept. */
const PAGE_TURN_MS = 8;

/** A worker that is silent for so long in the middle of its work is given up, and its slice is done elsewhere. */
const ANSWER_LIMIT_MS = 10_000;

/** Engines for one measurement, each with a module and weights of its own. */
export interface Crew {
  /** Workers at most. */
  size: number;
  /** Makes a line to a new worker, or none where the document may not have one. */
  worker(): Line | undefined;
  /** Makes a line to a new engine on the page. */
  page(): Promise<Line>;
}

export interface Subject {
  wasmBinary: Uint8Array<ArrayBuffer>;
  model: string;
  weights: Uint8Array;
}

export type OnProgress = (done: number, total: number) => void;

export interface Measured extends Measurement {
  /** From the call to the result, starting of engines included. */
  seconds: number;
  /** Workers that took part; 0 when the page decoded by itself. */
  workers: number;
}

/** Lets the page's other tasks run; unlike a timer, it is not held back in a hidden tab. */
function otherTasks(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

class Run {
  #lines = new Set<Line>();
  #workers = new Set<Line>();
  #waiting = Array.from({ length: Math.ceil(SPLIT_SIZE / SLICE) }, (_, k) => k * SLICE);
  #outputs: string[] = Array.from({ length: SPLIT_SIZE }, () => "");
  #done = 0;
  #turnBegan = 0;
  #finish: (line: Line) => void = () => {};
  #finished = new Promise<Line>((resolve) => {
    this.#finish = resolve;
  });

  constructor(
    readonly crew: Crew,
    readonly subject: Subject,
    readonly signal: AbortSignal,
    readonly onProgress: OnProgress | undefined,
  ) {}

  async measure(): Promise<Measured> {
    const begin = performance.now();
    const line = await this.#decodeAll();
    const measurement = await line.call("measure", { outputs: this.#outputs }, ANSWER_LIMIT_MS);
    return { ...measurement, seconds: (performance.now() - begin) / 1000, workers: this.#workers.size };
  }

  /** Ends every engine, in the middle of a slice if need be. */
  close() {
    for (const line of this.#lines) line.close();
  }

  /** Decodes on workers, and what they leave on the page; gives the line that did the last slice. */
  async #decodeAll(): Promise<Line> {
    const workers = Array.from({ length: this.crew.size }, () => this.crew.worker()).filter(
      (line) => line !== undefined,
    );
    // A worker that keeps silent is not waited for when the others have done it all.
    await Promise.race([this.#finished, Promise.allSettled(workers.map((line) => this.#work(line)))]);
    this.signal.throwIfAborted();
    if (this.#done < SPLIT_SIZE) await this.#work(await this.crew.page());
    return this.#finished;
  }

  async #work(line: Line) {
    this.#lines.add(line);
    if (this.signal.aborted) line.close();
    const { wasmBinary, model, weights } = this.subject;
    await line.call("start", { wasmBinary }, START_LIMIT_MS);
    await line.call("load", { name: model, weights }, ANSWER_LIMIT_MS);
    for (let first = this.#waiting.shift(); first !== undefined; first = this.#waiting.shift()) {
      const outputs = await this.#decode(line, first).catch((error: unknown) => {
        this.#waiting.unshift(first);
        throw error;
      });
      this.#take(line, first, outputs);
    }
  }

  #take(line: Line, first: number, outputs: string[]) {
    this.#outputs.splice(first, outputs.length, ...outputs);
    this.#done += outputs.length;
    if (line.kind === "worker") this.#workers.add(line);
    this.onProgress?.(this.#done, SPLIT_SIZE);
    if (this.#done === SPLIT_SIZE) this.#finish(line);
  }

  #decode(line: Line, first: number): Promise<string[]> {
    const count = Math.min(SLICE, SPLIT_SIZE - first);
    return line.kind === "worker" ? this.#ask(line, first, count) : this.#decodeInTurns(line, first, count);
  }

  #ask(line: Line, first: number, count: number): Promise<string[]> {
    return line.call("decode_test", { model: this.subject.model, first, count }, ANSWER_LIMIT_MS);
  }

  async #decodeInTurns(line: Line, first: number, count: number): Promise<string[]> {
    const outputs: string[] = [];
    while (outputs.length < count) {
      if (performance.now() - this.#turnBegan > PAGE_TURN_MS) {
        await otherTasks();
        this.#turnBegan = performance.now();
      }
      outputs.push(...(await this.#ask(line, first + outputs.length, 1)));
    }
    return outputs;
  }
}

/** Measures a model; the signal ends it at once, with its reason. Every engine that it made is gone when it settles. */
export async function measureModel(
  crew: Crew,
  subject: Subject,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<Measured> {
  signal.throwIfAborted();
  const run = new Run(crew, subject, signal, onProgress);
  const close = () => run.close();
  signal.addEventListener("abort", close);
  try {
    return await run.measure();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", close);
    run.close();
  }
}
