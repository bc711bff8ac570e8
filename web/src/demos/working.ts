// The table of sa-worked-attention: a line for each part of the attention step, a column for each position.
import { css, html, nothing } from "lit";
import { printed, rounded } from "../draw/characters.ts";
import { hasVectors } from "../draw/worked.ts";
import { workedAttention as messages } from "../page/messages.ts";
import type { Shown } from "./worked-attention.ts";

/** Which numbers a field changes. */
export type List = "score" | "q" | "h";
/** What was typed into a field, whether it can be no number, and the number that counts meanwhile. */
export interface Draft {
  name: string;
  typed: string;
  last: number;
  wrong: boolean;
}
type Drafts = ReadonlyMap<string, Draft>;
/** `left`: the field has been left, so what it holds is meant. */
type OnType = (list: List, at: number, name: string, typed: string, left: boolean) => void;

const WHOLE_BELOW = 1e7;
const PLACES_BELOW = 1000;

/** Three decimals where they say something, whole numbers for large ones, powers of ten beyond. */
function said(x: number) {
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < WHOLE_BELOW) return rounded(x, 0);
  if (size >= 0.0005 && size < PLACES_BELOW) return rounded(x, 3);
  if (size >= PLACES_BELOW && size < WHOLE_BELOW) return Math.round(x).toLocaleString("en");
  const { digits, exponent } = printed(x, 3);
  return exponent === null ? digits : html`${digits}&nbsp;×&nbsp;10<sup>${rounded(exponent, 0)}</sup>`;
}

/** A weight: three decimals, unless it is so small that they would say 0. */
const weight = (alpha: number) => (alpha > 0 && alpha < 0.0005 ? said(alpha) : rounded(alpha, 3));

export function working(shown: Shown, drafts: Drafts, onType: OnType) {
  const { step, worked } = shown;
  const field = fields(shown, drafts, onType);
  const real = step.S - worked.padding;
  const positions = Array.from({ length: step.S }, (_, i) => i);
  const line = (
    heading: unknown,
    of: (i: number) => unknown,
    sum: unknown = nothing,
    name = "",
  ) => html`<tr class=${name}>
    <th scope="row">${heading}</th>
    ${positions.map((i) => html`<td class=${i < real ? "" : "pad"}>${of(i)}</td>`)}
    <td class="sum">${sum}</td>
  </tr>`;
  const vectors = hasVectors(worked);
  const L = said(step.largest);
  return html`${vectors ? html`<p class="query">${messages.query} ${letter("s", "t", "target")} = ( ${field("q", 0, messages.queryEntry(1))} , ${field("q", 1, messages.queryEntry(2))} )</p>` : nothing}
    <div class="scroll">
      <table>
        <caption class="unseen">${messages.caption}</caption>
        <thead>
          <tr>
            <th scope="col">${messages.position}</th>
            ${positions.map((i) => html`<th scope="col">${i + 1}${i < real ? nothing : html` <span class="note">${messages.pad}</span>`}</th>`)}
            <th scope="col" class="sum">${messages.sum}</th>
          </tr>
        </thead>
        <tbody>
          ${vectors ? line(html`${messages.state} ${letter("h", "i", "source")}`, (i) => pairOf(field, i)) : nothing}
          ${line(messages.score, (i) => scoreOf(shown, field, i, i < real))}
          ${exponentials(shown, line, L)}
          ${line(html`<span class="attention">${messages.weight}</span>`, (i) => weightOf(shown, i), html`<strong>1</strong>`, "alpha")}
          ${vectors ? line(messages.part, (i) => vector(...partOf(shown, i)), html`<strong>${vector(step.h_bar[0] ?? 0, step.h_bar[1] ?? 0)}</strong>`, "context") : nothing}
        </tbody>
      </table>
    </div>
    <p class="note">${messages.largestOff}</p>`;
}

const letter = (name: string, index: string, role: string) => html`<i class=${role}>${name}<sub>${index}</sub></i>`;

type Field = (list: List, at: number, name: string) => unknown;
type Line = (heading: unknown, of: (i: number) => unknown, sum?: unknown, name?: string) => unknown;

const fields =
  ({ worked }: Shown, drafts: Drafts, onType: OnType): Field =>
  (list, at, name) => {
    const draft = drafts.get(`${list} ${at}`);
    const type = (event: Event) =>
      onType(list, at, name, (event.target as HTMLInputElement).value, event.type === "change");
    return html`<input
      class="entry ${list}"
      inputmode="decimal"
      autocomplete="off"
      maxlength="8"
      aria-label=${name}
      aria-invalid=${draft?.wrong ? "true" : nothing}
      aria-describedby=${draft?.wrong ? "wrong" : nothing}
      .value=${draft?.typed ?? String(worked[list][at] ?? 0)}
      @input=${type}
      @change=${type}
    />`;
  };

const pairOf = (field: Field, i: number) =>
  html`<span class="entries">${field("h", 2 * i, messages.stateEntry(i + 1, 1))} ${field("h", 2 * i + 1, messages.stateEntry(i + 1, 2))}</span>`;

const note = (text: unknown) => html`<span class="note">${text}</span>`;

/** A field, or the products that make the score; padding has none that counts. */
function scoreOf({ step, worked }: Shown, field: Field, i: number, real: boolean) {
  const masked = real ? nothing : note(messages.masked);
  if (!hasVectors(worked)) return html`${field("score", i, messages.scoreEntry(i + 1))} ${masked}`;
  const products = [0, 1].map((k) => messages.product(worked.q[k] ?? 0, worked.h[2 * i + k] ?? 0)).join(" + ");
  const score = said(step.score[i] ?? 0);
  return html`${real ? score : html`<s>${score}</s>`} ${real ? note(products) : masked}`;
}

/** exp(score) as in the equation, then as the module computes it, which gives the same weights. */
function exponentials({ step, plain }: Shown, line: Line, L: unknown) {
  const sum = plain?.reduce((total, value) => total + value, 0) ?? 0;
  return html`
    ${line(messages.exponential, (i) => (plain ? said(plain[i] ?? 0) : note(messages.tooLarge)), plain ? said(sum) : nothing, "plain")}
    ${line(html`exp(score ${step.largest < 0 ? "+" : "\u2212"} ${step.largest < 0 ? said(-step.largest) : L})`, (i) => said(step.exponential[i] ?? 0), said(step.sum), "off")}
  `;
}

function weightOf({ step, plain }: Shown, i: number) {
  const alpha = step.alpha[i] ?? 0;
  const sum = plain?.reduce((total, value) => total + value, 0);
  const [part, whole] = plain && sum !== undefined ? [plain[i] ?? 0, sum] : [step.exponential[i] ?? 0, step.sum];
  return html`<strong>${weight(alpha)}</strong> ${note(html`${said(part)} / ${said(whole)}`)}`;
}

const partOf = ({ step, worked }: Shown, i: number): [number, number] => {
  const alpha = step.alpha[i] ?? 0;
  return [alpha * (worked.h[2 * i] ?? 0), alpha * (worked.h[2 * i + 1] ?? 0)];
};

const vector = (x: number, y: number) => html`<span class="vector">(${rounded(x, 3)}, ${rounded(y, 3)})</span>`;

export const workedStyles = css`
  :host {
    clear: both;
    container-type: inline-size;
  }
  .examples {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 1.1rem;
    font-size: 0.95rem;
  }
  .work {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1rem 2.5rem;
    align-items: start;
  }
  .steps {
    display: grid;
    gap: 0.75rem;
    min-width: 0;
  }
  .work .pair {
    grid-template-columns: minmax(0, 1fr);
  }
  @container (min-width: 56rem) {
    .work {
      grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
    }
  }
  legend {
    padding: 0;
    margin-bottom: 0.25rem;
    color: var(--sa-muted);
    font-size: 0.9rem;
  }
  table {
    width: auto;
  }
  th,
  td {
    padding: 0.35rem 1.1rem 0.35rem 0;
    vertical-align: top;
  }
  thead th {
    color: var(--sa-source);
  }
  tbody th {
    font-weight: 400;
    max-width: 11rem;
  }
  td .note,
  th .note {
    display: block;
    font-size: 0.8rem;
    line-height: 1.35;
    font-weight: 400;
  }
  thead .note {
    display: inline;
  }
  .sum {
    padding-right: 0;
  }
  td.sum {
    padding-left: 0.2rem;
  }
  .off td,
  .off th {
    color: var(--sa-muted);
  }
  .source {
    color: var(--sa-source);
  }
  .target {
    color: var(--sa-target);
  }
  sub,
  sup {
    line-height: 0;
  }
  .attention,
  .alpha strong,
  .context strong {
    color: var(--sa-attention);
  }
  .pad {
    background: repeating-linear-gradient(-45deg, transparent 0 5px, var(--sa-line) 5px 6px);
  }
  .entry {
    width: 4.2rem;
    font-variant-numeric: tabular-nums;
  }
  .entry[aria-invalid] {
    border-color: var(--sa-error);
    border-width: 2px;
    border-style: dashed;
  }
  .pad .entry.score {
    text-decoration: line-through;
  }
  .entries {
    display: grid;
    gap: 0.25rem;
    justify-items: start;
  }
  .vector {
    white-space: nowrap;
  }
  .controls .buttons {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  @container (max-width: 30rem) {
    table {
      font-size: 0.8rem;
    }
    th,
    td {
      padding-right: 0.35rem;
    }
    tbody th {
      max-width: 3.9rem;
    }
    td .note {
      font-size: 0.75rem;
    }
    .entry {
      width: 2.9rem;
      padding-inline: 0.25rem;
    }
    .vector {
      white-space: normal;
    }
    thead .note {
      display: block;
    }
  }
`;
