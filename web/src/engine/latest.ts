// One job at a time, and of the jobs that wait only the newest: while someone types, the last text wins.
import { messages } from "./messages.ts";
import { EngineError } from "./protocol.ts";

interface Waiting<A, R> {
  args: A;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export class Latest<A, R> {
  #running = false;
  #waiting: Waiting<A, R> | undefined;

  constructor(readonly run: (args: A) => Promise<R>) {}

  /** Runs the job when its turn comes; rejects with SUPERSEDED when a newer one takes its place. */
  request(args: A): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting?.reject(new EngineError("SUPERSEDED", messages.superseded));
      this.#waiting = { args, resolve, reject };
      if (!this.#running) void this.#next();
    });
  }

  async #next(): Promise<void> {
    this.#running = true;
    while (this.#waiting) {
      const { args, resolve, reject } = this.#waiting;
      this.#waiting = undefined;
      await this.run(args).then(resolve, reject);
    }
    this.#running = false;
  }
}
