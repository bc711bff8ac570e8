// Where the module and the shipped weights lie; the bundler gives each a hashed address that works from any folder.
import { moduleUrl } from "../engine/builds.ts";

const absolute = (url: string) => new URL(url, document.baseURI).href;

// Of models/, what the page speaks of; others are there for the table of their numbers.
const weights = new Map(
  Object.entries(
    import.meta.glob<string>("../../../models/{dot,plain,general,additive}.safetensors", {
      eager: true,
      query: "?url",
      import: "default",
    }),
  ).map(([path, url]) => [path.replace(/^.*\/|\.safetensors$/g, ""), absolute(url)]),
);

/** Names of the shipped models, in the order in which they are offered. */
export const shipped: readonly string[] = ["dot", "plain", "general", "additive"].filter((name) => weights.has(name));

export const engineUrl = absolute(moduleUrl);

export const weightsUrl = (model: string) => weights.get(model) ?? "";
