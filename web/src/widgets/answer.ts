// sa-answer: what a model wrote, date by date, with every character and every date marked right or wrong.
import { css, html, LitElement, nothing } from "lit";
import { compare, type ComparedDate } from "../draw/compare.ts";
import { messages } from "../page/messages.ts";
import { NOWHERE, type Point, PointEvent, shared } from "./base.ts";
import { mark, markStyles } from "./mark.ts";

export class Answer extends LitElement {
  static override properties = {
    output: { type: String },
    expected: { attribute: false },
    model: { type: String },
    point: { attribute: false },
  };

  declare output: string;
  /** What the text says; null when that is not known. */
  declare expected: string | null;
  declare model: string;
  declare point: Point;

  constructor() {
    super();
    this.output = "";
    this.expected = null;
    this.model = "";
    this.point = NOWHERE;
  }

  override render() {
    const comparison = compare(this.output, this.expected);
    const { dates, right } = comparison;
    let step = 0;
    const written = dates.map((date) => {
      const first = step;
      step += date.characters.length + 1;
      return this.#date(date, first, dates.length > 1);
    });
    const separated = written.flatMap((date, k) => (k === 0 ? [date] : [" ", date]));
    return html`
      <output aria-label=${messages.answerLabel(messages.modelName(this.model))}>
        <span class="dates">${separated}</span>
        <span class="verdict ${right === null ? "" : right ? "right" : "wrong"}">
          ${right === null ? nothing : mark(right)} ${messages.verdict({ ...comparison, expected: this.expected })}
        </span>
      </output>
    `;
  }

  /** One date; `first` is the step that wrote its first character. */
  #date({ characters, expected, right }: ComparedDate, first: number, oneOfMany: boolean) {
    return html`<span class="date"
      ><span class="written mono" @pointerleave=${this.#onLeave}
        >${characters.map(
          ({ text, right: good }, k) =>
            html`<span
              class="${good === false ? "off" : ""} ${this.point.t === first + k ? "lit" : ""}"
              @pointerenter=${() => this.#pointAt(first + k)}
              >${text}</span
            >`,
        )}</span
      >${oneOfMany && right !== null ? this.#judgement(right, characters.length > 0, expected ?? "") : nothing}</span
    >`;
  }

  #judgement(right: boolean, written: boolean, expected: string) {
    const words = right ? messages.right : messages.wrongDate(written, expected);
    return html`<span class="says ${right ? "right" : "wrong"}">${mark(right)} ${words}</span>`;
  }

  /** A finger leaves when it lifts; what it tapped stays. */
  #onLeave = (event: PointerEvent) => {
    if (event.pointerType !== "touch") this.#pointAt(null);
  };

  #pointAt(t: number | null) {
    this.dispatchEvent(new PointEvent({ t, i: null }));
  }

  static override styles = [
    ...shared,
    markStyles,
    css`
      output {
        display: flex;
        flex-wrap: wrap;
        gap: 0 1.2em;
        align-items: baseline;
      }
      .dates {
        display: flex;
        flex-wrap: wrap;
        gap: 0.15em 1.1em;
        color: var(--sa-target);
      }
      .date {
        display: inline-flex;
        flex-direction: column;
      }
      .written {
        font-size: var(--sa-answer-size, 1.25rem);
        font-weight: 600;
        line-height: 1.35;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .off {
        color: var(--sa-error);
        text-decoration: underline wavy 1.5px;
        text-underline-offset: 0.2em;
      }
      .lit {
        background: var(--sa-target-tint);
        outline: 2px solid var(--sa-target);
      }
      .says {
        font-size: 0.85rem;
        font-variant-numeric: tabular-nums;
      }
      .verdict {
        display: block;
        font-size: 0.9rem;
      }
    `,
  ];
}
