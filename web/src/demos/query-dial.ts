// sa-query-dial: turn and stretch a query over five placed states, or step through a model's real ones in its own plane.
import { html, nothing, type PropertyValues, svg } from "lit";
import type { AttentionStep } from "../engine/protocol.ts";
import { rounded } from "../draw/characters.ts";
import { aim, insideHull, LONGEST, PLACED, type Point, pointAt, tip } from "../draw/plane.ts";
import { messages as page, plane as planeMessages, queryDial as messages } from "../page/messages.ts";
import { Demo, demoProperties } from "./demo.ts";
import { ResultEvent } from "./events.ts";
import { context, dialFrame as frame, hull, queryArrow, rings, stateArrow } from "./plane-drawing.ts";
import { askPlane, type ModelPlane, planeRows, planeView } from "./query-dial-model.ts";
import { dialStyles } from "./query-dial-styles.ts";
import { StandIn } from "./stand-in.ts";
import { weightDrawing } from "./weight-drawing.ts";

interface Placed {
  view: "placed";
  angle: number;
  length: number;
  step: AttentionStep;
}
type Shown = Placed | ModelPlane;
const VIEWS = ["placed", "model"] as const;

const states = new Float32Array(PLACED.flat());
/** What a key on the handle does: degrees to turn by, and tenths to lengthen by. */
const KEYS: Record<string, readonly [turn: number, tenths: number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  PageUp: [15, 0],
  PageDown: [-15, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  Home: [0, -10 * LONGEST],
  End: [0, 10 * LONGEST],
};

export class QueryDial extends Demo<Shown> {
  static override properties = demoProperties("sa-query-dial", { reference: { state: true } });
  declare view: "placed" | "model";
  declare angle: number;
  declare length: number;
  declare text: string;
  declare model: string;
  declare step: number;
  declare queries: "on" | "off";
  /** Where the query was before it was lengthened; its weights stay as outlines. */
  declare reference: Placed | null;
  readonly element = "sa-query-dial";
  protected readonly inputs = ["view", "angle", "length", "text", "model"];

  #standIn = new StandIn(this);

  constructor() {
    super();
    this.reference = null;
  }

  protected async ask(): Promise<Shown> {
    const { view, angle, length, model, text } = this;
    if (view === "model") return askPlane(this.models, model, text);
    await this.models.start();
    const q = new Float32Array(tip(angle, length));
    const step = await this.models.client.dotProductAttention(q, states, PLACED.length);
    return { view, angle, length, step };
  }

  protected override willUpdate(changed: PropertyValues) {
    super.willUpdate(changed);
    if (changed.has("shown") && this.shown?.view === "placed") this.#compare(this.shown);
  }

  protected show(shown: Shown) {
    return html`
      <div class="tabs" role="tablist" aria-label=${messages.views} @keydown=${this.#onTabKey}>
        ${VIEWS.map((view) => this.#tab(view))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby=${`tab-${this.view}`}>${this.#panel(shown)}</div>
    `;
  }

  /** The placed states are of no text. */
  protected override get caption() {
    return this.view === "model" ? super.caption : page.figureCaption(this.described.says, undefined, []);
  }

  protected rows(shown: Shown) {
    if (shown.view === "model") return planeRows(shown, this.step);
    const { score, exponential, alpha, h_bar } = shown.step;
    return [
      ["state", "x", "y", "score", "exponential", "alpha"],
      ...PLACED.map(([x, y], i) => [`h_${i + 1}`, x, y, score[i] ?? 0, exponential[i] ?? 0, alpha[i] ?? 0]),
      ["h_bar", ...h_bar],
    ];
  }

  #tab(view: (typeof VIEWS)[number]) {
    const chosen = view === this.view;
    return html`<button
      id="tab-${view}"
      role="tab"
      aria-selected=${chosen}
      aria-controls="panel"
      tabindex=${chosen ? 0 : -1}
      @click=${() => this.change({ view })}
    >
      ${messages.view[view]}
    </button>`;
  }

  #panel(shown: Shown) {
    if (this.view !== shown.view)
      return this.trouble ? nothing : html`<p class="hint" role="status">${messages.changing}</p>`;
    if (shown.view === "placed") return this.#placed(shown);
    return this.keep("map", () => [
      this.#standIn.line(shown.info.name),
      planeView(shown, this, (values) => this.change(values)),
    ]);
  }

  #placed(shown: Placed) {
    const { alpha, score, h_bar } = shown.step;
    const { reference } = this;
    const before = reference && reference.length < shown.length ? reference.step.alpha : null;
    const at = pointAt(h_bar, 0);
    const lines = PLACED.map((_, k) => ({
      label: "h",
      index: String(k + 1),
      score: score[k] ?? 0,
      alpha: alpha[k] ?? 0,
      before: before?.[k],
    }));
    return html`${this.#controls()}
      <div class="figure pair">
        ${this.#plane(shown, at)}
        <div>
          ${weightDrawing(lines, messages.weights([...alpha]))}
          <p class="note outline" ?hidden=${before === null}>${reference ? messages.outlined(reference.length) : nothing}</p>
        </div>
      </div>
      <p class="num live" aria-live="polite">${messages.placed([...alpha], at, insideHull(PLACED, at))}</p>
      <p class="note">${messages.illustration}</p>`;
  }

  #controls() {
    const { angle, length } = this;
    const slider = (name: "angle" | "length", most: number, step: number, said: string) => html`<label>
      ${messages[name]}
      <input type="range" name=${name} min="0" max=${most} step=${step} .value=${String(this[name])} @input=${this.#onSlide} />
      <output>${said}</output>
    </label>`;
    return html`<div class="controls">
      ${slider("angle", 360, 1, messages.degrees(angle))} ${slider("length", LONGEST, 0.1, rounded(length, 1))}
      <span class="buttons">
        <button ?disabled=${length === 0 || 2 * length > LONGEST} @click=${this.#double}>${messages.double}</button>
        <button ?disabled=${length === 0} @click=${() => this.change({ length: 0 })}>${messages.none}</button>
      </span>
    </div>`;
  }

  #plane({ step }: Placed, h_bar: Point) {
    const query = tip(this.angle, this.length);
    return html`<svg class="sa-plane plane" viewBox="0 0 ${frame.width} ${frame.height}" role="group" aria-label=${messages.plane} @click=${this.#onClick}>
      <g aria-hidden="true">
        ${hull(frame, PLACED)} ${rings(frame)} ${queryArrow(frame, query)}
        ${PLACED.map((point, k) => stateArrow(frame, point, k, step.alpha[k] ?? 0))} ${context(frame, h_bar)}
      </g>
      ${this.#handle(frame.at(query))}
    </svg>`;
  }

  #handle([x, y]: Point) {
    return svg`<g
      class="handle"
      role="slider"
      tabindex="0"
      aria-label=${messages.handle}
      aria-description=${messages.handleKeys}
      aria-valuemin="0"
      aria-valuemax="360"
      aria-valuenow=${this.angle}
      aria-valuetext=${messages.handleValue(this.angle, this.length)}
      @keydown=${this.#onKey}
      @pointerdown=${this.#onDown}
      @pointermove=${this.#onMove}
    ><circle class="grip" cx=${x} cy=${y} r="22" /><circle class="knob" cx=${x} cy=${y} r="8" /></g>`;
  }

  /** Takes note of what the query is compared with, and says when its length has been doubled. */
  #compare(now: Placed) {
    const { reference } = this;
    if (!reference || reference.length === 0 || reference.angle !== now.angle || now.length < reference.length) {
      this.reference = now;
    } else if (now.length >= 2 * reference.length) {
      const sentence = planeMessages.doubled(reference.length, now.length, reference.step.alpha, now.step.alpha);
      this.dispatchEvent(new ResultEvent("length", sentence));
    }
  }

  #double = () => {
    if (this.shown?.view === "placed") this.reference = this.shown;
    this.change({ length: Math.round(20 * this.length) / 10 });
  };

  #onSlide = (event: Event) => {
    const { name, valueAsNumber } = event.target as HTMLInputElement;
    this.change({ [name]: valueAsNumber });
  };

  #onTabKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const view = this.view === "placed" ? "model" : "placed";
    this.change({ view });
    this.renderRoot.querySelector<HTMLElement>(`#tab-${view}`)?.focus();
  };

  #onKey = (event: KeyboardEvent) => {
    const key = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
    if (!key || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [turn, tenths] = key;
    const length = Math.min(Math.max(Math.round(10 * this.length) + tenths, 0), 10 * LONGEST) / 10;
    this.change({ angle: (this.angle + turn + 360) % 360, length });
  };

  #onDown = (event: PointerEvent) => {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };

  #onMove = (event: PointerEvent) => {
    if ((event.currentTarget as Element).hasPointerCapture(event.pointerId)) this.#point(event);
  };

  /** A click into the plane brings the tip there. */
  #onClick = (event: MouseEvent) => {
    if (!(event.target as Element).closest(".handle")) this.#point(event);
  };

  #point({ clientX, clientY }: MouseEvent) {
    const box = this.renderRoot.querySelector(".plane")?.getBoundingClientRect();
    if (!box) return;
    const scale = frame.width / box.width;
    const place: Point = [(clientX - box.left) * scale, (clientY - box.top) * scale];
    this.change(aim(frame.back(place), this.angle));
  }

  static override styles = [...Demo.styles, dialStyles];
}
