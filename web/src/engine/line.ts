// A line to an engine: requests go out numbered, and each is answered or, when the line breaks, refused.
import { messages } from "./messages.ts";
import { type CallName, type Calls, EngineError, type Reply, type Request } from "./protocol.ts";
import { newWorker } from "./worker-url.ts";

/** A worker that has its module and is silent for so long is given up: some hosts hold workers back without a word. */
export const START_LIMIT_MS = 10_000;

/** Carries requests to an engine. */
export interface Channel {
  post(request: Request): void;
  close(): void;
}

interface Pending {
  resolve: (result: never) => void;
  reject: (error: EngineError) => void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Line {
  #channel: Channel;
  #pending = new Map<number, Pending>();
  #lastId = 0;
  #broken: EngineError | undefined;

  constructor(
    readonly kind: "worker" | "page",
    open: (onReply: (reply: Reply) => void, onBroken: () => void) => Channel,
  ) {
    this.#channel = open(
      (reply) => this.#receive(reply),
      () => this.close(messages.workerBroken),
    );
  }

  /** Asks the engine; one that does not answer within `limitMs` counts as broken. */
  call<N extends CallName>(name: N, args: Calls[N]["args"], limitMs?: number): Promise<Calls[N]["result"]> {
    return new Promise((resolve, reject) => {
      if (this.#broken) return reject(this.#broken);
      const id = ++this.#lastId;
      const silent = () => this.close(messages.workerSilent((limitMs ?? 0) / 1000));
      this.#pending.set(id, { resolve, reject, timer: limitMs ? setTimeout(silent, limitMs) : undefined });
      this.#channel.post({ id, name, args } as Request);
    });
  }

  /** Ends the engine and refuses what it has not answered. */
  close(reason: string = messages.engineNotStarted) {
    if (this.#broken) return;
    this.#broken = new EngineError("NO_ENGINE", reason);
    this.#channel.close();
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(this.#broken);
    }
    this.#pending.clear();
  }

  #receive(reply: Reply) {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    this.#pending.delete(reply.id);
    clearTimeout(pending.timer);
    if ("error" in reply) pending.reject(new EngineError(reply.error.code, reply.error.message));
    else pending.resolve(reply.result as never);
  }
}

/** A line to a new worker, or none where the document may not have one (a sandboxed frame, a foreign origin). */
export function workerLine(): Line | undefined {
  try {
    const worker = newWorker();
    return new Line("worker", (onReply, onBroken) => {
      worker.addEventListener("message", (event: MessageEvent<Reply>) => onReply(event.data));
      worker.addEventListener("error", onBroken);
      worker.addEventListener("messageerror", onBroken);
      return { post: (request) => worker.postMessage(request), close: () => worker.terminate() };
    });
  } catch {
    return undefined;
  }
}

/** A line to a new engine on the page itself. */
export async function pageLine(): Promise<Line> {
  const { Engine } = await import("./engine.ts").catch((error: unknown) => {
    throw new EngineError("NO_ENGINE", messages.engineMissing(String(error)));
  });
  const engine = new Engine();
  return new Line("page", (onReply) => ({
    post: (request) => void engine.answer(request, onReply),
    close: () => engine.close(),
  }));
}
