// A gate that a long piece of work passes between two slices: while it is held, nothing new is begun.

export class Gate {
  #opened: Promise<void> | undefined;
  #open: () => void = () => {};
  #closers = new Set<() => void>();
  #heldSince = 0;
  #heldMs = 0;

  get held(): boolean {
    return this.#opened !== undefined;
  }

  /** For how long it has been held, all times together. */
  get heldMs(): number {
    return this.#heldMs + (this.held ? performance.now() - this.#heldSince : 0);
  }

  hold() {
    if (this.held) return;
    this.#heldSince = performance.now();
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
    for (const tell of this.#closers) tell();
    this.#closers.clear();
  }

  release() {
    if (!this.held) return;
    this.#heldMs = this.heldMs;
    this.#opened = undefined;
    this.#open();
  }

  /** Resolves when the gate is released; nothing to wait for while it is not held. */
  whileHeld(): Promise<void> | undefined {
    return this.#opened;
  }

  /** Resolves as soon as the gate is held. */
  untilHeld(): Promise<void> {
    return this.held ? Promise.resolve() : new Promise((resolve) => this.#closers.add(resolve));
  }
}
