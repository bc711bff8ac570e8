// sa-worked-attention: the attention step on small numbers, each of which can be changed, worked line by line.
import { html, nothing } from "lit";
import { decimals } from "../draw/characters.ts";
import { average, pointsOf } from "../draw/plane.ts";
import {
  entryOf,
  isBeginning,
  type Example,
  examples,
  hasVectors,
  MOST_POSITIONS,
  plainExponentials,
  positionsOf,
  readWorked,
  type Worked,
  withEntry,
  withPositions,
  writeWorked,
} from "../draw/worked.ts";
import type { AttentionStep } from "../engine/protocol.ts";
import { workedAttention as messages } from "../page/messages.ts";
import { Demo, demoProperties } from "./demo.ts";
import { context, framed, hull, queryArrow, stateArrow, axes } from "./plane-drawing.ts";
import { weightDrawing } from "./weight-drawing.ts";
import { type Draft, type List, workedStyles, working } from "./working.ts";

export interface Shown {
  worked: Worked;
  step: AttentionStep;
  /** exp(score) of the positions that are no padding; null where those do not fit into a 32-bit number. */
  plain: number[] | null;
}

const NAMES = Object.keys(examples) as Example[];

export class WorkedAttention extends Demo<Shown> {
  static override properties = demoProperties("sa-worked-attention", { drafts: { state: true } });
  declare example: Example;
  declare numbers: string;
  declare padding: number;
  /** What stands in fields just as it was typed; where that is no number, the working goes on with the last one. */
  declare drafts: ReadonlyMap<string, Draft>;
  readonly element = "sa-worked-attention";
  protected readonly inputs = ["example", "numbers", "padding"];

  constructor() {
    super();
    this.drafts = new Map();
  }

  get worked(): Worked {
    return readWorked(this.example, this.numbers, this.padding);
  }

  protected async ask(): Promise<Shown> {
    const { worked } = this;
    const { client } = this.models;
    await this.models.start();
    const S = positionsOf(worked);
    const real = S - worked.padding;
    const step = await (hasVectors(worked)
      ? client.dotProductAttention([...worked.q], [...worked.h], real)
      : client.maskedAttention([...worked.score], new Float32Array(S), real));
    // A last score of 0 has the exponential by which all others are measured.
    const score = [...step.score.subarray(0, real), 0];
    const beside = await client.maskedAttention(score, new Float32Array(score.length), score.length);
    return { worked, step, plain: plainExponentials(score, beside.exponential) };
  }

  protected show(shown: Shown) {
    return html`
      <fieldset class="examples">
        <legend>${messages.examples}</legend>
        ${NAMES.map((name) => this.#choice(name))}
      </fieldset>
      <div class="work">
        <div class="steps">${working(shown, this.drafts, this.#onType)} ${this.#positions(shown)} ${this.#wrong()}</div>
        ${this.#figure(shown)}
      </div>
      <p class="num live" aria-live="polite">${this.#result(shown)}</p>
    `;
  }

  protected rows({ step, plain, worked }: Shown) {
    const { score, exponential, alpha, largest, sum } = step;
    return [
      ["position", "score", "exponential", "exponential_largest_off", "alpha", "h_x", "h_y"],
      ...Array.from(score, (value, i) => [
        i + 1,
        value,
        plain?.[i] ?? "",
        exponential[i] ?? 0,
        alpha[i] ?? 0,
        worked.h[2 * i] ?? "",
        worked.h[2 * i + 1] ?? "",
      ]),
      ["largest", largest, "sum", sum, "h_bar", ...(hasVectors(worked) ? step.h_bar : [])],
    ];
  }

  protected override reset() {
    this.drafts = new Map();
    super.reset();
  }

  #choice(name: Example) {
    const choose = () => {
      this.drafts = new Map();
      this.change({ example: name, numbers: "", padding: -1 });
    };
    return html`<label><input type="radio" name="example" .checked=${name === this.example} @change=${choose} /> ${messages.example[name]}</label>`;
  }

  #positions({ worked }: Shown) {
    const S = positionsOf(worked);
    const set = (more: boolean) => {
      this.drafts = new Map();
      const changed = withPositions(this.worked, more);
      this.change({
        numbers: writeWorked(this.example, changed),
        padding: Math.min(worked.padding, positionsOf(changed) - 1),
      });
    };
    const pad = (event: Event) => this.change({ padding: Number((event.target as HTMLSelectElement).value) });
    return html`<div class="controls">
      <span class="buttons">
        <button ?disabled=${S === MOST_POSITIONS} @click=${() => set(true)}>${messages.add}</button>
        <button ?disabled=${S === 1} @click=${() => set(false)}>${messages.remove}</button>
      </span>
      <label>
        ${messages.padding}
        <select name="padding" .value=${String(worked.padding)} @change=${pad}>
          ${Array.from({ length: S }, (_, k) => html`<option value=${k} ?selected=${k === worked.padding}>${messages.paddingOf(k, S)}</option>`)}
        </select>
      </label>
    </div>`;
  }

  #wrong() {
    const wrong = [...this.drafts.values()].filter((draft) => draft.wrong);
    if (wrong.length === 0) return nothing;
    return html`<div class="alert" id="wrong" role="alert">${wrong.map((draft) => html`<p>${messages.notNumber(draft)}</p>`)}</div>`;
  }

  #result({ worked, step }: Shown) {
    const weights = messages.weights(Array.from(step.alpha, (alpha) => decimals(alpha, 3)));
    const own = this.numbers === "" && worked.padding === examples[this.example].padding;
    return html`${weights} ${own ? messages.remark[this.example] : nothing} ${step.alpha.some((alpha) => alpha === 1) && step.S > 1 ? messages.one : nothing}`;
  }

  #figure({ worked, step }: Shown) {
    const lines = Array.from(step.alpha, (alpha, i) => ({
      label: "h",
      index: String(i + 1),
      score: step.score[i] ?? 0,
      masked: i >= step.S - worked.padding,
      alpha,
    }));
    const weights = weightDrawing(lines, messages.weightsLabel);
    if (!hasVectors(worked)) return html`<div class="figure">${weights}</div>`;
    const states = pointsOf(worked.h);
    const real = states.length - worked.padding;
    const query = [worked.q[0] ?? 0, worked.q[1] ?? 0] as const;
    const frame = framed([...states, query]);
    return html`<div class="figure pair">
      <svg class="sa-plane" viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label=${messages.plane}>
        ${axes(frame)} ${queryArrow(frame, query)} ${hull(frame, states.slice(0, real))}
        ${states.map((point, i) => stateArrow(frame, point, i, step.alpha[i] ?? 0, i >= real))}
        ${context(frame, average(states, step.alpha))}
      </svg>
      ${weights}
    </div>`;
  }

  /** Takes up a number while it is typed; what can become none stays in its field, and is said to be none. */
  #onType = (list: List, at: number, name: string, typed: string, left: boolean) => {
    const value = entryOf(typed);
    const { worked } = this;
    const drafts = new Map(this.drafts);
    const key = `${list} ${at}`;
    if (left && value !== null) drafts.delete(key);
    else
      drafts.set(key, {
        name,
        typed,
        last: worked[list][at] ?? 0,
        wrong: value === null && (left || !isBeginning(typed)),
      });
    this.drafts = drafts;
    if (value !== null) this.change({ numbers: writeWorked(this.example, withEntry(worked, list, at, value)) });
  };

  static override styles = [...Demo.styles, workedStyles];
}
