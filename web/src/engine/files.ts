// Where the module, the shipped weights and what was fitted to them lie; the bundler gives each a hashed address.
import { moduleUrl } from "./builds.ts";

const absolute = (url: string) => new URL(url, document.baseURI).href;

const byName = (files: Record<string, string>) =>
  new Map(
    Object.entries(files).map(([path, url]) => [path.replace(/^.*\/|\.(probe\.)?safetensors$/g, ""), absolute(url)]),
  );

const weights = byName(
  import.meta.glob<string>("../../../models/{dot,plain,general,additive,bahdanau,plain-reversed}.safetensors", {
    eager: true,
    query: "?url",
    import: "default",
  }),
);

const probes = byName(
  import.meta.glob<string>("../../../models/{dot,plain,general,additive}.probe.safetensors", {
    eager: true,
    query: "?url",
    import: "default",
  }),
);

/** The models that read the visitor's text, in the order in which they are offered. */
export const shipped: readonly string[] = ["dot", "plain", "general", "additive"].filter((name) => weights.has(name));

/** The models that can be measured. */
export const measurable: readonly string[] = [...shipped, "bahdanau", "plain-reversed"].filter((name) =>
  weights.has(name),
);

export const engineUrl = absolute(moduleUrl);

/** Empty for a name that is not shipped. */
export const weightsUrl = (model: string) => weights.get(model) ?? "";
export const probeUrl = (model: string) => probes.get(model) ?? "";
