// The page's side of the engine: a worker where one can be made, else the same engine on the page itself.
import { messages } from "../page/messages.ts";
import { Latest } from "./latest.ts";
import {
  type CallName,
  type Calls,
  type Decoding,
  EngineError,
  type EngineInfo,
  type ModelInfo,
  type Reply,
  type Request,
  type Sample,
} from "./protocol.ts";

/** A way to reach an engine. */
export interface Line {
  readonly kind: "worker" | "page";
  post(request: Request): void;
  close(): void;
}

type Connect = (onReply: (reply: Reply) => void, onBroken: () => void) => Promise<Line>;

/** A worker of our own; throws where the document may not have one (a sandboxed frame, a foreign origin). */
const connectWorker: Connect = async (onReply, onBroken) => {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "softalign" });
  worker.addEventListener("message", (event: MessageEvent<Reply>) => onReply(event.data));
  worker.addEventListener("error", onBroken);
  worker.addEventListener("messageerror", onBroken);
  return { kind: "worker", post: (request) => worker.postMessage(request), close: () => worker.terminate() };
};

const connectPage: Connect = async (onReply) => {
  const { Engine } = await import("./engine.ts");
  const engine = new Engine();
  return { kind: "page", post: (request) => void engine.answer(request, onReply), close: () => engine.close() };
};

interface Pending {
  resolve: (result: never) => void;
  reject: (error: EngineError) => void;
}

export class EngineClient {
  #line: Line | undefined;
  #pending = new Map<number, Pending>();
  #lastId = 0;
  #readers = new Map<string, Latest<string, Decoding>>();
  info: EngineInfo | undefined;

  /** Where the engine runs, once it runs. */
  get kind(): Line["kind"] | undefined {
    return this.#line?.kind;
  }

  /** Starts the engine from the module's bytes: in a worker if it answers there, else on the page. */
  async start(wasmBinary: Uint8Array<ArrayBuffer>): Promise<EngineInfo> {
    try {
      await this.#connect(connectWorker);
      this.info = await this.#call("start", { wasmBinary });
    } catch {
      await this.#connect(connectPage);
      this.info = await this.#call("start", { wasmBinary });
    }
    return this.info;
  }

  /** Loads the bytes of a weights file; on error the engine keeps the weights that it had. */
  load(name: string, weights: Uint8Array): Promise<ModelInfo> {
    return this.#call("load", { name, weights });
  }

  /** Decodes a text; a newer text for the same model takes the place of one that still waits. */
  decode(model: string, text: string): Promise<Decoding> {
    let reader = this.#readers.get(model);
    if (!reader) {
      reader = new Latest((latest) => this.#call("decode", { model, text: latest }));
      this.#readers.set(model, reader);
    }
    return reader.request(text);
  }

  sample(K: number, index: number): Promise<Sample> {
    return this.#call("sample", { K, index });
  }

  close() {
    this.#line?.close();
    this.#line = undefined;
    this.#failAll(messages.engineNotStarted);
  }

  async #connect(connect: Connect) {
    this.#line?.close();
    this.#line = await connect(
      (reply) => this.#receive(reply),
      () => this.#failAll(messages.workerBroken),
    );
  }

  #call<N extends CallName>(name: N, args: Calls[N]["args"]): Promise<Calls[N]["result"]> {
    return new Promise((resolve, reject) => {
      if (!this.#line) {
        reject(new EngineError("NO_ENGINE", messages.engineNotStarted));
        return;
      }
      const id = ++this.#lastId;
      this.#pending.set(id, { resolve, reject });
      this.#line.post({ id, name, args } as Request);
    });
  }

  #receive(reply: Reply) {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    this.#pending.delete(reply.id);
    if ("error" in reply) pending.reject(new EngineError(reply.error.code, reply.error.message));
    else pending.resolve(reply.result as never);
  }

  #failAll(message: string) {
    const broken = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of broken) pending.reject(new EngineError("NO_ENGINE", message));
  }
}
