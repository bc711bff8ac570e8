// sa-source-echo: the text character by character, spaces visible, letters that a note speaks of underlined.
import { css, html, LitElement } from "lit";
import { codePoints, isSpace, visible } from "../draw/characters.ts";
import { unknownLetters } from "../draw/unknown.ts";
import type { Note } from "../engine/protocol.ts";
import { messages } from "../page/messages.ts";
import { PointEvent, shared } from "./base.ts";

export class SourceEcho extends LitElement {
  static override properties = {
    text: { type: String },
    notes: { attribute: false },
    position: { attribute: false },
    positions: { attribute: false },
  };

  declare text: string;
  declare notes: readonly Note[];
  /** Code point index to light up. */
  declare position: number | null;
  /** Code point index of every character that the model reads, for pointing back. */
  declare positions: readonly number[];

  constructor() {
    super();
    this.text = "";
    this.notes = [];
    this.position = null;
    this.positions = [];
  }

  override render() {
    const unknown = unknownLetters(this.text, this.notes);
    return html`<span class="unseen">${messages.sourceLabel}: ${this.text}</span
      ><span class="line mono" aria-hidden="true" @pointerleave=${this.#onLeave}
        >${codePoints(this.text).map((character, k) => {
          const classes = [isSpace(character) && "space", unknown[k] && "off", this.position === k && "lit"];
          return html`<span class=${classes.filter(Boolean).join(" ")} @pointerenter=${() => this.#pointAt(k)}
            >${visible(character)}</span
          >`;
        })}</span
      >`;
  }

  /** A finger leaves when it lifts; what it tapped stays. */
  #onLeave = (event: PointerEvent) => {
    if (event.pointerType !== "touch") this.#pointAt(null);
  };

  #pointAt(position: number | null) {
    const i = position === null ? -1 : this.positions.indexOf(position);
    this.dispatchEvent(new PointEvent({ t: null, i: i < 0 ? null : i }));
  }

  static override styles = [
    ...shared,
    css`
      :host {
        display: inline-block;
        max-width: 100%;
      }
      .line {
        color: var(--sa-source);
        font-weight: 600;
        overflow-wrap: anywhere;
      }
      .space {
        font-weight: 400;
        opacity: 0.6;
      }
      .off {
        color: var(--sa-error);
        text-decoration: underline wavy 1.5px;
        text-underline-offset: 0.25em;
      }
      .lit {
        background: var(--sa-source-tint);
        outline: 2px solid var(--sa-source);
        opacity: 1;
      }
    `,
  ];
}
