// sa-probability-table: the probability of every output token at every step, as a real table.
import { css, html, LitElement, nothing, unsafeCSS } from "lit";
import { decimals, visible } from "../draw/characters.ts";
import { type ProbabilityCell, type ProbabilityData, probabilityRows, shadeRules } from "../draw/probability.ts";
import { messages } from "../page/messages.ts";
import { NOWHERE, type Point, PointEvent, shared } from "./base.ts";

export class ProbabilityTable extends LitElement {
  static override properties = {
    data: { attribute: false },
    vocabulary: { attribute: false },
    point: { attribute: false },
  };

  declare data: ProbabilityData | null;
  /** The output tokens, in the order of the columns. */
  declare vocabulary: readonly string[];
  declare point: Point;

  constructor() {
    super();
    this.data = null;
    this.vocabulary = [];
    this.point = NOWHERE;
  }

  override render() {
    const { data, vocabulary } = this;
    if (!data) return nothing;
    const rows = probabilityRows(data, vocabulary.length);
    return html`<div class="region" tabindex="0" role="region" aria-label=${messages.probabilities}>
      <table>
        <caption class="unseen">${messages.probabilityCaption(vocabulary.length)}</caption>
        <thead>
          <tr>
            <th scope="col">${messages.probabilityCorner}</th>
            ${vocabulary.map((token) => html`<th scope="col" class="mono">${visible(token)}</th>`)}
          </tr>
        </thead>
        <tbody @pointerleave=${() => this.dispatchEvent(new PointEvent(NOWHERE))}>
          ${rows.map((cells, t) => this.#row(cells, t, data.tokens[t] ?? ""))}
        </tbody>
      </table>
    </div>`;
  }

  #row(cells: ProbabilityCell[], t: number, token: string) {
    return html`<tr
      class=${this.point.t === t ? "lit" : ""}
      @pointerenter=${() => this.dispatchEvent(new PointEvent({ t, i: null }))}
    >
      <th scope="row"><span class="step">${t + 1}</span> <span class="mono">${visible(token)}</span></th>
      ${cells.map(({ probability, taken, shade }) => {
        const number = decimals(probability, 3);
        // Every number is in the table; the page prints the one taken and those that came near.
        const shown = taken || probability >= 0.01;
        return html`<td class="shade-${shade} ${taken ? "taken" : ""}">
          <span class=${shown ? "" : "unseen"}>${number}</span>${taken ? html`<span class="unseen"> ${messages.taken}</span>` : nothing}
        </td>`;
      })}
    </tr>`;
  }

  static override styles = [
    ...shared,
    unsafeCSS(shadeRules()),
    css`
      .region {
        position: relative;
        overflow-x: auto;
      }
      table {
        border-collapse: collapse;
        font-size: 0.8rem;
        font-variant-numeric: tabular-nums;
      }
      th {
        font-weight: 600;
        color: var(--sa-target);
        padding: 0.2rem 0.35rem;
        white-space: nowrap;
      }
      .step {
        display: inline-block;
        min-width: 2.2em;
        text-align: left;
      }
      thead th:first-child {
        text-align: left;
      }
      thead th:first-child,
      .step {
        font-family: var(--sa-text);
        font-weight: 400;
        color: var(--sa-muted);
      }
      tbody th {
        position: sticky;
        left: 0;
        background: var(--sa-paper);
        text-align: right;
      }
      td {
        position: relative;
        min-width: 2.9em;
        height: 1.75em;
        padding: 0 0.25em;
        text-align: center;
        border: 1px solid var(--sa-line);
      }
      .taken {
        font-weight: 700;
        outline: 2px solid var(--sa-target);
        outline-offset: -2px;
      }
      .lit th {
        color: var(--sa-attention);
      }
      @media print {
        td {
          print-color-adjust: exact;
        }
      }
    `,
  ];
}
