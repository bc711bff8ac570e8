// sa-bottleneck-meter: exact match by number of dates, measured here and now for two models, beside a guess and the course's record.
import { html, nothing, type PropertyValues } from "lit";
import { decimals } from "../draw/characters.ts";
import { measurable } from "../engine/files.ts";
import { Gate } from "../engine/gate.ts";
import type { Measured, OutputProgress } from "../engine/measure.ts";
import { type Trouble, trouble } from "../engine/models.ts";
import { BUCKETS, type ModelInfo, SPLIT_SIZE } from "../engine/protocol.ts";
import { bottleneckMeter as messages, messages as page } from "../page/messages.ts";
import { Demo, demoProperties } from "./demo.ts";
import { ResultEvent } from "./events.ts";
import { Failures } from "./failures.ts";
import { Guess, numbersOf } from "./guesses.ts";
import { type Charted, meterChart } from "./meter-chart.ts";
import { measuringStyles } from "./measuring-styles.ts";
import { meterStyles } from "./meter-styles.ts";

/** What the course's own run recorded, by K (its Lab 4). */
const RECORDED: Readonly<Record<string, readonly number[]>> = { plain: [0.898, 0, 0, 0], dot: [1, 1, 1, 1] };
/** The chart is as wide as its place, up to here. */
const WIDEST = 736;
const QUESTION = "exact-match";

interface Measuring {
  model: string;
  progress: OutputProgress;
  abort: AbortController;
  gate: Gate;
}

/** The models that are here, by name. */
type Shown = ReadonlyMap<string, ModelInfo>;

const width = (d_h: number) => html`<math><msub><mi>d</mi><mi>h</mi></msub><mo>=</mo><mn>${d_h}</mn></math>.`;

export class BottleneckMeter extends Demo<Shown> {
  static override properties = demoProperties("sa-bottleneck-meter", {
    measuring: { state: true },
    measured: { state: true },
    failed: { state: true },
  });
  declare model: string;
  declare beside: string;
  declare shows: "exact" | "dates" | "form";
  declare measuring: Measuring | null;
  declare measured: ReadonlyMap<string, Measured>;
  /** Why the last measurement did not come to its end. */
  declare failed: Trouble | null;
  readonly element = "sa-bottleneck-meter";
  protected readonly inputs = ["model", "beside"];

  #failures = new Failures(this, {
    split: () => this.models.client.testSplit(),
    read: (text) => this.suggest(text),
  });
  #guess = new Guess(this, QUESTION);

  constructor() {
    super();
    this.measuring = null;
    this.measured = new Map();
    this.failed = null;
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.measuring?.abort.abort();
  }

  protected async ask(): Promise<Shown> {
    await Promise.all(this.#names.map((name) => this.models.want(name)));
    return new Map(this.models.loaded);
  }

  protected override willUpdate(changed: PropertyValues) {
    super.willUpdate(changed);
    const plain = this.measured.get("plain");
    if (changed.has("measured") && plain) {
      this.dispatchEvent(new ResultEvent(QUESTION, messages.result(plain.exact_match)));
    }
  }

  protected show(shown: Shown) {
    return html`${this.keep("measured", () => this.#meter(shown))}`;
  }

  get #names() {
    return [...new Set([this.model, this.beside])];
  }

  #meter(shown: Shown) {
    return html`
      ${this.#controls()} ${this.#status()}
      <div class="figure">${meterChart(
        this.#names.map((name) => this.#series(name, shown)),
        this.shows,
        Math.min(this.width, WIDEST),
      )}</div>
      ${this.#legend(shown)} ${this.#table()}
      ${this.#names.map((name) => this.#failures.list(name, this.measured.get(name)))}
    `;
  }

  #controls() {
    const { measuring, shows } = this;
    return html`<div class="controls">
      ${this.#choice("model", messages.first)} ${this.#choice("beside", messages.second)}
      <button class="start" @click=${() => void this.#press()}>${measuring ? page.measureStop : messages.start(SPLIT_SIZE)}</button>
      ${measuring ? html`<button @click=${() => this.#hold(measuring)}>${measuring.gate.held ? messages.resume : messages.pause}</button>` : nothing}
      <fieldset class="shows">
        <legend class="unseen">${messages.shows}</legend>
        ${(["exact", "dates", "form"] as const).map(
          (what) => html`<label
            ><input type="radio" name="shows" value=${what} .checked=${shows === what} @change=${() => this.change({ shows: what })} />
            ${messages.showsWhat[what]}</label
          >`,
        )}
      </fieldset>
    </div>`;
  }

  #choice(which: "model" | "beside", label: string) {
    const names = [...new Set([...measurable, ...this.models.loaded.keys(), this[which]])];
    const change = (event: Event) => this.change({ [which]: (event.target as HTMLSelectElement).value });
    return html`<label
      >${label}
      <select name=${which} ?disabled=${this.measuring !== null} @change=${change}>
        ${names
          .filter((name) => !name.startsWith("untrained"))
          .map(
            (name) => html`<option value=${name} .selected=${name === this[which]}>${page.modelName(name)}</option>`,
          )}
      </select></label
    >`;
  }

  #status() {
    const { measuring, failed } = this;
    return html`<div role="status" class="measuring">
      ${
        measuring
          ? html`<label
              ><progress max=${measuring.progress.total} .value=${measuring.progress.done}></progress>
              ${messages.progress(page.modelName(measuring.model), measuring.progress.done, measuring.progress.total, measuring.gate.held)}</label
            >`
          : nothing
      }
      ${failed ? html`<p class="alert" data-code=${failed.code}>${failed.message}</p>` : nothing}
    </div>`;
  }

  /** The course's record shows once there is a measurement of one's own to set beside it. */
  #series(name: string, shown: Shown): Charted {
    const { shows } = this;
    const known = this.#shares(name);
    const guess = name === "plain" && shows === "exact" ? numbersOf(this.#guess.value) : [];
    const recorded = shows === "exact" && this.measured.has(name) ? (RECORDED[name] ?? []) : [];
    return { name, attends: shown.get(name)?.score !== "none", shares: known, guesses: guess, recorded };
  }

  /** By K: what is measured, or what the sources so far say. */
  #shares(name: string): (number | null)[][] {
    const measured = this.measured.get(name);
    if (measured) {
      const of = { exact: measured.exact_match, form: measured.well_formed };
      return BUCKETS.map((_, k) =>
        this.shows === "dates" ? [...(measured.per_date[k] ?? [])] : [of[this.shows][k] ?? null],
      );
    }
    const { measuring } = this;
    return BUCKETS.map((K, k) => {
      const n = measuring?.model === name ? (measuring.progress.n[k] ?? 0) : 0;
      if (this.shows !== "exact") return Array.from({ length: this.shows === "dates" ? K : 1 }, () => null);
      return [n > 0 ? (measuring?.progress.right[k] ?? 0) / n : null];
    });
  }

  #legend(shown: Shown) {
    const [one, two] = this.#names.map((name) => shown.get(name));
    const equal = one && two && one.steps === two.steps && one.d_h === two.d_h;
    return html`<p class="note">
      ${equal ? html`<strong>${messages.equalBudget}</strong> ${messages.budget(one.steps)} ${width(one.d_h)} ${messages.more}` : messages.otherBudget}
      ${this.#names.includes("plain-reversed") ? messages.reversed : nothing}
    </p>`;
  }

  #table() {
    if (this.measured.size === 0) return nothing;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${page.measuredCaption}>
      <table>
        <caption class="unseen">${page.measuredCaption}</caption>
        <thead>
          <tr>
            <th scope="col">${page.measuredModel}</th>
            ${BUCKETS.map((K) => html`<th scope="col">${page.measuredColumn(K)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${[...this.measured].map(([name, result]) => this.#row(name, result))}
        </tbody>
      </table>
    </div>`;
  }

  #row(name: string, result: Measured) {
    const n = result.n.reduce((sum, count) => sum + count, 0);
    return html`<tr data-model=${name}>
      <th scope="row">${page.modelName(name)} <span class="how">${page.measuredIn(n, result.seconds, result.workers)}</span></th>
      ${BUCKETS.map(
        (_, k) => html`<td>
          <span class="share">${decimals(result.exact_match[k] ?? 0, 3)}</span>
          <span class="how">${page.measuredDates(result.per_date[k] ?? [])}</span>
          <span class="how">${messages.wellFormed(result.well_formed[k] ?? 0)}</span>
          ${RECORDED[name] ? html`<span class="how">${messages.recorded(RECORDED[name]?.[k] ?? 0)}</span>` : nothing}
        </td>`,
      )}
    </tr>`;
  }

  protected rows() {
    return [
      ["model", "K", "n", "exact_match", "well_formed", "date_1", "date_2", "date_3", "date_4", "recorded_exact_match"],
      ...[...this.measured].flatMap(([name, result]) =>
        BUCKETS.map((K, k) => [
          name,
          K,
          result.n[k] ?? 0,
          result.exact_match[k] ?? 0,
          result.well_formed[k] ?? 0,
          ...Array.from({ length: 4 }, (_, date) => result.per_date[k]?.[date] ?? ""),
          RECORDED[name]?.[k] ?? "",
        ]),
      ),
    ];
  }

  #hold({ gate }: Measuring) {
    if (gate.held) gate.release();
    else gate.hold();
    this.requestUpdate();
  }

  /** Measures both models, one after the other, or ends the measurement under way. */
  async #press() {
    if (this.measuring) {
      this.measuring.abort.abort();
      return;
    }
    this.failed = null;
    const abort = new AbortController();
    this.measured = new Map([...this.measured].filter(([name]) => !this.#names.includes(name)));
    try {
      for (const model of this.#names) await this.#measure(model, abort);
    } catch (error) {
      if (!abort.signal.aborted) this.failed = trouble(error);
    }
    this.measuring = null;
  }

  async #measure(model: string, abort: AbortController) {
    const gate = this.measuring?.gate ?? new Gate();
    const progress = { done: 0, total: SPLIT_SIZE, n: [0, 0, 0, 0], right: [0, 0, 0, 0] };
    this.measuring = { model, progress, abort, gate };
    await this.models.want(model);
    const measured = await this.models.client.measure(model, {
      signal: abort.signal,
      pause: gate,
      onProgress: (progress) => (this.measuring = { model, progress, abort, gate }),
    });
    this.measured = new Map(this.measured).set(model, measured);
  }

  static override styles = [...Demo.styles, measuringStyles, meterStyles];
}
