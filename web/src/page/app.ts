// The page: holds the state, talks to the engine, and draws itself again whenever something changes.
import { LitElement } from "lit";
import { EngineClient } from "../engine/client.ts";
import { fetchBytes, type Progress } from "../engine/fetch.ts";
import { EngineError } from "../engine/protocol.ts";
import { NOWHERE, PointEvent } from "../widgets/base.ts";
import { SampleEvent } from "../widgets/sample-picker.ts";
import { readAddress, SHOWCASE, writeAddress } from "./address.ts";
import { type FileName, files } from "./files.ts";
import { type Kept, otherModel, type Reading, type State, type Trouble } from "./state.ts";
import { view } from "./view.ts";

/** Browsers refuse addresses that change too often, so typing is written down when it pauses. */
const ADDRESS_PAUSE_MS = 300;

export function trouble(error: unknown): Trouble {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  return { code: "NO_ENGINE", message: String(error) };
}

export class Page extends LitElement {
  static override properties = { state: { state: true } };

  declare state: State;
  #client = new EngineClient();
  #addressTimer: ReturnType<typeof setTimeout> | undefined;
  #resizes: ResizeObserver | undefined;

  constructor() {
    super();
    const { text, sample, model, labBefore } = readAddress(location.search);
    const known = model === "dot" || model === "plain";
    this.state = {
      text: sample ? "" : text,
      model: known ? model : "dot",
      labBefore,
      revealed: new Set(),
      progress: {},
      failure: null,
      vocabulary: [],
      models: new Map(),
      readings: new Map(),
      sample,
      point: NOWHERE,
      own: null,
      dragging: false,
      unknownModel: known ? null : model,
      otherTrouble: null,
    };
    this.addEventListener(PointEvent.type, (event) => this.#set({ point: (event as PointEvent).point }));
    this.addEventListener(SampleEvent.type, (event) => {
      const { K, index } = event as SampleEvent;
      void this.#takeSample(K, index);
    });
  }

  /** The page's own styles and fonts apply: it is the document, not a part of one. */
  protected override createRenderRoot() {
    this.replaceChildren();
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    window.addEventListener("dragover", this.#onDragOver);
    window.addEventListener("dragleave", this.#onDragLeave);
    window.addEventListener("drop", this.#onDrop);
    void this.open();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener("dragover", this.#onDragOver);
    window.removeEventListener("dragleave", this.#onDragLeave);
    window.removeEventListener("drop", this.#onDrop);
    this.#resizes?.disconnect();
    this.#client.close();
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

  /** Loads the engine and the first model and nothing else; the second comes when the first has answered. */
  async open() {
    this.#set({ failure: null, progress: {} });
    const [engine, dot] = [this.#fetch("engine"), this.#fetch("dot")];
    try {
      const info = await this.#client.start(await engine);
      this.dataset.engine = this.#client.kind;
      this.#set({ vocabulary: info.target_vocabulary });
      const { text, sample } = this.state;
      if (sample && text === "") await this.#takeSample(sample.K, sample.index);
      await this.#load("dot", await dot);
    } catch (error) {
      this.#set({ failure: trouble(error) });
      return;
    }
    await this.updateComplete;
    try {
      await this.#load("plain", await this.#fetch("plain"));
    } catch (error) {
      this.#set({ model: "dot", otherTrouble: trouble(error) });
      await this.#read();
    }
  }

  type(text: string) {
    this.#show(text, null);
  }

  reset() {
    this.type(SHOWCASE);
    // The button pressed is gone or disabled now, and the next key belongs to the text.
    this.querySelector<HTMLElement>("#text")?.focus();
  }

  choose(model: string) {
    this.#set({ model, point: NOWHERE, unknownModel: null });
    this.#writeAddress();
    void this.#read();
  }

  reveal(kept: Kept) {
    this.#set({ revealed: new Set([...this.state.revealed, kept]) });
  }

  /** Loads a file of the visitor's as the model "yours"; whatever is wrong with it, the models stay as they were. */
  async take(file: File) {
    this.#set({ dragging: false });
    try {
      await this.#load("yours", new Uint8Array(await file.arrayBuffer()));
      this.#set({ own: { file: file.name, trouble: null } });
      this.choose("yours");
    } catch (error) {
      this.#set({ own: { file: file.name, trouble: trouble(error) } });
    }
  }

  #show(text: string, sample: State["sample"]) {
    this.#set({ text, sample, point: NOWHERE });
    this.#writeAddress();
    void this.#read();
  }

  async #load(name: string, bytes: Uint8Array) {
    const info = await this.#client.load(name, bytes);
    this.#set({ models: new Map(this.state.models).set(name, info) });
    await this.#read();
  }

  /** Asks both models in sight about the text; settled when both have answered. */
  async #read() {
    const { text, model, models } = this.state;
    const inSight = [model, otherModel(model)].filter((name) => models.has(name));
    await Promise.all(inSight.map((name) => this.#ask(name, text)));
  }

  async #ask(model: string, text: string) {
    const settle = (reading: Reading) => this.#set({ readings: new Map(this.state.readings).set(model, reading) });
    try {
      settle({ text, decoding: await this.#client.decode(model, text) });
    } catch (error) {
      const reason = trouble(error);
      if (reason.code !== "SUPERSEDED") settle({ text, trouble: reason });
    }
  }

  async #takeSample(K: number, index: number) {
    try {
      const sample = await this.#client.sample(K, index);
      this.#show(sample.source, { K: sample.K, index: sample.index });
    } catch (error) {
      this.#set({ failure: trouble(error) });
    }
  }

  #fetch(name: FileName) {
    this.#showProgress(name, { loaded: 0, total: 0 });
    const bytes = fetchBytes(files[name], (progress) => this.#showProgress(name, progress));
    // Whoever asked awaits it when its turn comes; one that fails early must wait for that.
    bytes.catch(() => {});
    return bytes;
  }

  #showProgress(name: FileName, progress: Progress) {
    this.#set({ progress: { ...this.state.progress, [name]: progress } });
  }

  #writeAddress() {
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => {
      const { text, sample, model } = this.state;
      // A file of the visitor's is not part of an address that someone else could open.
      const query = writeAddress(location.search, { text, sample, model: model === "yours" ? "dot" : model });
      try {
        history.replaceState(null, "", query === "" ? location.pathname : query);
      } catch {
        // A sandboxed frame may refuse; the page then simply keeps its address.
      }
    }, ADDRESS_PAUSE_MS);
  }

  #set(part: Partial<State>) {
    this.state = { ...this.state, ...part };
  }

  #onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (!this.state.dragging) this.#set({ dragging: true });
  };

  #onDragLeave = (event: DragEvent) => {
    if (event.relatedTarget === null) this.#set({ dragging: false });
  };

  #onDrop = (event: DragEvent) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void this.take(file);
  };
}

export type Actions = Pick<Page, "type" | "reset" | "choose" | "reveal" | "take" | "open">;
