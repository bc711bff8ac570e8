// sa-attention-map: which source characters were read for each token written, as a map, in words and as a table.
import { html, nothing, type PropertyValues, svg } from "lit";
import { guard } from "lit/directives/guard.js";
import type { FieldRow } from "../draw/alignment.ts";
import {
  cellAt,
  FIELD_LABEL,
  layOut,
  type MapData,
  type MapLayout,
  type MapMarks,
  mapMarks,
  SPARSE_FROM,
  strongest,
} from "../draw/map.ts";
import { messages } from "../page/messages.ts";
import { fieldStyles, mapStyles } from "./attention-map-styles.ts";
import { lightTable, tablePlace, weightsTable } from "./attention-table.ts";
import { type Cell, NOWHERE, PickEvent, type Point, PointEvent, samePlace, shared } from "./base.ts";
import {
  cell,
  columnLabel,
  fieldLabel,
  fieldLegend,
  fieldOutlines,
  grid,
  highlight,
  legend,
  rowLabel,
} from "./map-drawing.ts";
import { moved } from "./map-keys.ts";
import { mapWords } from "./map-words.ts";
import { NearElement } from "./near.ts";

/** Pace of stepping through the rows. */
const STEP_MS = 550;
/** Room kept above and below a cell that the page scrolls to. */
const FOLLOW_MARGIN = 6;
/** While someone types, the table of a large map waits for a pause of this length. */
const TABLE_PAUSE_MS = 250;
/** A table larger than this is made only when it is asked for. */
const UNSEEN_TABLE_CELLS = 6000;
/** From this width on a cell has room for larger print. */
const ROOMY_FROM = 40;

export class AttentionMap extends NearElement {
  static override properties = {
    data: { attribute: false },
    point: { attribute: false },
    kept: { attribute: false },
    explained: { attribute: false },
    fields: { attribute: false },
    width: { state: true },
    tabled: { state: true },
    tableShown: { state: true },
    stepping: { state: true },
  };

  declare data: MapData | null;
  /** Where the map is pointed at; set it to light up a place from outside. */
  declare point: Point;
  /** The cell that was picked to stay on show. */
  declare kept: Cell | null;
  /** The cell that is explained beside the map. */
  declare explained: Cell | null;
  /** What each row writes, laid over the map; null for a bare map. */
  declare fields: readonly (FieldRow | null)[] | null;
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
    this.kept = null;
    this.explained = null;
    this.fields = null;
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
    if (this.data && (changed.has("data") || changed.has("width") || changed.has("fields"))) {
      const { source, tokens } = this.data;
      this.#layout = layOut(source.length, tokens.length, this.width, this.fields ? FIELD_LABEL : 0);
      this.#marks = mapMarks(this.data, this.#layout);
      // A page of paper is filled by either side of the map, whichever is longer.
      const { rowLabelWidth, width, height } = this.#layout;
      this.style.setProperty("--sa-map-ratio", String((rowLabelWidth + width) / height));
    }
    if (changed.has("data")) this.#fillTable();
    if (changed.has("data") && this.stepping && !this.#sameText(changed.get("data"))) this.#stop();
  }

  override render() {
    const { data, point, fields } = this;
    const [layout, marks] = [this.#layout, this.#marks];
    if (!data || !layout || !marks) return nothing;
    const [S, T] = [data.source.length, data.tokens.length];
    const { rowLabelWidth, width, height, upright, cellWidth } = layout;
    const dress = upright ? "upright" : cellWidth >= ROOMY_FROM ? "roomy" : "";
    return html`
      <p class="words ${point.t === null && point.i === null ? "" : "pointed"}" aria-live="polite">${mapWords(data, point, fields)}</p>
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
        <svg class="rows" aria-hidden="true" viewBox="0 0 ${rowLabelWidth} ${height}" width=${rowLabelWidth} height=${height}>
          ${marks.rows.map((row) => [rowLabel(row, point), fieldLabel(row, fields?.[row.index], point)])}
        </svg>
        <svg
          class="cells ${dress} ${S * T > SPARSE_FROM ? "still" : ""}"
          aria-hidden="true"
          viewBox="0 0 ${width} ${height}"
          width=${width}
          height=${height}
          @pointermove=${this.#onPointer}
          @pointerdown=${this.#onPointer}
          @click=${this.#onClick}
        >
          ${grid(layout, S, T)}
          ${marks.columns.map((column) => columnLabel(column, (data.positions[column.index] ?? 0) + 1, layout, point))}
          ${guard([marks], () => marks.cells.map((row) => svg`<g>${row.map((mark) => cell(mark, layout))}</g>`))}
          ${fields ? fieldOutlines(fields, layout) : nothing} ${highlight(layout, data, point, this)}
        </svg>
      </div>
      <div class="foot">${legend()}${fields ? fieldLegend() : nothing}<span class="buttons">${this.#stepButton()} ${this.#tableButton()}</span></div>
      ${guard([this.tabled, this.tableShown], () => this.#table())}
    `;
  }

  protected override updated(changed: PropertyValues<this>) {
    if (changed.has("point") && this.point.i !== null) this.#reveal(this.point.i);
    if (this.tableShown) lightTable(this.renderRoot, this.point);
  }

  #table() {
    const { tabled, tableShown } = this;
    if (!tabled) return nothing;
    const small = tabled.source.length * tabled.tokens.length <= UNSEEN_TABLE_CELLS;
    const point = (event: Event) => this.#pointAt(tablePlace(event) ?? NOWHERE);
    return small || tableShown ? weightsTable(tabled, tableShown, point) : nothing;
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
    const toggle = () => {
      this.tableShown = !this.tableShown;
    };
    return html`<button aria-expanded=${this.tableShown} @click=${toggle}>
      ${this.tableShown ? messages.tableHide : messages.tableShow}
    </button>`;
  }

  #pointAt(point: Point) {
    if (samePlace(point, this.point)) return;
    this.point = point;
    this.dispatchEvent(new PointEvent(point));
  }

  /** Keeps a cell on show, or lets go of it if it is the one kept. */
  #pick(cell: Cell | null) {
    this.dispatchEvent(new PickEvent(samePlace(cell, this.kept) ? null : cell));
  }

  #cellOf(event: MouseEvent): Cell | null {
    if (!this.data || !this.#layout) return null;
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    return cellAt(this.#layout, this.data, event.clientX - box.left, event.clientY - box.top);
  }

  #onPointer(event: PointerEvent) {
    this.#stop();
    this.#pointAt(this.#cellOf(event) ?? NOWHERE);
  }

  #onClick(event: MouseEvent) {
    const cell = this.#cellOf(event);
    if (cell) this.#pick(cell);
  }

  #onLeave(event: PointerEvent) {
    if (this.stepping) return;
    // A finger leaves when it lifts; what it tapped stays.
    if (event.pointerType !== "touch") this.#pointAt(NOWHERE);
  }

  #onFocus() {
    if (!this.data || this.point.i !== null) return;
    this.#pointAt(this.kept ?? { t: 0, i: strongest(this.data, 0) });
    void this.#follow();
  }

  #onKey(event: KeyboardEvent) {
    if (!this.data || event.ctrlKey || event.metaKey || event.altKey) return;
    const { t, i } = this.point;
    const move = moved(event.key, this.point, this.data);
    if (move) {
      this.#stop();
      this.#pointAt(move);
      void this.#follow();
    } else if ((event.key === "Enter" || event.key === " ") && t !== null && i !== null) {
      this.#pick({ t, i });
    } else if (event.key === "Escape") {
      this.#stop();
      this.#pointAt(NOWHERE);
      if (this.kept) this.#pick(null);
    } else return;
    event.preventDefault();
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

  static override styles = [...shared, mapStyles, fieldStyles];
}
