// The engine and the models of one document, shared by the page and every demo in it: each is fetched once, when first wanted.
import { EngineClient } from "./client.ts";
import { fetchBytes, type Progress } from "./fetch.ts";
import { engineUrl, weightsUrl } from "./files.ts";
import { messages } from "./messages.ts";
import { EngineError, type EngineInfo, type ModelInfo } from "./protocol.ts";

/** The name under which the module itself travels. */
export const ENGINE = "engine";

/** What went wrong, with its code and a sentence to act on. */
export interface Trouble {
  code: string;
  message: string;
}

export function trouble(error: unknown): Trouble {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  return { code: "NO_ENGINE", message: String(error) };
}

/** Whether a newer question took the place of the one that failed so: no trouble at all. */
export const superseded = (error: unknown) => error instanceof EngineError && error.code === "SUPERSEDED";

/** Dispatches "change" whenever something has come or failed. */
export class Models extends EventTarget {
  readonly client = new EngineClient();
  info: EngineInfo | null = null;
  /** Bytes of the module and of weights that are on their way or have come, by name. */
  readonly progress = new Map<string, Progress>();
  readonly loaded = new Map<string, ModelInfo>();
  /** Why the engine or a model is not here. */
  readonly missing = new Map<string, Trouble>();
  #starting: Promise<EngineInfo> | undefined;
  #coming = new Map<string, Promise<ModelInfo>>();
  #fetched = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  /** Starts the engine, unless that has been done; one that failed is tried again. */
  start(): Promise<EngineInfo> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Fetches a model's weights and loads them, unless that has been done or is under way. */
  want(name: string): Promise<ModelInfo> {
    const known = this.#coming.get(name);
    if (known) return known;
    const coming = this.#want(name);
    this.#coming.set(name, coming);
    return coming;
  }

  /** Sends for a model's weights while the engine is still on its way. */
  prefetch(name: string) {
    void this.#fetch(name, weightsUrl(name)).catch(() => {});
  }

  /** Loads the bytes of a weights file under a name; on error whatever had that name stays. */
  async load(name: string, bytes: Uint8Array): Promise<ModelInfo> {
    await this.start();
    const info = await this.client.load(name, bytes);
    this.take(name, info);
    return info;
  }

  /** A model that the engine now has under this name. */
  take(name: string, info: ModelInfo) {
    this.loaded.set(name, info);
    this.#coming.set(name, Promise.resolve(info));
    this.#changed();
  }

  async #start(): Promise<EngineInfo> {
    this.missing.delete(ENGINE);
    try {
      this.info = await this.client.start(this.#fetch(ENGINE, engineUrl));
      this.#changed();
      return this.info;
    } catch (error) {
      this.#starting = undefined;
      this.#failed(ENGINE, error);
      throw error;
    }
  }

  async #want(name: string): Promise<ModelInfo> {
    try {
      const url = weightsUrl(name);
      if (url === "") throw new EngineError("NO_MODEL", messages.noModel(name));
      this.missing.delete(name);
      // Both at once: the weights come while the engine starts.
      const bytes = this.#fetch(name, url);
      await this.start();
      return await this.load(name, await bytes);
    } catch (error) {
      this.#coming.delete(name);
      this.#failed(name, error);
      throw error;
    }
  }

  #fetch(name: string, url: string): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#fetched.get(name);
    if (known) return known;
    const show = (progress: Progress) => {
      this.progress.set(name, progress);
      this.#changed();
    };
    show({ loaded: 0, total: 0 });
    const bytes = fetchBytes(url, show);
    this.#fetched.set(name, bytes);
    // Whoever asked awaits it when its turn comes; one that fails early must wait for that, and is asked for again later.
    bytes.catch(() => this.#fetched.delete(name));
    return bytes;
  }

  #failed(name: string, error: unknown) {
    this.missing.set(name, trouble(error));
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** Those of this document. */
export const models = new Models();
