// Owns the WebAssembly module and its session, and answers requests with plain data; runs in a worker or on the page.
import createSoftalign, { type Decoding, type Outcome, type Session, type SoftalignModule } from "@wasm/softalign.mjs";
import { messages } from "./messages.ts";
import { type Calls, EngineError, failed, type Reply, type Request, type Result } from "./protocol.ts";

/** Decodings kept, so that going back to a text (or asking for it twice) costs nothing. */
const CACHE_SIZE = 64;

function value<T>(outcome: Outcome<T>): T {
  if ("error" in outcome) throw failed(outcome.error);
  return outcome.value;
}

/** Replaces every half of a broken surrogate pair, which would swallow its neighbour on the way into the module. */
export const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\uFFFD");

/** Whether bytes begin as every WebAssembly module does. */
const isModule = (bytes: Uint8Array) => [0x00, 0x61, 0x73, 0x6d].every((byte, k) => bytes[k] === byte);

export class Engine {
  #module: SoftalignModule | undefined;
  #session: Session | undefined;
  #cache = new Map<string, Decoding>();

  /** Compiles the module from its bytes, so that no server's MIME type matters. */
  async start(wasmBinary: Uint8Array<ArrayBuffer>): Promise<Calls["start"]["result"]> {
    if (!isModule(wasmBinary)) throw new EngineError("NO_ENGINE", messages.engineNotOne);
    try {
      this.#module = await createSoftalign({ wasmBinary });
      this.#session = new this.#module.Session();
    } catch (error) {
      throw new EngineError("NO_ENGINE", messages.engineRefused(String(error)));
    }
    return { target_vocabulary: this.#module.target_vocabulary(), source_limit: this.#module.source_limit() };
  }

  load(name: string, weights: Uint8Array): Calls["load"]["result"] {
    const info = value(this.#ready().load(name, weights));
    this.#cache.clear();
    return info;
  }

  decode(model: string, text: string): Decoding {
    const key = `${model}\n${text}`;
    const known = this.#cache.get(key);
    if (known) return known;
    const decoding = value(this.#ready().decode(model, wellFormed(text)));
    this.#cache.set(key, decoding);
    const oldest = this.#cache.size > CACHE_SIZE ? this.#cache.keys().next().value : undefined;
    if (oldest !== undefined) this.#cache.delete(oldest);
    return decoding;
  }

  inspect(model: string, text: string, t: number): Calls["inspect"]["result"] {
    return value(this.#ready().inspect(model, wellFormed(text), t));
  }

  sample(K: number, index: number): Calls["sample"]["result"] {
    return value(this.#ready().sample(K, index));
  }

  decode_test(model: string, first: number, count: number): Calls["decode_test"]["result"] {
    return value(this.#ready().decode_test(model, first, count));
  }

  measure(outputs: string[]): Calls["measure"]["result"] {
    return value(this.#ready().measure(outputs));
  }

  /** Frees the session's memory in the module. */
  close() {
    this.#session?.delete();
    this.#session = undefined;
    this.#cache.clear();
  }

  async #handle({ name, args }: Request): Promise<Result> {
    switch (name) {
      case "start":
        return this.start(args.wasmBinary);
      case "load":
        return this.load(args.name, args.weights);
      case "decode":
        return this.decode(args.model, args.text);
      case "inspect":
        return this.inspect(args.model, args.text, args.t);
      case "sample":
        return this.sample(args.K, args.index);
      case "decode_test":
        return this.decode_test(args.model, args.first, args.count);
      case "measure":
        return this.measure(args.outputs);
    }
  }

  /** Answers a request through `post`; never throws. */
  async answer(request: Request, post: (reply: Reply) => void): Promise<void> {
    const { id } = request;
    try {
      post({ id, result: await this.#handle(request) });
    } catch (error) {
      const known = error instanceof EngineError;
      post({
        id,
        error: known
          ? { code: error.code, message: error.message }
          : { code: "NO_ENGINE", message: messages.engineStopped(String(error)) },
      });
    }
  }

  #ready(): Session {
    if (!this.#session) throw new EngineError("NO_ENGINE", messages.engineNotStarted);
    return this.#session;
  }
}
