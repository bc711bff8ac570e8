// Shares slices of the test split out among several engines, whatever becomes of them, and collects what they give.
import type { Gate } from "./gate.ts";
import { type Line, START_LIMIT_MS } from "./line.ts";
import { BUCKET_SIZE, BUCKETS, SPLIT_SIZE } from "./protocol.ts";

/** Sources that a worker takes between two replies: few enough that progress moves, many enough that posting is nothing. */
export const SLICE = 50;

/** On the page itself an engine gives the thread back after so long, so that with one more source a frame is kept. */
const PAGE_TURN_MS = 8;

/** A worker that is silent for so long in the middle of its work is given up, and its slice is done elsewhere. */
export const ANSWER_LIMIT_MS = 10_000;

/** Engines for one measurement, each with a module and weights of its own. */
export interface Crew {
  /** Workers at most. */
  size: number;
  /** Makes a line to a new worker, or none where the document may not have one. */
  worker(): Line | undefined;
  /** Makes a line to a new engine on the page. */
  page(): Promise<Line>;
}

/** How an engine comes to have a model: from its weights, or untrained, like another one. */
export type Recipe = { weights: Uint8Array } | { like: Recipe; seed: number };

export interface Subject {
  wasmBinary: Uint8Array<ArrayBuffer>;
  model: string;
  recipe: Recipe;
}

/** What is done with each slice. */
export interface Job<Part> {
  subject: Subject;
  ask(line: Line, first: number, count: number): Promise<Part>;
  /** Told after each slice what it gave; several parts where the page did it. */
  onSlice(done: number, first: number, parts: Part[]): void;
  signal: AbortSignal;
  pause: Gate | undefined;
}

/** The first sources of the slices, one of each K in turn, so that what is known of all K grows together. */
export function interleaved(): number[] {
  const turns = Array.from({ length: BUCKET_SIZE / SLICE }, (_, turn) => turn * SLICE);
  return turns.flatMap((at) => BUCKETS.map((K) => (K - 1) * BUCKET_SIZE + at));
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

/** Gives an engine the model under its name; what it is like passes under that name, too. */
async function make(line: Line, name: string, recipe: Recipe): Promise<void> {
  if ("weights" in recipe) await line.call("load", { name, weights: recipe.weights }, ANSWER_LIMIT_MS);
  else {
    await make(line, name, recipe.like);
    await line.call("untrained", { name, like: name, seed: recipe.seed }, ANSWER_LIMIT_MS);
  }
}

export class Slices<Part> {
  #lines = new Set<Line>();
  #workers = new Set<Line>();
  #waiting = interleaved();
  #parts = new Map<number, Part[]>();
  #done = 0;
  #turnBegan = 0;
  #finish: (line: Line) => void = () => {};
  #finished = new Promise<Line>((resolve) => {
    this.#finish = resolve;
  });
  #stopped: Promise<void>;

  constructor(
    readonly crew: Crew,
    readonly job: Job<Part>,
  ) {
    this.#stopped = new Promise((resolve) => {
      job.signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  /** Workers that did a slice at least. */
  get workers(): number {
    return this.#workers.size;
  }

  /** Works on workers, and on the page what they leave; gives the parts in order and the line that did the last slice. */
  async all(): Promise<{ parts: Part[]; line: Line }> {
    const workers = Array.from({ length: this.crew.size }, () => this.crew.worker()).filter(
      (line) => line !== undefined,
    );
    // A worker that keeps silent is not waited for when the others have done it all.
    await Promise.race([this.#finished, Promise.allSettled(workers.map((line) => this.#work(line)))]);
    this.job.signal.throwIfAborted();
    if (this.#done < SPLIT_SIZE) await this.#work(await this.crew.page());
    const line = await this.#finished;
    const inOrder = [...this.#parts].sort(([a], [b]) => a - b);
    return { parts: inOrder.flatMap(([, parts]) => parts), line };
  }

  /** Ends every engine, in the middle of a slice if need be. */
  close() {
    for (const line of this.#lines) line.close();
  }

  async #work(line: Line) {
    this.#lines.add(line);
    if (this.job.signal.aborted) line.close();
    const { wasmBinary, model, recipe } = this.job.subject;
    await line.call("start", { wasmBinary }, START_LIMIT_MS);
    await make(line, model, recipe);
    for (let first = await this.#next(); first !== undefined; first = await this.#next()) {
      const at = first;
      const parts = await this.#do(line, at).catch((error: unknown) => {
        this.#waiting.unshift(at);
        throw error;
      });
      this.#take(line, at, parts);
    }
  }

  /** The next slice, once nobody holds the work. */
  async #next(): Promise<number | undefined> {
    const { pause, signal } = this.job;
    while (pause?.held && !signal.aborted) await Promise.race([pause.whileHeld(), this.#stopped]);
    return this.#waiting.shift();
  }

  #take(line: Line, first: number, parts: Part[]) {
    this.#parts.set(first, parts);
    this.#done += SLICE;
    if (line.kind === "worker") this.#workers.add(line);
    this.job.onSlice(this.#done, first, parts);
    if (this.#done === SPLIT_SIZE) this.#finish(line);
  }

  async #do(line: Line, first: number): Promise<Part[]> {
    if (line.kind === "worker") return [await this.job.ask(line, first, SLICE)];
    const parts: Part[] = [];
    while (parts.length < SLICE) {
      if (performance.now() - this.#turnBegan > PAGE_TURN_MS) {
        await otherTasks();
        this.#turnBegan = performance.now();
      }
      parts.push(await this.job.ask(line, first + parts.length, 1));
    }
    return parts;
  }
}
