// How the page is bundled: relative addresses everywhere, module workers, weights and wasm as hashed files of their own.
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { earlyWeights } from "./early-weights.ts";
import { messages } from "./src/page/messages.ts";

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const alias = {
  "@wasm": fromHere("../build/wasm"),
  "@models": fromHere("../models"),
};

/** Puts the page's sentences into index.html, so that they stand there before any script runs. */
const staticMessages: Plugin = {
  name: "static-messages",
  transformIndexHtml: (page) =>
    page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const message = messages[name as keyof typeof messages];
      if (typeof message !== "string") throw new Error(`index.html asks for a message "${name}" that does not exist`);
      return message;
    }),
};

export default defineConfig({
  root: fromHere("."),
  base: "./",
  resolve: { alias },
  plugins: [staticMessages, earlyWeights("dot.safetensors")],
  assetsInclude: ["**/*.safetensors"],
  worker: { format: "es" },
  server: { fs: { allow: [fromHere("..")] } },
  build: {
    outDir: fromHere("../dist"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
