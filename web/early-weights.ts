// Lets the page's own text ask for the first model's weights, most of what the first map waits for, while its program comes.
import type { Plugin } from "vite";

/** Adds a hint for a file that the page fetches in any case; it gives way to the program, which must come first. */
export const earlyWeights = (file: string): Plugin => ({
  name: "early-weights",
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle }) => {
      if (!bundle) return [];
      const asset = Object.values(bundle).find((each) => each.type === "asset" && each.names.includes(file));
      if (!asset) throw new Error(`the page does not use ${file}`);
      const attrs = { rel: "preload", as: "fetch", crossorigin: "", fetchpriority: "low", href: `./${asset.fileName}` };
      return [{ tag: "link", attrs, injectTo: "head" }];
    },
  },
});
