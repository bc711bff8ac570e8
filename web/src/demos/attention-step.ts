// sa-attention-step: a map of the text, and one cell of it unfolded from score to weight to its part of the context.
import { css, html } from "lit";
import type { MapData } from "../draw/map.ts";
import type { Decoding, ModelInfo } from "../engine/protocol.ts";
import { cellToExplain, cellWithin, Rows } from "../page/explaining.ts";
import { attentionStep as messages } from "../page/messages.ts";
import { type Cell, NOWHERE, type PickEvent, type Point, type PointEvent, samePlace } from "../widgets/base.ts";
import type { ExplainedCell } from "../widgets/cell-explanation.ts";
import { Demo, demoProperties } from "./demo.ts";
import { StandIn } from "./stand-in.ts";
import "../widgets/define.ts";
import "../widgets/define-later.ts";

interface Shown {
  info: ModelInfo;
  text: string;
  decoding: Decoding;
  /** Null for a model without attention. */
  explained: ExplainedCell | null;
}

/** From this many characters on the map takes the whole width and the cell is unfolded below it. */
const WIDE_FROM = 40;

/** A cell as the attribute writes it, row and column from 1. */
export function readCell(written: string): Cell | null {
  const [, t, i] = written.match(/^(\d+)-(\d+)$/) ?? [];
  return t && i && Number(t) > 0 && Number(i) > 0 ? { t: Number(t) - 1, i: Number(i) - 1 } : null;
}
export const writeCell = (cell: Cell | null) => (cell ? `${cell.t + 1}-${cell.i + 1}` : "");

const attends = (decoding: Decoding): decoding is Decoding & MapData => decoding.alpha !== null;

export class AttentionStep extends Demo<Shown> {
  static override properties = demoProperties("sa-attention-step", { point: { state: true } });
  declare text: string;
  declare model: string;
  declare cell: string;
  /** Where the map is pointed at. */
  declare point: Point;
  readonly element = "sa-attention-step";
  protected readonly inputs = ["text", "model", "cell", "point"];
  #standIn = new StandIn(this);
  #rows = new Rows((model, text, t) => this.models.client.inspect(model, text, t, this.asker));
  /** The weights that the rows were made with. */
  #info: ModelInfo | undefined;

  constructor() {
    super();
    this.point = NOWHERE;
  }

  protected async ask(): Promise<Shown> {
    const { text, model, cell, point } = this;
    const info = await this.models.want(model);
    if (info !== this.#info) this.#rows.clear();
    this.#info = info;
    const decoding = await this.models.client.decode(model, text, this.asker);
    if (!attends(decoding)) return { info, text, decoding, explained: null };
    const at = cellToExplain(decoding, point, cellWithin(decoding, readCell(cell)));
    const row = await this.#rows.get(model, text, at.t);
    const { source, positions, tokens } = decoding;
    return { info, text, decoding, explained: { info, source, positions, tokens, row, ...at } };
  }

  protected show(shown: Shown) {
    const { decoding } = shown;
    if (!attends(decoding)) return html`<p class="hint">${messages.noAttention}</p>`;
    return html`${this.keep("map", () => this.#live(shown, decoding))}`;
  }

  protected rows({ decoding, explained }: Shown) {
    if (!explained) return [];
    const { row, source, positions, t } = explained;
    return [
      ["row", "token", "position", "character", "score", "exponential", "sum", "alpha"],
      ...source.map((character, i) => [
        t + 1,
        decoding.tokens[t] ?? "",
        (positions[i] ?? i) + 1,
        character,
        row.score[i] ?? 0,
        row.exponential[i] ?? 0,
        row.sum,
        row.alpha[i] ?? 0,
      ]),
    ];
  }

  /** The map's drawings; they stand in the map's own root. */
  protected override get figure(): Element | null {
    return this.renderRoot.querySelector("sa-attention-map")?.shadowRoot?.querySelector(".region") ?? null;
  }

  #live({ info, explained }: Shown, decoding: Decoding & MapData) {
    const [S, T] = [decoding.source.length, decoding.tokens.length];
    const kept = cellWithin(decoding, readCell(this.cell));
    return html`${this.#standIn.line(info.name)}
      <div
        class="figure ${S >= WIDE_FROM ? "wide" : ""}"
        @sa-point=${this.#onPoint}
        @sa-pick=${this.#onPick}
      >
        <sa-attention-map
          model=${info.name}
          .data=${decoding}
          .point=${this.point}
          .kept=${kept}
          .explained=${explained}
        ></sa-attention-map>
        <sa-cell-explanation .explained=${explained} .kept=${samePlace(kept, explained)}></sa-cell-explanation>
      </div>
      <p class="num cost">${messages.cost(info.name, S, T)}</p>`;
  }

  #onPoint = (event: PointEvent) => {
    event.stopPropagation();
    this.point = event.point;
  };

  #onPick = (event: PickEvent) => {
    event.stopPropagation();
    this.change({ cell: writeCell(event.cell) });
  };

  static override styles = [
    ...Demo.styles,
    css`
      :host {
        clear: both;
        container-type: inline-size;
      }
      .figure {
        display: grid;
        gap: 1rem 2.5rem;
        grid-template-columns: minmax(0, 1fr);
      }
      @container (min-width: 58rem) {
        .figure:not(.wide) {
          grid-template-columns: minmax(0, 1fr) minmax(0, 22rem);
        }
      }
    `,
  ];
}
