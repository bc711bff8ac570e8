// Demo: the base of every sa- element that runs the model. Its attributes are its state; it works near the window only,
// shows what stands inside it until there is something better, and saves its figure.
import { html, LitElement, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { Latest } from "../engine/latest.ts";
import { ENGINE, models, superseded, type Trouble, trouble } from "../engine/models.ts";
import { messages } from "../page/messages.ts";
import { shared } from "../widgets/base.ts";
import { propertiesOf, writeValue } from "./attributes.ts";
import { demoStyles, figureStyles } from "./demo-styles.ts";
import { type DemoElement, type DemoName, elements } from "./elements.ts";
import { ChangeEvent, PresentEvent, SuggestEvent } from "./events.ts";
import { csvFile, pngFile, type Row, save, svgFile } from "./export.ts";

/** A result that the course keeps until after its lab. */
export type Kept = "map" | "answer" | "plain" | "measured";

/** Attributes that the document gives; a reset leaves them alone. */
const GIVEN: readonly string[] = ["text", "model", "beside", "lab"];
/** How far outside the window a demo starts. */
const NEAR = "400px";

/** Lit's properties for a demo: its attributes, and what the base and the element keep for themselves. */
export const demoProperties = (name: DemoName, own: PropertyDeclarations = {}): PropertyDeclarations => ({
  ...propertiesOf(elements[name].attributes),
  shown: { state: true },
  trouble: { state: true },
  near: { state: true },
  width: { state: true },
  revealed: { state: true },
  saving: { state: true },
  ...own,
});

let asked = 0;

export abstract class Demo<Shown> extends LitElement {
  static override styles = [...shared, figureStyles, demoStyles];

  /** What the engine said last; null until then. */
  declare shown: Shown | null;
  declare trouble: Trouble | null;
  /** Whether the demo is close enough to the window to work. */
  declare near: boolean;
  /** Of the element's content, in pixels. */
  declare width: number;
  declare revealed: boolean;
  /** Why a figure could not be saved. */
  declare saving: string | null;
  readonly models = models;
  /** Apart from the page and every other demo, whose newer questions must not take the place of this one's. */
  protected readonly asker = `demo ${++asked}`;

  /** The element's line in the table. */
  abstract readonly element: DemoName;
  /** The attributes that decide what is asked for. */
  protected abstract readonly inputs: readonly string[];

  #latest = new Latest<void, Shown>(() => this.ask());
  #stale = true;
  /** Whether the last drawing held something back. */
  #keptBack = false;
  #sight = new IntersectionObserver(([entry]) => (this.near = entry?.isIntersecting ?? false), { rootMargin: NEAR });
  #resizes = new ResizeObserver(([entry]) => {
    if (entry) this.width = Math.floor(entry.contentRect.width);
  });
  #onModels = () => {
    if (this.shown === null) this.requestUpdate();
  };

  /** Asks the engine for what the attributes say. */
  protected abstract ask(): Promise<Shown>;
  /** Draws it; `shown` may be of the state before for a moment. */
  protected abstract show(shown: Shown): TemplateResult;
  /** The figure's numbers for a CSV file, a heading first. */
  protected abstract rows(shown: Shown): readonly Row[];

  constructor() {
    super();
    this.shown = null;
    this.trouble = null;
    this.near = false;
    this.width = 640;
    this.revealed = false;
    this.saving = null;
  }

  /** The table's entry. */
  get described(): DemoElement {
    return elements[this.element];
  }

  protected override createRenderRoot() {
    this.#setUsual();
    return super.createRenderRoot();
  }

  override connectedCallback() {
    super.connectedCallback();
    this.#sight.observe(this);
    this.#resizes.observe(this);
    models.addEventListener("change", this.#onModels);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#sight.disconnect();
    this.#resizes.disconnect();
    models.removeEventListener("change", this.#onModels);
  }

  protected override willUpdate(changed: PropertyValues) {
    if (this.inputs.some((name) => changed.has(name))) this.#stale = true;
    if (this.near && this.#stale) {
      this.#stale = false;
      void this.#ask();
    }
  }

  override render() {
    const { shown, trouble: wrong } = this;
    this.#keptBack = false;
    const drawn = shown === null ? html`<slot></slot>${wrong ? nothing : this.#waiting()}` : this.show(shown);
    return html`<div class="demo">
      ${wrong ? this.#failed(wrong) : nothing} ${drawn} ${shown === null || this.#keptBack ? nothing : this.#tools()}
    </div>`;
  }

  /** Sets attributes on behalf of the visitor and tells the document. */
  protected change(values: Partial<Record<string, string | number>>) {
    Object.assign(this, values);
    this.dispatchEvent(new ChangeEvent(Object.keys(values)));
  }

  /** Proposes a text: the page takes it up for everything; where nobody does, the demo takes it for itself. */
  protected suggest(proposed: string) {
    const event = new SuggestEvent(proposed);
    this.dispatchEvent(event);
    if (!event.defaultPrevented && "text" in this.described.attributes) this.change({ text: proposed });
  }

  /** A result, or where the lab is still to come a button in its place. */
  protected keep(what: Kept, result: () => unknown): unknown {
    const lab = (this as { lab?: string }).lab;
    if (lab !== "before" || this.revealed) return result();
    this.#keptBack = true;
    return html`<div class="kept">
      <p>${messages.revealNote}</p>
      <button @click=${() => (this.revealed = true)}>${messages.reveal[what]}</button>
    </div>`;
  }

  /** The part of the demo that is saved as a picture. */
  protected get figure(): Element | null {
    return this.renderRoot.querySelector(".figure");
  }

  /** What stands under the picture: what it shows, of which text and which models. */
  protected get caption(): string {
    const { text, model, beside } = this as { text?: string; model?: string; beside?: string };
    return messages.figureCaption(
      this.described.says,
      text,
      [model, beside].filter((name) => name !== undefined),
    );
  }

  /** Back to the usual state, but for the text and model, which belong to the page. */
  protected reset() {
    const own = Object.entries(this.described.attributes).filter(([name]) => !GIVEN.includes(name));
    this.change(Object.fromEntries(own.map(([name, { usual }]) => [name, usual])));
  }

  #setUsual() {
    for (const [name, attribute] of Object.entries(this.described.attributes)) {
      const self = this as unknown as Record<string, unknown>;
      if (self[name] === undefined) self[name] = attribute.usual;
    }
  }

  async #ask() {
    try {
      this.shown = await this.#latest.request();
      this.trouble = null;
    } catch (error) {
      if (!superseded(error)) this.trouble = trouble(error);
    }
  }

  #failed({ code, message }: Trouble) {
    const again = () => {
      this.trouble = null;
      void this.#ask();
    };
    return html`<div class="alert" role="alert">
      <p data-code=${code}>${message}</p>
      ${["EMPTY", "TOO_LONG"].includes(code) ? nothing : html`<button @click=${again}>${messages.tryAgain}</button>`}
    </div>`;
  }

  #waiting() {
    if (!this.near) return nothing;
    const coming = [...models.progress].filter(
      ([name]) => !models.loaded.has(name) && !(name === ENGINE && models.info),
    );
    const parts = coming.map(([name, { loaded, total }]) =>
      messages.arriving(name === ENGINE ? messages.engineName : messages.modelName(name), loaded, total),
    );
    return html`<p class="hint" role="status">${messages.loading(parts.join(", ") || messages.demoStarts)}</p>`;
  }

  #tools() {
    const usual = Object.entries(this.described.attributes).every(
      ([name, attribute]) =>
        GIVEN.includes(name) || writeValue(attribute, (this as unknown as Record<string, unknown>)[name]) === null,
    );
    return html`<div class="tools" role="group" aria-label=${messages.figureTools}>
        <button class="quiet" ?disabled=${usual} @click=${() => this.reset()}>${messages.demoReset}</button>
        <span>${messages.saveAs}</span>
        ${(["SVG", "PNG", "CSV"] as const).map(
          (kind) => html`<button class="quiet" @click=${() => void this.#save(kind)}>${kind}</button>`,
        )}
        ${
          this.hasAttribute("presentable")
            ? html`<button class="quiet" @click=${() => this.dispatchEvent(new PresentEvent())}>${messages.present}</button>`
            : nothing
        }
      </div>
      ${this.saving ? html`<p class="alert" role="alert">${this.saving}</p>` : nothing}`;
  }

  async #save(kind: "SVG" | "PNG" | "CSV") {
    const { shown, figure } = this;
    const name = `${this.element.replace(/^sa-/, "softalign-")}.${kind.toLowerCase()}`;
    this.saving = null;
    try {
      if (kind === "CSV") {
        if (shown !== null) save(new Blob([csvFile(this.rows(shown))], { type: "text/csv" }), name);
        return;
      }
      if (!figure) throw new Error(messages.noFigure);
      const svg = svgFile(figure, this.described.says, this.caption);
      if (!svg) throw new Error(messages.noFigure);
      save(kind === "SVG" ? new Blob([svg.markup], { type: "image/svg+xml" }) : await pngFile(svg), name);
    } catch (error) {
      this.saving = messages.notSaved(kind, error instanceof Error ? error.message : String(error));
    }
  }
}
