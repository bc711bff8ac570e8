// Where the module and the shipped weights lie; the bundler gives each a hashed address that works from any folder.
import { moduleUrl } from "../engine/builds.ts";

const absolute = (url: string) => new URL(url, document.baseURI).href;

const weights = new Map(
  Object.entries(
    import.meta.glob<string>("../../../models/*.safetensors", { eager: true, query: "?url", import: "default" }),
  ).map(([path, url]) => [path.replace(/^.*\/|\.safetensors$/g, ""), absolute(url)]),
);

/** The order in which models are offered; any other that is shipped follows. */
const FIRST = ["dot", "plain", "general", "additive"];

/** Names of the shipped models. */
export const shipped: readonly string[] = [
  ...FIRST.filter((name) => weights.has(name)),
  ...[...weights.keys()].filter((name) => !FIRST.includes(name)),
];

export const engineUrl = absolute(moduleUrl);

export const weightsUrl = (model: string) => weights.get(model) ?? "";
