// The requests that the module answers as they come: each to its function, its text made well formed.
import type { Outcome, Session, SoftalignModule } from "@wasm/softalign.mjs";
import { type CallName, type Calls, failed, type Result } from "./protocol.ts";

/** Requests without their numbers, but for those that concern the engine itself. */
type AskedName = Exclude<CallName, "start" | "load" | "decode" | "untrained">;
export type Asked = { [N in AskedName]: { name: N; args: Calls[N]["args"] } }[AskedName];

export function value<T>(outcome: Outcome<T>): T {
  if ("error" in outcome) throw failed(outcome.error);
  return outcome.value;
}

/** Replaces every half of a broken surrogate pair, which would swallow its neighbour on the way into the module. */
export const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\uFFFD");

export function ask(module: SoftalignModule, session: Session, { name, args }: Asked): Result {
  switch (name) {
    case "inspect":
      return value(session.inspect(args.model, wellFormed(args.text), args.t));
    case "intervene":
      return value(session.intervene(args.model, wellFormed(args.text), args.edits));
    case "teacher_force":
      return value(session.teacher_force(args.model, wellFormed(args.text), wellFormed(args.target)));
    case "load_probe":
      return value(session.load_probe(args.name, args.probe, args.weights_sha256));
    case "plane":
      return value(session.plane(args.model, wellFormed(args.text)));
    case "masked_attention":
      return value(module.masked_attention(args.score, args.h, args.length));
    case "dot_product_attention":
      return value(module.dot_product_attention(args.q, args.h, args.length));
    case "sample":
      return value(session.sample(args.K, args.index));
    case "test_split":
      return session.test_split();
    case "decode_test":
      return value(session.decode_test(args.model, args.first, args.count));
    case "measure":
      return value(session.measure(args.outputs));
    case "align_test":
      return value(session.align_test(args.model, args.first, args.count));
    case "measure_alignment":
      return value(session.measure_alignment(args.positions));
  }
}
