// sa-factors: Eq. 1 factor by factor, for the text at hand: what each is conditioned on, its value, and their product.
import { css, html, nothing, svg, type TemplateResult } from "lit";
import { decimals, visible } from "../draw/characters.ts";
import {
  type Factor,
  factorsOf,
  LIST,
  listHeight,
  probabilityText,
  rowAt,
  rowTop,
  runnersUp,
  STRIP,
  yearsMoved,
} from "../draw/factors.ts";
import { listParts, stripParts } from "../draw/factors-figure.ts";
import { rem } from "../draw/size.ts";
import type { Decoding } from "../engine/protocol.ts";
import { factors as messages } from "../page/messages.ts";
import { Demo, demoProperties } from "./demo.ts";
import { keptAnswer } from "./kept.ts";
import { numberText } from "./number-text.ts";
import { placeIn, revealIn, steppedBy } from "./stepping.ts";

interface Shown {
  decoding: Decoding;
  factors: Factor[];
  vocabulary: readonly string[];
}

const RUNNERS_UP = 4;

export class Factors extends Demo<Shown> {
  static override properties = demoProperties("sa-factors");
  declare text: string;
  declare model: string;
  declare step: number;
  readonly element = "sa-factors";
  protected readonly inputs = ["text", "model"];
  /** Under a pointer the list stays where it is. */
  #pointed = false;

  protected async ask(): Promise<Shown> {
    await this.models.want(this.model);
    const decoding = await this.models.client.decode(this.model, this.text, this.asker);
    return { decoding, factors: factorsOf(decoding), vocabulary: this.models.info?.target_vocabulary ?? [] };
  }

  protected show(shown: Shown) {
    const kept = keptAnswer(this.model, shown.decoding);
    return kept ? html`${this.keep(kept, () => this.#all(shown))}` : this.#all(shown);
  }

  protected rows({ decoding, factors }: Shown) {
    return [
      ["t", "token", "before", "factor", "product"],
      ...factors.map(({ index, token, before, probability, product }) => [
        index + 1,
        token,
        before.join(""),
        probability,
        product,
      ]),
      ["", "", "", "log_prob", decoding.log_prob],
    ];
  }

  protected override updated() {
    const { step, factors } = this.#place();
    if (!factors) return;
    if (!this.#pointed) revealIn(this.renderRoot.querySelector(".list"), rowTop(step), LIST.row, "y", LIST.top);
    const now = this.renderRoot.querySelector<SVGRectElement>(".strip .now");
    if (now) revealIn(this.renderRoot.querySelector(".strip"), now.x.baseVal.value, STRIP.cell, "x", STRIP.cell);
  }

  /** The factor on show; a step beyond the answer's end is its last. */
  #place() {
    const factors = this.shown?.factors;
    return { step: Math.min(this.step, Math.max((factors?.length ?? 1) - 1, 0)), factors };
  }

  #all({ decoding, factors, vocabulary }: Shown): TemplateResult {
    const { source, tokens, output, K, finished, log_prob } = decoding;
    const moves = yearsMoved(source, output);
    const { step } = this.#place();
    const last = factors.at(-1);
    return html`
      <p>
        ${messages.lengths(source.length, Array.from(output).length, tokens.length, finished)} ${messages.dates(K)}
        ${moves.slice(0, 1).map(({ characters, from, to }) => messages.move(characters, from, to))}
      </p>
      <div class="figure">
        <div class="list scroll" role="listbox" tabindex="0" aria-label=${messages.listLabel(factors.length)}
          aria-activedescendant="factor-${step}"
          @keydown=${this.#onKey} @pointermove=${this.#onPointer} @pointerdown=${this.#onPointer}>
          ${this.#list(factors, step)}
        </div>
        <div class="side">
          <div class="strip scroll">${this.#strip(decoding, step, moves)}</div>
          ${this.#spelled(decoding, factors[step], vocabulary)}
        </div>
      </div>
      <p>
        ${messages.end}<span class="mono">P(y | x)</span> ${last ? html`= ${numberText(last.product, 6)}` : nothing}${messages.endProduct(factors.length)}<span
          class="mono">log P(y | x)</span> = <span class="num">${decimals(log_prob, 4).replace("-", "\u2212")}</span>${messages.endSum}
      </p>
    `;
  }

  #list(factors: readonly Factor[], step: number) {
    const height = listHeight(factors.length);
    const option = (drawn: TemplateResult, { index, token, probability }: Factor) => {
      const { relation, digits } = probabilityText(probability);
      return svg`<g role="option" id="factor-${index}" aria-selected=${index === step}
        aria-label=${messages.row(index + 1, token, `${relation === "=" ? "" : relation}${digits}`)}>${drawn}</g>`;
    };
    return html`<svg class="sa-marks" role="none" viewBox="0 0 ${LIST.width} ${height}" width=${rem(LIST.width)} height=${rem(height)}>
      ${listParts(factors, step, option)}
    </svg>`;
  }

  #strip({ source, tokens }: Decoding, step: number, moves: ReturnType<typeof yearsMoved>) {
    const { width, marks } = stripParts(source, tokens, moves, step);
    return html`<svg class="sa-marks" role="img" aria-label=${messages.stripLabel} viewBox="0 0 ${width} ${STRIP.height}"
      width=${rem(width)} height=${rem(STRIP.height)}>${marks}</svg>`;
  }

  /** The factor on show in full, and the tokens that came next. */
  #spelled(decoding: Decoding, factor: Factor | undefined, vocabulary: readonly string[]) {
    if (!factor) return nothing;
    const { index, token, before, probability } = factor;
    const { relation, digits } = probabilityText(probability);
    const given = before.length === 0 ? nothing : html`<span class="target">${before.map(visible).join("")}</span>, `;
    return html`<div class="spelled" aria-live="polite">
        <p class="formula mono">P(<strong class="target">${visible(token)}</strong> | ${given}<span class="source">x</span>) ${relation} ${digits}</p>
        <p class="note">${messages.conditions(index + 1, decoding.tokens.length, before.length)}</p>
      </div>
      <dl class="next">
        <dt class="note">${messages.runnersUp}</dt>
        ${runnersUp(decoding, index, vocabulary, RUNNERS_UP).map(
          (next) => html`<dd><span class="mono">${visible(next.token)}</span> ${numberText(next.probability, 2)}</dd>`,
        )}
      </dl>`;
  }

  #go(step: number, pointed: boolean) {
    this.#pointed = pointed;
    if (step !== this.#place().step) this.change({ step });
  }

  #onKey = (event: KeyboardEvent) => {
    const { step, factors } = this.#place();
    const to = steppedBy(event, step, 0, (factors?.length ?? 1) - 1);
    if (to === null) return;
    event.preventDefault();
    this.#go(to, false);
  };

  #onPointer = (event: PointerEvent) => {
    const drawing = this.renderRoot.querySelector<SVGSVGElement>(".list svg");
    if (!drawing || !this.shown) return;
    this.#go(rowAt(placeIn(drawing, event).y, this.shown.factors.length), true);
  };

  static override styles = [
    ...Demo.styles,
    css`
      .figure {
        display: grid;
        grid-template-columns: minmax(0, auto) minmax(0, 1fr);
        gap: 1rem 3rem;
        align-items: start;
      }
      .list {
        max-height: 27rem;
        overflow-y: auto;
        cursor: default;
      }
      .side {
        display: grid;
        gap: 1rem;
        min-width: 0;
      }
      .formula {
        font-size: 1.15rem;
        overflow-wrap: anywhere;
        min-height: 1.5em;
      }
      .source {
        color: var(--sa-source);
      }
      .target {
        color: var(--sa-target);
      }
      .next {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 1.4rem;
        align-items: baseline;
      }
      dd .mono {
        margin-right: 0.3em;
        color: var(--sa-target);
        font-weight: 600;
      }
      sup {
        line-height: 0;
      }
      @media print {
        .list {
          max-height: none;
        }
      }
      @media (max-width: 46rem) {
        .figure {
          grid-template-columns: minmax(0, 1fr);
        }
        .side {
          order: -1;
        }
      }
    `,
  ];
}
