// A Vite plugin: puts the page's sentences and the still picture of the showcase into index.html when it is served or built.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import type createSoftalign from "@wasm/softalign.mjs";
import { stillStage } from "./src/draw/still.ts";
import { FIRST_MODEL, SHOWCASE } from "./src/page/address.ts";
import { messages } from "./src/page/messages.ts";

export interface Places {
  /** Folder of the built module. */
  wasm: string;
  /** Folder of the weights. */
  models: string;
}

/** Lets the built module read the showcase, so that the picture is always that of the weights that are shipped. */
export async function still({ wasm, models }: Places): Promise<string> {
  const module: { default: typeof createSoftalign } = await import(pathToFileURL(`${wasm}/softalign.mjs`).href);
  const { Session } = await module.default({ wasmBinary: await readFile(`${wasm}/softalign.wasm`) });
  const session = new Session();
  try {
    const loaded = session.load(FIRST_MODEL, await readFile(`${models}/${FIRST_MODEL}.safetensors`));
    const decoded = "error" in loaded ? loaded : session.decode(FIRST_MODEL, SHOWCASE);
    if ("error" in decoded) throw new Error(`no still picture: ${decoded.error.message}`);
    return stillStage(decoded.value);
  } finally {
    session.delete();
  }
}

export const staticPage = (places: Places): Plugin => ({
  name: "static-page",
  async transformIndexHtml(page) {
    const parts: Record<string, unknown> = { ...messages, still: await still(places) };
    return page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const part = parts[name];
      if (typeof part !== "string") throw new Error(`index.html asks for "${name}", which is not there`);
      return part;
    });
  },
});
