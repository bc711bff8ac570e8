// sa-term: a word of the text that says at a click, or at Enter, what it means.
import { css, html, LitElement } from "lit";
import { glossary } from "../page/messages.ts";
import { shared } from "../widgets/base.ts";
import { propertiesOf } from "./attributes.ts";
import { helpers } from "./elements.ts";

const list: Readonly<Record<string, string>> = glossary;
/** Room between the word and its meaning, and between that and the window's edge. */
const GAP = 6;

export class Term extends LitElement {
  static override properties = propertiesOf(helpers["sa-term"].attributes);
  declare name: string;

  constructor() {
    super();
    this.name = "";
  }

  override render() {
    const name = this.name || (this.textContent ?? "").trim();
    return html`<button popovertarget="meaning" aria-describedby="meaning"><slot></slot></button
      ><span id="meaning" popover @toggle=${this.#place}>${list[name] ?? ""}</span>`;
  }

  /** Below the word, or above where there is no room; inside the window in any case. */
  #place = (event: Event) => {
    if ((event as ToggleEvent).newState !== "open") return;
    const [word, meaning] = ["button", "#meaning"].map((selector) =>
      this.renderRoot.querySelector<HTMLElement>(selector),
    );
    if (!word || !meaning) return;
    const at = word.getBoundingClientRect();
    const { width, height } = meaning.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const left = Math.max(GAP, Math.min(at.left, clientWidth - width - GAP));
    const below = at.bottom + GAP;
    const top = below + height > clientHeight ? Math.max(GAP, at.top - height - GAP) : below;
    meaning.style.setProperty("left", `${left}px`);
    meaning.style.setProperty("top", `${top}px`);
  };

  static override styles = [
    ...shared,
    css`
      :host {
        display: inline;
      }
      button {
        display: inline;
        border: 0;
        border-radius: 0;
        padding: 0;
        text-decoration: underline dotted var(--sa-edge);
        text-underline-offset: 0.2em;
      }
      button:hover:enabled {
        text-decoration-color: var(--sa-ink);
      }
      #meaning {
        position: fixed;
        inset: auto;
        margin: 0;
        max-width: min(22rem, calc(100vw - 12px));
        padding: 0.6rem 0.8rem;
        font: 400 0.9rem / 1.45 var(--sa-text);
        color: var(--sa-ink);
        background: var(--sa-paper);
        border: 1px solid var(--sa-edge);
        border-radius: 3px;
      }
      @media print {
        button {
          display: inline;
          text-decoration: none;
        }
      }
    `,
  ];
}
