// A Vite plugin: puts the page's text, its sentences and its still figures into index.html when it is served or built.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import type createSoftalign from "@wasm/softalign.mjs";
import type { Session, SoftalignModule } from "@wasm/softalign.mjs";
import { article, sections } from "./article.ts";
import { FIRST_MODEL, SHOWCASE } from "./src/page/address.ts";
import { stillStage } from "./src/draw/still.ts";
import { messages } from "./src/page/messages.ts";
import { drawStills } from "./stills.ts";

export interface Places {
  /** Folder of the built module. */
  wasm: string;
  /** Folder of the weights. */
  models: string;
  /** Folder of the sections' text. */
  sections: string;
}

type Use<T> = (session: Session, module: SoftalignModule) => Promise<T>;

/** Does something with a session of the built module that has these models. */
async function withSession<T>({ wasm, models }: Places, names: string[], use: Use<T>) {
  const glue: { default: typeof createSoftalign } = await import(pathToFileURL(`${wasm}/softalign.mjs`).href);
  const module = await glue.default({ wasmBinary: await readFile(`${wasm}/softalign.wasm`) });
  const session = new module.Session();
  try {
    for (const name of names) {
      const loaded = session.load(name, await readFile(`${models}/${name}.safetensors`));
      if ("error" in loaded) throw new Error(`no still picture: ${loaded.error.message}`);
    }
    return await use(session, module);
  } finally {
    session.delete();
  }
}

/** Lets the built module read the showcase, so that the picture is always that of the weights that are shipped. */
export const still = (places: Places): Promise<string> =>
  withSession(places, [FIRST_MODEL], async (session) => {
    const decoded = session.decode(FIRST_MODEL, SHOWCASE);
    if ("error" in decoded) throw new Error(`no still picture: ${decoded.error.message}`);
    return stillStage(decoded.value);
  });

const text = async (places: Places): Promise<string> =>
  withSession(places, ["dot", "plain"], async (session, module) =>
    article(await sections(places.sections, await drawStills(session, module)), messages.contents),
  );

export const staticPage = (places: Places): Plugin => ({
  name: "static-page",
  async transformIndexHtml(page) {
    const parts: Record<string, unknown> = { ...messages, still: await still(places), article: await text(places) };
    return page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const part = parts[name];
      if (typeof part !== "string") throw new Error(`index.html asks for "${name}", which is not there`);
      return part;
    });
  },
  configureServer(server) {
    server.watcher.add(`${places.sections}/*.html`);
  },
});
