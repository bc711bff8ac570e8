// Owns the WebAssembly module and its session, and answers requests with plain data; runs in a worker or on the page.
import createSoftalign, { type Decoding, type Session, type SoftalignModule } from "@wasm/softalign.mjs";
import { type Asked, ask, value, wellFormed } from "./asked.ts";
import { messages } from "./messages.ts";
import { type Calls, EngineError, type Reply, type Request, type Result } from "./protocol.ts";

export { wellFormed } from "./asked.ts";

/** Decodings kept, so that going back to a text (or asking for it twice) costs nothing. */
const CACHE_SIZE = 64;

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
    const info = value(this.#ready().session.load(name, weights));
    this.#cache.clear();
    return info;
  }

  decode(model: string, text: string): Decoding {
    const key = `${model}\n${text}`;
    const known = this.#cache.get(key);
    if (known) return known;
    const decoding = value(this.#ready().session.decode(model, wellFormed(text)));
    this.#cache.set(key, decoding);
    const oldest = this.#cache.size > CACHE_SIZE ? this.#cache.keys().next().value : undefined;
    if (oldest !== undefined) this.#cache.delete(oldest);
    return decoding;
  }

  /** As `load`, for an untrained model. */
  untrained(name: string, like: string, seed: number): Calls["untrained"]["result"] {
    const info = value(this.#ready().session.untrained(name, like, seed));
    this.#cache.clear();
    return info;
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
      case "untrained":
        return this.untrained(args.name, args.like, args.seed);
      default: {
        const { module, session } = this.#ready();
        return ask(module, session, { name, args } as Asked);
      }
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

  #ready() {
    const [module, session] = [this.#module, this.#session];
    if (!module || !session) throw new EngineError("NO_ENGINE", messages.engineNotStarted);
    return { module, session };
  }
}
