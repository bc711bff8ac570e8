// sa-attention-map: which source characters were read for each token written, as a map, in words and as a table.
import { html, LitElement, nothing, type PropertyValues, svg } from "lit";
import { guard } from "lit/directives/guard.js";
import {
  type Cell,
  cellAt,
  type Label,
  layOut,
  type MapData,
  type MapLayout,
  type MapMarks,
  mapMarks,
  SPARSE_FROM,
  strongest,
  weightAt,
} from "../draw/map.ts";
import { attentionRamp } from "../draw/ramp.ts";
import { messages } from "../page/messages.ts";
import { mapStyles } from "./attention-map-styles.ts";
import { weightsTable } from "./attention-table.ts";
import { NOWHERE, type Point, PointEvent, shared } from "./base.ts";

const LEGEND_STEPS = 11;
/** Pace of stepping through the rows. */
const STEP_MS = 550;
/** Room kept above and below a cell that the page scrolls to. */
const FOLLOW_MARGIN = 6;
/** While someone types, the table of a large map waits for a pause of this length. */
const TABLE_PAUSE_MS = 250;
/** A table larger than this is made only when it is asked for. */
const UNSEEN_TABLE_CELLS = 6000;

export class AttentionMap extends LitElement {
  static override properties = {
    data: { attribute: false },
    point: { attribute: false },
    width: { state: true },
    tabled: { state: true },
    tableShown: { state: true },
    stepping: { state: true },
  };

  declare data: MapData | null;
  /** Where the map is pointed at; set it to light up a place from outside. */
  declare point: Point;
  declare width: number;
  /** What the table holds. */
  declare tabled: MapData | null;
  declare tableShown: boolean;
  declare stepping: boolean;

  #layout: MapLayout | undefined;
  #marks: MapMarks | undefined;
  #stepTimer: ReturnType<typeof setTimeout> | undefined;
  #tableTimer: ReturnType<typeof setTimeout> | undefined;
  #resizes = new ResizeObserver(([entry]) => {
    if (entry) this.width = Math.floor(entry.contentRect.width);
  });

  constructor() {
    super();
    this.data = null;
    this.point = NOWHERE;
    this.width = 640;
    this.tabled = null;
    this.tableShown = false;
    this.stepping = false;
  }

  override connectedCallback() {
    super.connectedCallback();
    this.#resizes.observe(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#resizes.disconnect();
    clearTimeout(this.#tableTimer);
    this.#stop();
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (this.data && (changed.has("data") || changed.has("width"))) {
      this.#layout = layOut(this.data.source.length, this.data.tokens.length, this.width);
      this.#marks = mapMarks(this.data, this.#layout);
    }
    if (changed.has("data")) this.#fillTable();
    if (changed.has("data") && this.stepping && !this.#sameText(changed.get("data"))) this.#stop();
  }

  override render() {
    const { data } = this;
    const [layout, marks] = [this.#layout, this.#marks];
    if (!data || !layout || !marks) return nothing;
    const [S, T] = [data.source.length, data.tokens.length];
    return html`
      <p class="words ${this.point.t === null && this.point.i === null ? "" : "pointed"}" aria-live="polite">${this.#words(data)}</p>
      <div
        class="region"
        part="region"
        tabindex="0"
        role="group"
        aria-roledescription=${messages.mapRole}
        aria-label=${messages.mapLabel(T, S)}
        @keydown=${this.#onKey}
        @focus=${this.#onFocus}
        @pointerleave=${this.#onLeave}
      >
        <svg
          class="rows"
          aria-hidden="true"
          viewBox="0 0 ${layout.rowLabelWidth} ${layout.height}"
          width=${layout.rowLabelWidth}
          height=${layout.height}
        >
          ${marks.rows.map((row) => this.#row(row))}
        </svg>
        <svg
          class="cells ${layout.upright ? "upright" : layout.cellWidth >= 40 ? "roomy" : ""} ${S * T > SPARSE_FROM ? "still" : ""}"
          aria-hidden="true"
          viewBox="0 0 ${layout.width} ${layout.height}"
          width=${layout.width}
          height=${layout.height}
          @pointermove=${this.#onPointer}
          @pointerdown=${this.#onPointer}
        >
          ${this.#grid(layout, S, T)} ${marks.columns.map((column) => this.#column(column, data))}
          ${guard([marks], () => marks.cells.map((row) => svg`<g>${row.map((cell) => this.#cell(cell, layout))}</g>`))} ${this.#highlight(layout, data)}
        </svg>
      </div>
      <div class="foot">${this.#legend()}<span class="buttons">${this.#stepButton()} ${this.#tableButton()}</span></div>
      ${guard([this.tabled, this.tableShown], () => this.#table())}
    `;
  }

  protected override updated(changed: PropertyValues<this>) {
    if (changed.has("point") && this.point.i !== null) this.#reveal(this.point.i);
  }

  #table() {
    const { tabled, tableShown } = this;
    if (!tabled) return nothing;
    const small = tabled.source.length * tabled.tokens.length <= UNSEEN_TABLE_CELLS;
    return small || tableShown ? weightsTable(tabled, tableShown) : nothing;
  }

  /** The table follows at once where it is small or in sight. */
  #fillTable() {
    clearTimeout(this.#tableTimer);
    const { data } = this;
    const cells = data ? data.source.length * data.tokens.length : 0;
    const fill = () => {
      this.tabled = data;
    };
    if (cells <= SPARSE_FROM || this.tableShown || this.tabled === null) fill();
    else this.#tableTimer = setTimeout(fill, TABLE_PAUSE_MS);
  }

  #row({ index, text, space, x, y }: Label) {
    const lit = this.point.t === index ? "lit" : "";
    return svg`
      ${this.#layout?.numbered ? svg`<text class="step ${lit}" x="4" y=${y}>${index + 1}</text>` : nothing}
      <text class="row ${lit} ${space ? "space" : ""} ${text.length > 1 ? "control" : ""}" data-t=${index} x=${x} y=${y}>${text}</text>`;
  }

  #column({ index, text, space, x, y }: Label, data: MapData) {
    const lit = this.point.i === index ? "lit" : "";
    const roomy = (this.#layout?.cellWidth ?? 0) >= 20;
    return svg`
      ${roomy ? svg`<text class="step ${lit}" x=${x} y=${y - 19}>${(data.positions[index] ?? 0) + 1}</text>` : nothing}
      <text class="column ${lit} ${space ? "space" : ""}" data-i=${index} x=${x} y=${y}>${text}</text>`;
  }

  #grid({ top, cellWidth, cellHeight }: MapLayout, S: number, T: number) {
    const [right, bottom] = [S * cellWidth, top + T * cellHeight];
    const across = Array.from({ length: T + 1 }, (_, t) => `M0 ${top + t * cellHeight}H${right}`);
    const down = Array.from({ length: S + 1 }, (_, i) => `M${i * cellWidth} ${top}V${bottom}`);
    return svg`<path class="grid" d=${[...across, ...down].join("")} />`;
  }

  #cell({ t, i, x, y, fill, printed }: Cell, { cellWidth, cellHeight, upright }: MapLayout) {
    const [cx, cy] = [x + cellWidth / 2, y + cellHeight / 2];
    return svg`
      <rect data-t=${t} data-i=${i} x=${x + 0.5} y=${y + 0.5} width=${cellWidth - 1} height=${cellHeight - 1} fill=${fill} />
      ${
        printed
          ? svg`<text class="weight" x=${cx} y=${cy} fill=${printed.fill}
              transform=${upright ? `rotate(-90 ${cx} ${cy})` : nothing}>${printed.text}</text>`
          : nothing
      }`;
  }

  /** The band of the row and of the column that are pointed at, and a ring around their cell. */
  #highlight({ top, cellWidth, cellHeight }: MapLayout, { source, tokens }: MapData) {
    const { t, i } = this.point;
    const row = t !== null && t < tokens.length ? t : null;
    const column = i !== null && i < source.length ? i : null;
    const [x, y] = [(column ?? 0) * cellWidth, top + (row ?? 0) * cellHeight];
    const ring = row !== null && column !== null;
    return svg`
      <rect class="band" ?hidden=${row === null} x="0" y=${y} width=${source.length * cellWidth} height=${cellHeight} />
      <rect class="band" ?hidden=${column === null} x=${x} y=${top} width=${cellWidth} height=${tokens.length * cellHeight} />
      <rect class="ring" ?hidden=${!ring} x=${x} y=${y} width=${cellWidth} height=${cellHeight} />`;
  }

  #words(data: MapData) {
    const { t, i } = this.point;
    const token = t === null ? undefined : data.tokens[t];
    const character = i === null ? undefined : data.source[i];
    const place = (data.positions[i ?? 0] ?? 0) + 1;
    if (t !== null && i !== null && token !== undefined && character !== undefined) {
      return messages.cell(t + 1, token, character, place, weightAt(data, t, i));
    }
    if (t !== null && token !== undefined) {
      const best = strongest(data, t);
      const [most, at] = [data.source[best] ?? "", (data.positions[best] ?? 0) + 1];
      return messages.cellMost(t + 1, token, most, at, weightAt(data, t, best));
    }
    if (character !== undefined) return messages.column(character, place);
    return html`<span class="hint">${messages.mapHint}</span>`;
  }

  #legend() {
    const steps = Array.from({ length: LEGEND_STEPS }, (_, k) => k / (LEGEND_STEPS - 1));
    return html`<span class="legend">
      <span class="mono">0</span>
      <svg role="img" aria-label=${messages.legendLabel} width=${LEGEND_STEPS * 14} height="14">
        ${steps.map((step, k) => svg`<rect x=${k * 14} y="0" width="14" height="14" fill=${attentionRamp.colour(step)} />`)}
        <rect class="frame" x="0.5" y="0.5" width=${LEGEND_STEPS * 14 - 1} height="13" />
      </svg>
      <span class="mono">1</span> <span>${messages.legend}</span>
    </span>`;
  }

  #stepButton() {
    return html`<button @click=${() => (this.stepping ? this.#stop() : this.#step(0))}>
      ${this.stepping ? messages.mapStop : messages.mapStep}
    </button>`;
  }

  /** Points at row t where it reads most, and after a while at the next. */
  #step(t: number) {
    if (!this.data || t >= this.data.tokens.length) {
      this.#stop();
      return;
    }
    this.stepping = true;
    this.#pointAt({ t, i: strongest(this.data, t) });
    void this.#follow();
    this.#stepTimer = setTimeout(() => this.#step(t + 1), STEP_MS);
  }

  #stop() {
    clearTimeout(this.#stepTimer);
    this.stepping = false;
  }

  #sameText(before: MapData | null | undefined) {
    return before?.source.join("") === this.data?.source.join("");
  }

  #tableButton() {
    return html`<button
      aria-expanded=${this.tableShown}
      @click=${() => {
        this.tableShown = !this.tableShown;
      }}
    >
      ${this.tableShown ? messages.tableHide : messages.tableShow}
    </button>`;
  }

  #pointAt(point: Point) {
    if (point.t === this.point.t && point.i === this.point.i) return;
    this.point = point;
    this.dispatchEvent(new PointEvent(point));
  }

  #onPointer(event: PointerEvent) {
    this.#stop();
    if (!this.data || !this.#layout) return;
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const place = cellAt(this.#layout, this.data, event.clientX - box.left, event.clientY - box.top);
    this.#pointAt(place ?? NOWHERE);
  }

  #onLeave(event: PointerEvent) {
    if (this.stepping) return;
    // A finger leaves when it lifts; what it tapped stays.
    if (event.pointerType !== "touch") this.#pointAt(NOWHERE);
  }

  #onFocus() {
    if (!this.data || this.point.i !== null) return;
    this.#pointAt({ t: 0, i: strongest(this.data, 0) });
    void this.#follow();
  }

  #onKey(event: KeyboardEvent) {
    if (!this.data || event.ctrlKey || event.metaKey || event.altKey) return;
    const [lastT, lastI] = [this.data.tokens.length - 1, this.data.source.length - 1];
    const t = Math.min(this.point.t ?? 0, lastT);
    const i = Math.min(this.point.i ?? 0, lastI);
    const moves: Record<string, Point> = {
      ArrowUp: { t: Math.max(0, t - 1), i },
      ArrowDown: { t: Math.min(lastT, t + 1), i },
      ArrowLeft: { t, i: Math.max(0, i - 1) },
      ArrowRight: { t, i: Math.min(lastI, i + 1) },
      Home: { t, i: 0 },
      End: { t, i: lastI },
      PageUp: { t: 0, i },
      PageDown: { t: lastT, i },
      Escape: NOWHERE,
    };
    const move = moves[event.key];
    if (!move) return;
    this.#stop();
    event.preventDefault();
    this.#pointAt(move);
    void this.#follow();
  }

  /** Scrolls the page where the cell pointed at lies outside the window or under what sticks at its top. */
  async #follow() {
    await this.updateComplete;
    const [ring, words] = [".ring", ".words"].map((selector) => this.renderRoot.querySelector(selector));
    if (!ring || !words || this.point.t === null) return;
    const cell = ring.getBoundingClientRect();
    const top = words.getBoundingClientRect().bottom + FOLLOW_MARGIN;
    const bottom = document.documentElement.clientHeight - FOLLOW_MARGIN;
    if (cell.top < top) window.scrollBy(0, cell.top - top);
    else if (cell.bottom > bottom) window.scrollBy(0, Math.min(cell.bottom - bottom, cell.top - top));
  }

  /** Scrolls the region, not the page, so that column i can be seen beside the row labels. */
  #reveal(i: number) {
    const region = this.renderRoot.querySelector(".region");
    if (!region || !this.#layout || region.scrollWidth <= region.clientWidth) return;
    const { cellWidth, rowLabelWidth } = this.#layout;
    const [left, right] = [i * cellWidth, (i + 1) * cellWidth];
    const room = region.clientWidth - rowLabelWidth;
    if (left < region.scrollLeft) region.scrollLeft = left;
    else if (right > region.scrollLeft + room) region.scrollLeft = right - room;
  }

  static override styles = [...shared, mapStyles];
}
