// The page's side of the engine: a worker where one answers, else the same engine on the page itself.
import { Latest } from "./latest.ts";
import { type Line, pageLine, START_LIMIT_MS, workerLine } from "./line.ts";
import { type Measured, measureModel, type OnProgress } from "./measure.ts";
import { messages } from "./messages.ts";
import {
  type CallName,
  type Calls,
  type Decoding,
  EngineError,
  type EngineInfo,
  type Inspection,
  type ModelInfo,
  type Sample,
} from "./protocol.ts";

type Module = Uint8Array<ArrayBuffer>;

/** Workers of one measurement: a thread each, but two even where only one is stated, and four are enough. */
const measuringWorkers = () => Math.min(Math.max(globalThis.navigator?.hardwareConcurrency ?? 0, 2), 4);

export interface MeasureOptions {
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
}

/** The value of a key, made when it is first asked for. */
function keyed<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** Rejects with the signal's reason when it comes. */
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

export class EngineClient {
  #line: Line | undefined;
  #module: Module | undefined;
  #weights = new Map<string, Uint8Array>();
  #decodings = new Map<string, Latest<string, Decoding>>();
  #inspections = new Map<string, Latest<Calls["inspect"]["args"], Inspection>>();
  #lastMeasurement: Promise<unknown> = Promise.resolve();
  #closing = new AbortController();
  info: EngineInfo | undefined;

  /** Where the engine runs, once it runs. */
  get kind(): Line["kind"] | undefined {
    return this.#line?.kind;
  }

  /** Starts the engine from the module's bytes; a worker loads its program while they are still on their way. */
  async start(wasm: Module | Promise<Module>): Promise<EngineInfo> {
    this.close();
    const { signal } = this.#closing;
    const worker = workerLine();
    this.#line = worker;
    try {
      const wasmBinary = await wasm;
      this.#module = wasmBinary;
      const info = await worker?.call("start", { wasmBinary }, START_LIMIT_MS).catch(() => undefined);
      this.info = info ?? (await this.#startOnPage(wasmBinary, signal));
      return this.info;
    } catch (error) {
      if (!signal.aborted) this.close();
      throw error;
    }
  }

  /** Loads the bytes of a weights file; on error the engine keeps the weights that it had. */
  async load(name: string, weights: Uint8Array): Promise<ModelInfo> {
    const info = await this.#call("load", { name, weights });
    this.#weights.set(name, weights);
    return info;
  }

  /** Decodes a text; a newer text for the same model takes the place of one that still waits. */
  decode(model: string, text: string): Promise<Decoding> {
    const make = () => new Latest((latest: string) => this.#call("decode", { model, text: latest }));
    return keyed(this.#decodings, model, make).request(text);
  }

  /** Unfolds token t of the model's answer to a text; of those that wait for the same model only the newest is made. */
  inspect(model: string, text: string, t: number): Promise<Inspection> {
    const make = () => new Latest((latest: Calls["inspect"]["args"]) => this.#call("inspect", latest));
    return keyed(this.#inspections, model, make).request({ model, text, t });
  }

  sample(K: number, index: number): Promise<Sample> {
    return this.#call("sample", { K, index });
  }

  /**
   * Measures a loaded model on the 2,000 test sources, on engines made for this alone, so that typing goes on
   * undisturbed; measurements run one after another. Rejects with CANCELLED when the signal comes or the client closes.
   */
  async measure(model: string, { onProgress, signal }: MeasureOptions = {}): Promise<Measured> {
    const over = new AbortController();
    const cancelled = rejection(over.signal);
    const cancel = () => over.abort(new EngineError("CANCELLED", messages.cancelled));
    for (const each of [signal, this.#closing.signal]) {
      if (each?.aborted) cancel();
      each?.addEventListener("abort", cancel, { signal: over.signal });
    }
    const run = this.#lastMeasurement.then(() => this.#measure(model, over.signal, onProgress));
    this.#lastMeasurement = run.catch(() => {});
    try {
      return await Promise.race([cancelled, run]);
    } finally {
      cancel();
    }
  }

  close() {
    this.#closing.abort();
    this.#closing = new AbortController();
    this.#line?.close();
    this.#line = undefined;
    this.#module = undefined;
    this.#weights.clear();
  }

  async #startOnPage(wasmBinary: Module, closing: AbortSignal): Promise<EngineInfo> {
    this.#line?.close();
    const page = await pageLine();
    if (closing.aborted) page.close();
    else this.#line = page;
    return page.call("start", { wasmBinary });
  }

  #measure(model: string, signal: AbortSignal, onProgress: OnProgress | undefined): Promise<Measured> {
    const [wasmBinary, weights] = [this.#module, this.#weights.get(model)];
    if (!wasmBinary) throw new EngineError("NO_ENGINE", messages.engineNotStarted);
    if (!weights) throw new EngineError("NO_MODEL", messages.noModel(model));
    // Where the engine itself had to run on the page, no other worker will answer either.
    const size = this.kind === "page" ? 0 : measuringWorkers();
    const crew = { size, worker: workerLine, page: pageLine };
    return measureModel(crew, { wasmBinary, model, weights }, signal, onProgress);
  }

  #call<N extends CallName>(name: N, args: Calls[N]["args"]): Promise<Calls[N]["result"]> {
    if (!this.#line) return Promise.reject(new EngineError("NO_ENGINE", messages.engineNotStarted));
    return this.#line.call(name, args);
  }
}
