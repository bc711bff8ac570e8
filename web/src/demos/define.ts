// Brings each demo's program when the element comes near the window, and registers it once.
import { type DemoName, elements } from "./elements.ts";

type Program = () => Promise<CustomElementConstructor>;

const programs: Partial<Record<DemoName, Program>> = {
  "sa-factors": async () => (await import("./factors.ts")).Factors,
  "sa-encoder-decoder": async () => (await import("./encoder-decoder.ts")).EncoderDecoder,
  "sa-path-length": async () => (await import("./path-length.ts")).PathLength,
};

/** How far outside the window a demo's program is sent for. */
const NEAR = "1200px";

export const isDemo = (name: string): name is DemoName => name in elements;

/** Registers a demo. A program that did not come is asked for again the next time. */
export async function define(name: DemoName) {
  const program = await programs[name]?.();
  if (program && !customElements.get(name)) customElements.define(name, program);
}

/** Every demo inside `root`, each defined when it comes near the window. Gives a way to stop watching. */
export function defineNear(root: ParentNode): () => void {
  const sight = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !isDemo(target.localName)) continue;
        sight.unobserve(target);
        void define(target.localName).catch(() => sight.observe(target));
      }
    },
    { rootMargin: NEAR },
  );
  for (const demo of root.querySelectorAll(Object.keys(elements).join(","))) sight.observe(demo);
  return () => sight.disconnect();
}
