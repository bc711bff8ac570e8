// NearElement: draws itself only while it is close to the window or the page goes to paper; what changed meanwhile is caught up with.
import { LitElement } from "lit";

/** How far outside the window an element still draws itself. */
const NEAR = "600px";

export class NearElement extends LitElement {
  /** Settled while the element may draw. */
  #turn: Promise<void> = Promise.resolve();
  #begin: () => void = () => {};
  #near = true;
  #sight = new IntersectionObserver(([entry]) => this.#come(entry?.isIntersecting ?? true), { rootMargin: NEAR });
  #print = () => this.#come(true);

  override connectedCallback() {
    super.connectedCallback();
    this.#sight.observe(this);
    window.addEventListener("beforeprint", this.#print);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#sight.disconnect();
    window.removeEventListener("beforeprint", this.#print);
    this.#come(true);
  }

  #come(near: boolean) {
    if (near === this.#near) return;
    this.#near = near;
    if (near) this.#begin();
    else
      this.#turn = new Promise((resolve) => {
        this.#begin = resolve;
      });
  }

  protected override async scheduleUpdate() {
    // The first drawing waits for nothing: a place without height may never come near.
    if (this.hasUpdated) await this.#turn;
    // An element taken from the page meanwhile has nothing to draw for.
    await super.scheduleUpdate();
  }
}
