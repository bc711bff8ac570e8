// sa-sample-picker: a random test example with K dates, and its neighbours.
import { css, html, LitElement, nothing } from "lit";
import { BUCKET_SIZE, BUCKETS } from "../engine/protocol.ts";
import { messages } from "../page/messages.ts";
import { shared } from "./base.ts";

/** Someone chose test example `index` of bucket K. */
export class SampleEvent extends Event {
  static readonly type = "sa-sample";

  constructor(
    readonly K: number,
    readonly index: number,
  ) {
    super(SampleEvent.type, { bubbles: true, composed: true });
  }
}

export class SamplePicker extends LitElement {
  static override properties = { sample: { attribute: false }, disabled: { type: Boolean } };

  /** The example on show, if the text is one. */
  declare sample: { K: number; index: number } | null;
  declare disabled: boolean;

  constructor() {
    super();
    this.sample = null;
    this.disabled = false;
  }

  override render() {
    const { sample } = this;
    return html`<div class="row" role="group" aria-label=${messages.samples}>
      <span class="label" aria-hidden="true">${messages.samples}</span>
      ${BUCKETS.map(
        (K) => html`<button
          aria-label=${messages.sampleButtonLabel(K)}
          aria-pressed=${sample?.K === K}
          ?disabled=${this.disabled}
          @click=${() => this.#choose(K, Math.floor(Math.random() * BUCKET_SIZE))}
        >
          ${messages.sampleButton(K)}
        </button>`,
      )}
      <span class="label unit" aria-hidden="true">${messages.samplesUnit}</span>
      ${sample ? this.#place(sample.K, sample.index) : nothing}
    </div>`;
  }

  #place(K: number, index: number) {
    const step = (by: number) => this.#choose(K, (index + by + BUCKET_SIZE) % BUCKET_SIZE);
    return html`<span class="place">
      <button aria-label=${messages.samplePrevious} @click=${() => step(-1)}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M10 3 5 8l5 5" /></svg>
      </button>
      <span class="number" aria-live="polite">${messages.samplePlace(index, BUCKET_SIZE)}</span>
      <button aria-label=${messages.sampleNext} @click=${() => step(1)}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M6 3l5 5-5 5" /></svg>
      </button>
    </span>`;
  }

  #choose(K: number, index: number) {
    this.dispatchEvent(new SampleEvent(K, index));
  }

  static override styles = [
    ...shared,
    css`
      .row {
        display: flex;
        flex-wrap: wrap;
        gap: 0.35rem;
        align-items: center;
        font-size: 0.85rem;
      }
      .label {
        color: var(--sa-muted);
        margin-inline: 0.1rem;
      }
      button {
        min-height: 1.9rem;
        min-width: 1.9rem;
      }
      [aria-pressed="true"] {
        border-color: var(--sa-source);
        background: var(--sa-source-tint);
        font-weight: 600;
      }
      .place {
        display: inline-flex;
        align-items: center;
        gap: 0.35rem;
      }
      .place button {
        padding: 0.2em 0.35em;
      }
      .place svg {
        display: block;
        width: 1em;
        height: 1em;
        fill: none;
        stroke: currentColor;
        stroke-width: 2;
      }
      .number {
        font-variant-numeric: tabular-nums;
        color: var(--sa-muted);
      }
      @media (max-width: 22rem) {
        .unit {
          display: none;
        }
      }
      @media print {
        :host {
          display: none;
        }
      }
    `,
  ];
}
