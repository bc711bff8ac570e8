// The page: holds the state, talks to the engine, and draws itself again whenever something changes.
import { LitElement, render } from "lit";
import type { Kept } from "../demos/demo.ts";
import { shipped } from "../engine/files.ts";
import { ENGINE, models, superseded, trouble } from "../engine/models.ts";
import { type Cell, NOWHERE, PickEvent, PointEvent } from "../widgets/base.ts";
import { SampleEvent } from "../widgets/sample-picker.ts";
import { FIRST_MODEL, SHOWCASE, usualBeside, writeAddress } from "./address.ts";
import { follow } from "./bar.ts";
import { FileDrop } from "./dropping.ts";
import { cellToExplain, cellWithin, Rows } from "./explaining.ts";
import { decodingOf, firstState, type Reading, type State, YOURS } from "./state.ts";
import { Frame } from "./frame.ts";
import { takeStill } from "./still.ts";
import { end, view } from "./view.ts";
import { Visits } from "./visits.ts";

export class Page extends LitElement {
  static override properties = { state: { state: true } };

  declare state: State;
  /** The picture that the page was served with, shown until the live one is there. */
  readonly still = takeStill(this);
  #client = models.client;
  #frame = new Frame(document, {
    suggest: (text, show) => (show ? this.suggest(text) : this.#show(text, null, null, true)),
    changed: () => this.#visits.note(),
  });
  #visits = new Visits(
    () => this.#query(),
    (search) => void this.#restore(search),
  );
  #rows = new Rows((model, text, t) => this.#client.inspect(model, text, t));
  #onModels = () => this.#takeUpModels();
  /** The model whose map was pointed at last. */
  #pointedModel: string | null = null;
  /** Counts the explanations asked for, so that only the last is shown. */
  #explanations = 0;
  /** Counts the texts shown, so that a test example that comes late does not take the place of another. */
  #texts = 0;
  #resizes: ResizeObserver | undefined;

  constructor() {
    super();
    this.state = firstState(location.search, shipped);
    new FileDrop(this);
    this.addEventListener(PointEvent.type, (event) => this.#onPoint(event as PointEvent));
    this.addEventListener(PickEvent.type, (event) => this.#keep((event as PickEvent).cell));
    this.addEventListener(SampleEvent.type, (event) => {
      const { K, index } = event as SampleEvent;
      void this.#takeSample(K, index, null, true);
    });
  }

  /** The page's own styles and fonts apply: it is the document, not a part of one. */
  protected override createRenderRoot() {
    this.replaceChildren();
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    models.addEventListener("change", this.#onModels);
    this.#frame.open(location.search);
    this.#visits.open();
    void this.open();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#resizes?.disconnect();
    models.removeEventListener("change", this.#onModels);
    this.#frame.close();
    this.#visits.close();
  }

  override render() {
    return view(this.state, this);
  }

  protected override firstUpdated() {
    // What sticks below the bar needs its height; a narrow page sticks the text box alone and gives the whole no box.
    const [whole, box] = [".sticky", ".bar"].map((selector) => this.querySelector<HTMLElement>(selector));
    if (!whole || !box) return;
    this.#resizes = new ResizeObserver(() => {
      const height = whole.offsetHeight || box.offsetHeight;
      document.documentElement.style.setProperty("--sa-bar-height", `${height}px`);
    });
    for (const element of [whole, box]) this.#resizes.observe(element);
  }

  protected override updated() {
    const box = this.querySelector("#text");
    if (box) follow(box);
    this.#frame.follow(this.state);
    const foot = document.querySelector<HTMLElement>("main > footer");
    if (foot) render(end(this.state, this), foot);
  }

  /** Loads the engine and the first model and nothing else; the second comes when the first has answered. */
  async open() {
    const { model, sample, text, kept } = this.state;
    models.prefetch(model);
    try {
      await models.start();
      this.dataset.engine = this.#client.kind;
      if (sample && text === "") await this.#takeSample(sample.K, sample.index, kept, false);
    } catch {
      // The models know what went wrong, and the page shows it.
      return;
    }
    await this.#want(model);
    await this.updateComplete;
    await this.#want(this.state.beside);
  }

  type(text: string) {
    this.#show(text, null);
  }

  /** Takes up a text that the page proposes, and leads to what the models make of it. */
  suggest(text: string) {
    this.#show(text, null, null, true);
    this.querySelector(".stage")?.scrollIntoView();
  }

  reset() {
    this.#show(SHOWCASE, null, null, true);
    // The button pressed is gone or disabled now, and the next key belongs to the text.
    this.querySelector<HTMLElement>("#text")?.focus();
  }

  /** Makes a model the hero; where it stood beside, the two change places. */
  choose(model: string) {
    const { model: before, beside } = this.state;
    this.#visits.settle();
    this.#set({ model, beside: beside === model ? before : beside, point: NOWHERE, unknownModels: [] });
    this.#pointedModel = null;
    this.#visits.chosen();
    void this.#want(model);
    void this.#read();
  }

  chooseBeside(beside: string) {
    this.#visits.settle();
    this.#set({ beside });
    this.#visits.chosen();
    void this.#want(beside);
    void this.#read();
  }

  reveal(kept: Kept) {
    this.#set({ revealed: new Set([...this.state.revealed, kept]) });
  }

  drag(over: boolean) {
    if (this.state.dragging !== over) this.#set({ dragging: over });
  }

  /** Loads a file of the visitor's as the model "yours"; whatever is wrong with it, the models stay as they were. */
  async take(file: File) {
    try {
      await models.load(YOURS, new Uint8Array(await file.arrayBuffer()));
      this.#rows.clear();
      this.#set({ own: { file: file.name, trouble: null } });
      this.choose(YOURS);
    } catch (error) {
      this.#set({ own: { file: file.name, trouble: trouble(error) } });
    }
  }

  /** Shows a text that was typed, or `chosen` in one step. */
  #show(text: string, sample: State["sample"], kept: Cell | null = null, chosen = false) {
    ++this.#texts;
    if (chosen) this.#visits.settle();
    this.#set({ text, sample, kept, point: NOWHERE });
    if (chosen) this.#visits.chosen();
    else this.#visits.note();
    void this.#read();
  }

  /** Shows what an address says that the visitor has come back to. */
  async #restore(search: string) {
    ++this.#texts;
    const { text, sample, model, beside, kept, unknownModels } = firstState(search, shipped);
    this.#set({ text, sample, model, beside, kept, unknownModels, point: NOWHERE });
    this.#pointedModel = null;
    this.#frame.restore(search);
    if (sample) await this.#takeSample(sample.K, sample.index, kept, false);
    for (const name of [model, beside]) void this.#want(name);
  }

  /** Fetches and loads a model and reads the text with it; what goes wrong is known to the models. */
  async #want(name: string) {
    try {
      await models.want(name);
    } catch {
      return;
    }
    await this.#read();
  }

  #takeUpModels() {
    const { info, progress, loaded, missing } = models;
    this.#set({
      vocabulary: info?.target_vocabulary ?? [],
      progress: new Map(progress),
      models: new Map(loaded),
      missing: new Map(missing),
      failure: missing.get(ENGINE) ?? null,
    });
  }

  /** Asks both models in sight about the text; settled when both have answered. */
  async #read() {
    const { text, model, beside, models } = this.state;
    const inSight = [model, beside].filter((name) => models.has(name));
    await Promise.all(inSight.map((name) => this.#ask(name, text)));
  }

  /** What can wait until there is an answer: the explanation of a cell, and the demos. */
  #more() {
    // A program that does not come now is asked for again with the next answer.
    void import("../widgets/define-later.ts").catch(() => {});
    this.#frame.start();
  }

  async #ask(model: string, text: string) {
    const settle = (reading: Reading) => {
      this.#set({ readings: new Map(this.state.readings).set(model, reading) });
      this.#more();
      void this.#explain();
    };
    try {
      settle({ text, decoding: await this.#client.decode(model, text) });
    } catch (error) {
      if (!superseded(error)) settle({ text, trouble: trouble(error) });
    }
  }

  async #takeSample(K: number, index: number, kept: Cell | null, chosen: boolean) {
    const shown = ++this.#texts;
    try {
      const sample = await this.#client.sample(K, index);
      if (shown === this.#texts) this.#show(sample.source, { K: sample.K, index: sample.index }, kept, chosen);
    } catch (error) {
      this.#set({ failure: trouble(error) });
    }
  }

  /** Explains the cell that is pointed at, or kept, in the map that was pointed at last. */
  async #explain() {
    const { models, model: hero, point, kept, readings } = this.state;
    const model = this.#pointedModel ?? hero;
    const [info, decoding] = [models.get(model), decodingOf(this.state, model)];
    const text = readings.get(model)?.text;
    if (!info || !decoding?.alpha || text === undefined) {
      this.#set({ explained: null });
      return;
    }
    const { source, positions, tokens, alpha } = decoding;
    const cell = cellToExplain({ source, positions, tokens, alpha }, point, cellWithin(decoding, kept));
    const asked = ++this.#explanations;
    try {
      const row = await this.#rows.get(model, text, cell.t);
      // Pointing may have moved on, or the text have changed, while the row was on its way.
      if (asked === this.#explanations) this.#set({ explained: { info, source, positions, tokens, row, ...cell } });
    } catch {
      // The reading that comes next brings its own explanation, or says what is wrong.
    }
  }

  #onPoint({ point, target }: PointEvent) {
    const model = (target as Element).closest("sa-attention-map")?.getAttribute("model");
    if (model) this.#pointedModel = model;
    this.#set({ point });
    void this.#explain();
  }

  #keep(kept: Cell | null) {
    this.#set({ kept });
    this.#visits.note();
    void this.#explain();
  }

  #query() {
    const { text, sample, model, beside, kept } = this.state;
    // A file of the visitor's is not part of an address that someone else could open.
    const shown = model === YOURS ? FIRST_MODEL : model;
    return writeAddress(this.#frame.write(location.search), {
      text,
      sample,
      model: shown,
      beside: beside === YOURS || beside === shown ? usualBeside(shown) : beside,
      cell: kept,
    });
  }

  #set(part: Partial<State>) {
    this.state = { ...this.state, ...part };
  }
}

export type Actions = Pick<
  Page,
  "type" | "suggest" | "reset" | "choose" | "chooseBeside" | "reveal" | "take" | "open" | "still"
>;
