// Tells a demo that needs attention when it shows another model than the page's, which has none.
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { html, nothing } from "lit";
import { messages } from "../page/messages.ts";

/** An element that follows the page's own model; what has `attending` among its follows may show another. */
const FOLLOWER = '[data-follows~="model"]';

export class StandIn implements ReactiveController {
  #page: Element | null = null;
  #changes: MutationObserver | undefined;

  constructor(readonly host: ReactiveControllerHost & HTMLElement) {
    host.addController(this);
  }

  hostConnected() {
    if (!this.host.dataset.follows?.split(" ").includes("attending")) return;
    this.#page = document.querySelector(FOLLOWER);
    if (!this.#page) return;
    this.#changes = new MutationObserver(() => this.host.requestUpdate());
    this.#changes.observe(this.#page, { attributeFilter: ["model"] });
  }

  hostDisconnected() {
    this.#changes?.disconnect();
  }

  /** A line for the place above the map of `model`; none where that is the page's model. */
  line(model: string) {
    const chosen = this.#page?.getAttribute("model");
    return chosen && chosen !== model ? html`<p class="hint stand-in">${messages.standIn(model, chosen)}</p>` : nothing;
  }
}
