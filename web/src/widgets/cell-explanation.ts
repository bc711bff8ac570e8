// sa-cell-explanation: how one weight of the map comes about, from score to weight to its part of the average read.
import { html, nothing, svg, type TemplateResult } from "lit";
import { decimals, visible } from "../draw/characters.ts";
import { barsPath, cellNumbers, type CellNumbers, rangeOf, signedBars } from "../draw/explain.ts";
import type { Inspection, ModelInfo } from "../engine/protocol.ts";
import { messages } from "../page/messages.ts";
import { PickEvent, PointEvent, shared } from "./base.ts";
import { explanationStyles } from "./cell-explanation-styles.ts";
import {
  contextSymbol,
  exponentialFormula,
  partSymbol,
  type Place,
  scoreEquation,
  scoreFormula,
  sumFormula,
  weightFormula,
} from "./formulas.ts";
import { NearElement } from "./near.ts";

/** A cell of a model's map with all that went into it. */
export interface ExplainedCell {
  info: ModelInfo;
  source: readonly string[];
  positions: readonly number[];
  tokens: readonly string[];
  row: Inspection;
  t: number;
  i: number;
}

const WIDTH = 352;
const ROW_BARS = 44;
const STRIP = 40;
/** On a narrow screen the drawings of the row and of the part are folded away below the numbers. */
const NARROW = window.matchMedia("(max-width: 40rem)");
/** Over this many columns their characters no longer fit under the bars. */
const LABELLED = 44;

const folding = (title: string, body: TemplateResult) =>
  NARROW.matches
    ? html`<details><summary><h3>${title}</h3></summary>${body}</details>`
    : html`<h3>${title}</h3>${body}`;

export class CellExplanation extends NearElement {
  static override properties = { explained: { attribute: false }, kept: { type: Boolean } };
  #onNarrow = () => this.requestUpdate();

  declare explained: ExplainedCell | null;
  /** The cell stays on show until another is picked. */
  declare kept: boolean;

  constructor() {
    super();
    this.explained = null;
    this.kept = false;
  }

  override connectedCallback() {
    super.connectedCallback();
    NARROW.addEventListener("change", this.#onNarrow);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    NARROW.removeEventListener("change", this.#onNarrow);
  }

  override render() {
    const { explained, kept } = this;
    if (!explained) return nothing;
    const { info, source, positions, tokens, row, t, i } = explained;
    const numbers = cellNumbers(row, i);
    const at = { t: t + 1, i: (positions[i] ?? i) + 1, ordering: info.ordering };
    const place = messages.explainedCell(at.t, tokens[t] ?? "", source[i] ?? "", at.i);
    const toggle = () => this.dispatchEvent(new PickEvent(kept ? null : { t, i }));
    return html`<div role="group" aria-labelledby="title">
      <div class="head">
        <h2 id="title">${messages.explanationTitle}</h2>
        <button aria-pressed=${kept} @click=${toggle}>${messages.keepCell}</button>
      </div>
      <p class="place">${messages.modelName(row.model)}: ${place}</p>
      <div class="columns">
        ${this.#steps(info, at, numbers, row)}
        <div>${this.#row(explained)}</div>
        <div>${this.#part(at, numbers, row)}</div>
      </div>
    </div>`;
  }

  #steps({ score }: ModelInfo, at: Place, numbers: CellNumbers, row: Inspection) {
    const { exponential, sum, alpha, largest } = numbers;
    return html`<dl class="steps">
      <dt>${messages.scoreStep(scoreEquation(score))}</dt>
      <dd class="score">${scoreFormula(score, at, numbers.score)}<p>${messages.scoreMeaning[score]}</p></dd>
      <dt>${messages.exponentialStep}</dt>
      <dd class="exponential">${exponentialFormula(numbers.score, largest, exponential)}<p>${messages.exponentialMeaning}</p></dd>
      <dt>${messages.sumStep(row.S)}</dt>
      <dd class="sum">${sumFormula(sum)}</dd>
      <dt>${messages.weightStep}</dt>
      <dd class="weight">${weightFormula(at, exponential, sum, alpha)}</dd>
    </dl>`;
  }

  /** Score, exponential and weight of every position, one bar each under one another. */
  #row(explained: ExplainedCell) {
    const { row, source, t } = explained;
    const lines = [
      ["score", messages.rowScore, row.score, rangeOf(row.score)],
      ["exponential", messages.rowExponential, row.exponential, [0, 1]],
      ["alpha", messages.rowWeight, row.alpha, [0, 1]],
    ] as const;
    const labelled = source.length <= LABELLED;
    return folding(
      messages.rowTitle(t + 1),
      html`<div class="lines" role="img" aria-label=${messages.rowLabel(t + 1)} @pointerleave=${this.#onLeave}>
        ${lines.map(([name, label, values, range]) => this.#line(explained, name, label, values, range))}
        ${labelled ? this.#letters(explained) : nothing}
      </div>`,
    );
  }

  #line(explained: ExplainedCell, name: string, label: string, values: Float32Array, range: readonly [number, number]) {
    const { i, t, source } = explained;
    const step = WIDTH / source.length;
    const { bars, zero } = signedBars(values, range, { width: WIDTH, height: ROW_BARS, gap: Math.min(4, step / 4) });
    return html`<p class="label">${label}</p>
      <svg class="bars ${name}" viewBox="0 0 ${WIDTH} ${ROW_BARS}" aria-hidden="true" preserveAspectRatio="none">
        <path class="axis" d="M0 ${zero}H${WIDTH}" />
        ${bars.map(({ x, y, width, height }, k) => svg`<rect class=${k === i ? "lit" : ""} x=${x} y=${y} width=${width} height=${height} />`)}
        ${source.map(
          (_, k) => svg`<rect
            class="target"
            x=${k * step}
            width=${step}
            height=${ROW_BARS}
            @pointerenter=${() => this.dispatchEvent(new PointEvent({ t, i: k }))}
            @click=${() => this.dispatchEvent(new PickEvent({ t, i: k }))}
          />`,
        )}
      </svg>`;
  }

  #letters({ source, i }: ExplainedCell) {
    const step = WIDTH / source.length;
    return html`<svg class="letters" viewBox="0 0 ${WIDTH} 18" aria-hidden="true">
      ${source.map(
        (character, k) =>
          svg`<text class=${k === i ? "lit" : ""} x=${(k + 0.5) * step} y="10">${visible(character)}</text>`,
      )}
    </svg>`;
  }

  /** This cell's part of the average read, over the average itself, dimension by dimension and at one scale. */
  #part(at: Place, { part, share }: CellNumbers, { h_bar, d_enc }: Inspection) {
    const range = rangeOf(part, h_bar);
    const strip = (values: Float32Array, name: string) => {
      const { bars, zero } = signedBars(values, range, { width: WIDTH, height: STRIP, gap: 0.6 });
      return html`<svg class="strip ${name}" viewBox="0 0 ${WIDTH} ${STRIP}" aria-hidden="true" preserveAspectRatio="none">
        <path class="axis" d="M0 ${zero}H${WIDTH}" />
        <path class="values" d=${barsPath(bars)} />
      </svg>`;
    };
    return folding(
      messages.partTitle,
      html`<div class="lines" role="img" aria-label=${messages.partLabel(d_enc)}>
        <p class="label">${partSymbol(at)} ${messages.partOf}</p>
        ${strip(part, "part")}
        <p class="label">${contextSymbol(at)} ${messages.partWhole}</p>
        ${strip(h_bar, "whole")}
      </div>
      <p class="share">${messages.partShare(decimals(100 * share, 1))}</p>`,
    );
  }

  #onLeave = (event: PointerEvent) => {
    if (event.pointerType !== "touch") this.dispatchEvent(new PointEvent({ t: null, i: null }));
  };

  static override styles = [...shared, explanationStyles];
}
