// sa-alignment: the map with the fields of the dates laid over it, and how often attention looks into them over the test split.
import { html, nothing } from "lit";
import { countAlignment, type FieldRow, fieldRows, readCell, writeCell } from "../draw/alignment.ts";
import type { MapData } from "../draw/map.ts";
import { Gate } from "../engine/gate.ts";
import type { MeasuredAlignment, Progress } from "../engine/measure.ts";
import { type Trouble, trouble } from "../engine/models.ts";
import { type Decoding, type ModelInfo, SPLIT_SIZE } from "../engine/protocol.ts";
import { alignment as messages, messages as page } from "../page/messages.ts";
import type { PickEvent, PointEvent } from "../widgets/base.ts";
import { ratesChart, ratesRows, ratesTable } from "./alignment-chart.ts";
import { measuringStyles } from "./measuring-styles.ts";
import { alignmentStyles } from "./alignment-styles.ts";
import { Demo, demoProperties } from "./demo.ts";
import { ResultEvent } from "./events.ts";
import type { Row } from "./export.ts";
import { Guess } from "./guesses.ts";
import { StandIn } from "./stand-in.ts";
import "../widgets/define.ts";

interface Shown {
  info: ModelInfo;
  decoding: Decoding;
}

/** A measurement under way. */
interface Measuring {
  progress: Pick<Progress, "done" | "total">;
  abort: AbortController;
  gate: Gate;
}

const PRESETS = [
  "3 March 2021",
  "Apr 1, 2038",
  "July 24, 2041; February 14, 1914",
  "1954/9/21; 16 May 2045; 2 Oct 2030",
] as const;
const TOLERANCES = [0, 1, 2] as const;
const WIDEST_CHART = 620;
const QUESTION = "field-rate";

export class AlignmentDemo extends Demo<Shown> {
  static override properties = demoProperties("sa-alignment", {
    measuring: { state: true },
    measuringTrouble: { state: true },
  });
  declare text: string;
  declare model: string;
  declare fields: "on" | "off";
  declare tol: number;
  declare cell: string;
  declare measuring: Measuring | null;
  declare measuringTrouble: Trouble | null;
  readonly element = "sa-alignment";
  protected readonly inputs = ["text", "model"];
  /** By what was loaded, since a name can come to mean other weights. */
  #measured = new WeakMap<ModelInfo, MeasuredAlignment>();
  #standIn = new StandIn(this);
  #guess = new Guess(this, QUESTION);

  constructor() {
    super();
    this.measuring = null;
    this.measuringTrouble = null;
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.measuring?.abort.abort();
  }

  protected async ask(): Promise<Shown> {
    const { model, text } = this;
    const info = await this.models.want(model);
    return { info, decoding: await this.models.client.decode(model, text, this.asker) };
  }

  protected show(shown: Shown) {
    return html`${this.#presets()} ${this.#controls()}
      <div class="figure">
        ${this.keep("map", () => [this.#map(shown), shown.decoding.alpha ? this.#rates(shown) : nothing])}
      </div>`;
  }

  protected rows({ info, decoding }: Shown): readonly Row[] {
    const data = mapOf(decoding);
    const written = data ? this.#fieldRows(decoding, data) : [];
    const lines = decoding.tokens.map((token, t) => {
      const row = written?.[t];
      const place = row
        ? [row.field, row.date + 1, row.span[0] + 1, row.span[1], Number(row.inField)]
        : ["", "", "", "", ""];
      return [
        t + 1,
        token,
        ...place,
        ...decoding.source.map((_, i) => data?.alpha[t * decoding.source.length + i] ?? 0),
      ];
    });
    const rates = this.#measured.get(info);
    return [
      ["row", "token", "field", "date", "from", "to", "inside", ...decoding.source],
      ...lines,
      ...(rates
        ? [["rate", "tol", "K=1", "K=2", "K=3", "K=4", "all"], ...TOLERANCES.flatMap((tol) => ratesRows(rates, tol))]
        : []),
    ];
  }

  #presets() {
    return html`<div class="presets" role="group" aria-label=${messages.presets}>
      ${PRESETS.map(
        (text) =>
          html`<button class="mono" aria-pressed=${text === this.text} @click=${() => this.suggest(text)}>${text}</button>`,
      )}
    </div>`;
  }

  #controls() {
    const lay = (event: Event) => this.change({ fields: (event.target as HTMLInputElement).checked ? "on" : "off" });
    return html`<div class="controls">
      <label><input type="checkbox" name="fields" .checked=${this.fields === "on"} @change=${lay} /> ${messages.fields}</label>
      <span class="tol" role="radiogroup" aria-label=${messages.tol}>
        ${messages.tol}
        ${TOLERANCES.map(
          (tol) => html`<label>
            <input type="radio" name="tol" value=${tol} .checked=${tol === this.tol} @change=${() => this.change({ tol })} />
            <span class="num">${tol}</span>
          </label>`,
        )}
      </span>
    </div>`;
  }

  /** Null where no fields can be laid over the map, or none are wanted. */
  #fieldRows(decoding: Decoding, data: MapData): (FieldRow | null)[] | null {
    return decoding.fields && fieldRows(data, decoding.fields, this.tol);
  }

  #map({ info, decoding }: Shown) {
    const data = mapOf(decoding);
    if (!data) return html`<p class="hint">${messages.noAttention(page.modelName(decoding.model))}</p>`;
    const written = this.#fieldRows(decoding, data);
    const told = this.#guess.value !== "" || this.#measured.has(info);
    return html`${this.#standIn.line(decoding.model)}
      <p class="count">${messages.count(countAlignment(data, written ?? []), decoding.model, this.tol, told)}</p>
      ${written ? nothing : html`<p class="hint">${messages.noFields}</p>`}
      <sa-attention-map
        .data=${data}
        .fields=${this.fields === "on" ? written : null}
        .kept=${readCell(this.cell, data)}
        @sa-pick=${this.#onPick}
        @sa-point=${this.#onPoint}
      ></sa-attention-map>`;
  }

  // What is pointed at here is this map's alone: the page's own figures are of another place, and often of another model.
  #onPick = (event: PickEvent) => {
    event.stopPropagation();
    this.change({ cell: writeCell(event.cell) });
  };
  #onPoint = (event: PointEvent) => event.stopPropagation();

  #rates({ info, decoding }: Shown) {
    const rates = this.#measured.get(info) ?? null;
    return html`<h3>${messages.ratesTitle}</h3>
      <p class="note">${messages.ratesText(decoding.model, SPLIT_SIZE)}</p>
      <div class="controls">${this.#buttons(info, rates !== null)}</div>
      <div class="measuring" role="status">${this.#status(decoding.model, rates)}</div>
      ${ratesChart(rates, this.tol, Math.min(this.width, WIDEST_CHART))}
      <p class="note">${messages.vacuousNote}</p>
      ${rates ? html`<details><summary>${messages.numbers}</summary>${ratesTable(rates, this.tol)}</details>` : nothing}`;
  }

  /** The first button begins and ends, so that the focus stays on it. */
  #buttons(info: ModelInfo, again: boolean) {
    const { measuring } = this;
    const press = () => (measuring ? measuring.abort.abort() : void this.#measure(info));
    const start = again ? messages.again : messages.start(SPLIT_SIZE);
    return html`<button @click=${press}>${measuring ? page.measureStop : start}</button>
      ${measuring ? html`<button @click=${() => this.#hold(measuring)}>${measuring.gate.held ? messages.resume : messages.pause}</button>` : nothing}`;
  }

  #hold({ gate }: Measuring) {
    if (gate.held) gate.release();
    else gate.hold();
    this.requestUpdate();
  }

  #status(model: string, rates: MeasuredAlignment | null) {
    const { measuring, measuringTrouble: wrong } = this;
    if (measuring) {
      const { done, total } = measuring.progress;
      return html`<label>
        <progress max=${total} .value=${done}></progress> ${messages.progress(done, total, measuring.gate.held)}
      </label>`;
    }
    if (wrong) return html`<p class="alert" data-code=${wrong.code}>${wrong.message}</p>`;
    if (!rates) return nothing;
    return messages.measured(page.modelName(model), page.measuredIn(SPLIT_SIZE, rates.seconds, rates.workers));
  }

  async #measure(info: ModelInfo) {
    const [abort, gate] = [new AbortController(), new Gate()];
    const onProgress = (progress: Progress) => {
      this.measuring = { progress, abort, gate };
    };
    this.measuringTrouble = null;
    this.measuring = { progress: { done: 0, total: SPLIT_SIZE }, abort, gate };
    try {
      const { signal } = abort;
      const rates = await this.models.client.measureAlignment(this.model, { onProgress, signal, pause: gate });
      this.#measured.set(info, rates);
      this.dispatchEvent(new ResultEvent(QUESTION, messages.result(rates.field_hit_rate.all)));
    } catch (error) {
      if (!abort.signal.aborted) this.measuringTrouble = trouble(error);
    }
    this.measuring = null;
  }

  static override styles = [...Demo.styles, measuringStyles, alignmentStyles];
}

function mapOf({ source, positions, tokens, alpha }: Decoding): MapData | null {
  return alpha && { source, positions, tokens, alpha };
}
