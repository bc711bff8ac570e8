// How the page is bundled: relative addresses everywhere, module workers, weights and wasm as hashed files of their own.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { earlyWeights } from "./early-weights.ts";
import { staticPage } from "./static-page.ts";

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const alias = {
  "@wasm": fromHere("../build/wasm"),
  "@models": fromHere("../models"),
};

export default defineConfig({
  root: fromHere("."),
  base: "./",
  resolve: { alias },
  plugins: [
    staticPage({ wasm: alias["@wasm"], models: alias["@models"], sections: fromHere("sections") }),
    earlyWeights("dot.safetensors"),
  ],
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
