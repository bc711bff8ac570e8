// Brings each element's program when the element comes near the window, and registers it once.
import { elements, helpers } from "./elements.ts";

type Program = () => Promise<CustomElementConstructor>;

type Name = keyof typeof elements | keyof typeof helpers;

const programs: Record<Name, Program> = {
  "sa-prediction": async () => (await import("./prediction.ts")).Prediction,
  "sa-check": async () => (await import("./check.ts")).Check,
  "sa-term": async () => (await import("./term.ts")).Term,
  "sa-factors": async () => (await import("./factors.ts")).Factors,
  "sa-encoder-decoder": async () => (await import("./encoder-decoder.ts")).EncoderDecoder,
  "sa-token-loss": async () => (await import("./token-loss.ts")).TokenLoss,
  "sa-bottleneck-meter": async () => (await import("./bottleneck-meter.ts")).BottleneckMeter,
  "sa-alignment": async () => (await import("./alignment.ts")).AlignmentDemo,
  "sa-path-length": async () => (await import("./path-length.ts")).PathLength,
  "sa-query-dial": async () => (await import("./query-dial.ts")).QueryDial,
  "sa-worked-attention": async () => (await import("./worked-attention.ts")).WorkedAttention,
  "sa-attention-step": async () => (await import("./attention-step.ts")).AttentionStep,
};

/** How far outside the window a program is sent for. */
const NEAR = "1200px";

const isName = (name: string): name is Name => name in elements || name in helpers;

/** Registers an element. A program that did not come is asked for again the next time. */
export async function define(name: Name) {
  const program = await programs[name]();
  if (!customElements.get(name)) customElements.define(name, program);
}

/** Every such element inside `root`, each defined when it comes near the window. Gives a way to stop watching. */
export function defineNear(root: ParentNode): () => void {
  const sight = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !isName(target.localName)) continue;
        sight.unobserve(target);
        void define(target.localName).catch(() => sight.observe(target));
      }
    },
    { rootMargin: NEAR },
  );
  const names = Object.keys({ ...elements, ...helpers });
  for (const element of root.querySelectorAll(names.join(","))) sight.observe(element);
  return () => sight.disconnect();
}
