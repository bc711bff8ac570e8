// The page's side of the engine: a worker where one answers, else the same engine on the page itself.
import type { Gate } from "./gate.ts";
import { Latest } from "./latest.ts";
import { type Line, pageLine, START_LIMIT_MS, workerLine } from "./line.ts";
import {
  type Crew,
  type Measured,
  type MeasuredAlignment,
  measureAlignment,
  measureModel,
  type Options,
  type OutputProgress,
  type Progress,
  type Recipe,
  type Subject,
} from "./measure.ts";
import { messages } from "./messages.ts";
import {
  type AttentionStep,
  type CallName,
  type Calls,
  type Decoding,
  type Edits,
  EngineError,
  type EngineInfo,
  type Inspection,
  type Intervention,
  type ModelInfo,
  type Numbers,
  type Plane,
  type ProbeInfo,
  type Sample,
  type TeacherForced,
  type TestSplit,
} from "./protocol.ts";

type Module = Uint8Array<ArrayBuffer>;

/** Workers of one measurement: a thread each, but two even where only one is stated, and four are enough. */
const measuringWorkers = () => Math.min(Math.max(globalThis.navigator?.hardwareConcurrency ?? 0, 2), 4);

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

/** By which a probe names the weights that it was fitted to; empty where the browser computes no digests (http). */
async function weightsName(recipe: Recipe): Promise<string> {
  if (!("weights" in recipe)) return "untrained";
  const digest = await globalThis.crypto?.subtle?.digest("SHA-256", Uint8Array.from(recipe.weights));
  return digest ? Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("") : "";
}

/** Never resolves for work that cannot be held. */
const untilHeld = (pause: Gate | undefined) => pause?.untilHeld() ?? new Promise<never>(() => {});

export class EngineClient {
  #line: Line | undefined;
  #module: Module | undefined;
  #recipes = new Map<string, Recipe>();
  #decodings = new Map<string, Latest<string, Decoding>>();
  #inspections = new Map<string, Latest<Calls["inspect"]["args"], Inspection>>();
  /** Resolves when the next measurement may begin. */
  #turn: Promise<unknown> = Promise.resolve();
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
    this.#recipes.set(name, { weights });
    return info;
  }

  /**
   * Decodes a text; a newer text that the same asker wants from the same model takes the place of one that still waits.
   */
  decode(model: string, text: string, asker = "page"): Promise<Decoding> {
    const make = () => new Latest((latest: string) => this.#call("decode", { model, text: latest }));
    return keyed(this.#decodings, `${asker}\n${model}`, make).request(text);
  }

  /** Unfolds token t of the model's answer to a text; of those that wait for one asker and model only the newest is made. */
  inspect(model: string, text: string, t: number, asker = "page"): Promise<Inspection> {
    const make = () => new Latest((latest: Calls["inspect"]["args"]) => this.#call("inspect", latest));
    return keyed(this.#inspections, `${asker}\n${model}`, make).request({ model, text, t });
  }

  sample(K: number, index: number): Promise<Sample> {
    return this.#call("sample", { K, index });
  }

  /** All of the test split. */
  testSplit(): Promise<TestSplit> {
    return this.#call("test_split", {});
  }

  // The next calls are made as they come: whoever types or drags puts a Latest around them.

  /** Decodes with edited weights or a forced beginning. */
  intervene(model: string, text: string, edits: Edits): Promise<Intervention> {
    return this.#call("intervene", { model, text, edits });
  }

  /** Scores a target under teacher forcing. */
  teacherForce(model: string, text: string, target: string): Promise<TeacherForced> {
    return this.#call("teacher_force", { model, text, target });
  }

  /** An untrained model, then known as `name`, of the kind and sizes of `like`. */
  async untrained(name: string, like: string, seed: number): Promise<ModelInfo> {
    const info = await this.#call("untrained", { name, like, seed });
    const recipe = this.#recipes.get(like);
    if (recipe) this.#recipes.set(name, { like: recipe, seed });
    return info;
  }

  /** Gives a loaded model the bytes of its probe. WRONG_MODEL for that of other weights. */
  async loadProbe(name: string, probe: Uint8Array): Promise<ProbeInfo> {
    const recipe = this.#recipes.get(name);
    const weights_sha256 = recipe ? await weightsName(recipe) : "";
    return this.#call("load_probe", { name, probe, weights_sha256 });
  }

  /** What the score compares in the decoding of a text, in the plane of the model's probe. */
  plane(model: string, text: string): Promise<Plane> {
    return this.#call("plane", { model, text });
  }

  /** Eq. 6 and 7 on plain arrays: scores (S), states (S, d). */
  maskedAttention(score: Numbers, h: Numbers, length: number): Promise<AttentionStep> {
    return this.#call("masked_attention", { score, h, length });
  }

  /** Eq. 9, 6 and 7 on plain arrays: a query (d), states (S, d). */
  dotProductAttention(q: Numbers, h: Numbers, length: number): Promise<AttentionStep> {
    return this.#call("dot_product_attention", { q, h, length });
  }

  /**
   * Measures a loaded model on the 2,000 test sources, on engines made for this alone, so that typing goes on
   * undisturbed. Measurements run one after another; one that is held lets the next begin. Rejects with CANCELLED when the
   * signal comes or the client closes.
   */
  measure(model: string, options: Options<OutputProgress> = {}): Promise<Measured> {
    return this.#inTurn(model, options, measureModel);
  }

  /** The same for where the model's attention looks under teacher forcing. BAD_VALUE for one without attention. */
  measureAlignment(model: string, options: Options<Progress> = {}): Promise<MeasuredAlignment> {
    return this.#inTurn(model, options, measureAlignment);
  }

  close() {
    this.#closing.abort();
    this.#closing = new AbortController();
    this.#line?.close();
    this.#line = undefined;
    this.#module = undefined;
    this.#recipes.clear();
  }

  async #startOnPage(wasmBinary: Module, closing: AbortSignal): Promise<EngineInfo> {
    this.#line?.close();
    const page = await pageLine();
    if (closing.aborted) page.close();
    else this.#line = page;
    return page.call("start", { wasmBinary });
  }

  async #inTurn<P extends Progress, R>(
    model: string,
    options: Options<P>,
    measure: (crew: Crew, subject: Subject, tell: Options<P> & { signal: AbortSignal }) => Promise<R>,
  ): Promise<R> {
    const over = new AbortController();
    const cancelled = rejection(over.signal);
    const cancel = () => over.abort(new EngineError("CANCELLED", messages.cancelled));
    for (const each of [options.signal, this.#closing.signal]) {
      if (each?.aborted) cancel();
      each?.addEventListener("abort", cancel, { signal: over.signal });
    }
    const run = this.#turn.then(() => measure(this.#crew(), this.#subject(model), { ...options, signal: over.signal }));
    this.#turn = this.#turn.then(() => Promise.race([run.catch(() => {}), untilHeld(options.pause)]));
    try {
      return await Promise.race([cancelled, run]);
    } finally {
      cancel();
    }
  }

  /** Where the engine itself had to run on the page, no other worker will answer either. */
  #crew(): Crew {
    return { size: this.kind === "page" ? 0 : measuringWorkers(), worker: workerLine, page: pageLine };
  }

  #subject(model: string): Subject {
    const [wasmBinary, recipe] = [this.#module, this.#recipes.get(model)];
    if (!wasmBinary) throw new EngineError("NO_ENGINE", messages.engineNotStarted);
    if (!recipe) throw new EngineError("NO_MODEL", messages.noModel(model));
    return { wasmBinary, model, recipe };
  }

  #call<N extends CallName>(name: N, args: Calls[N]["args"]): Promise<Calls[N]["result"]> {
    if (!this.#line) return Promise.reject(new EngineError("NO_ENGINE", messages.engineNotStarted));
    return this.#line.call(name, args);
  }
}
