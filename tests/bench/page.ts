// What the benches run inside the page: the contestants of the decode bench, and the engine's own measurement in bulk.
import createSoftalign, { type Outcome, type Session } from "@wasm/softalign.mjs";
import wasmUrl from "@wasm/softalign.wasm?url";
import dotUrl from "@models/dot.safetensors?url";
import { pageLine, workerLine } from "../../web/src/engine/line.ts";
import { measureModel } from "../../web/src/engine/measure.ts";
import { TunedModel } from "./tuned-model.ts";

const bytes = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());

function value<T>(outcome: Outcome<T>): T {
  if ("error" in outcome) throw new Error(outcome.error.message);
  return outcome.value;
}

/** A source with what must come of it, and a place in the test split whose source and output have the same lengths. */
export interface Subject {
  source: string;
  output: string;
  test_index: number;
}

/** A way to decode a subject, by the name of its row in the table. */
type Contestant = (subject: Subject) => string;

const contestants = new Map<string, Contestant>();

/** The first test source of K dates with S characters that the model reads rightly in T tokens. */
function findSample(session: Session, K: number, S: number, T: number): Subject {
  for (let index = 0; index < 500; index++) {
    const { source, target } = value(session.sample(K, index));
    if (source.length !== S || target.length !== T - 1) continue;
    const { output } = value(session.decode("dot", source));
    if (output === target) return { source, output, test_index: 500 * (K - 1) + index };
  }
  throw new Error(`the model reads no test source of ${K} dates and ${S} characters rightly`);
}

/** Loads every contestant; gives the subjects. */
async function open(): Promise<Subject[]> {
  const weights = await bytes(dotUrl);
  const module = await createSoftalign({ wasmBinary: await bytes(wasmUrl) });
  const session = new module.Session();
  value(session.load("dot", weights));
  const tuned = new TunedModel(weights);
  contestants.set("module", ({ source }) => value(session.decode("dot", source)).output);
  contestants.set("bare", ({ test_index }) => value(session.decode_test("dot", test_index, 1)).outputs[0] ?? "");
  contestants.set("tuned", ({ source }) => tuned.decode(source).output);
  const short = findSample(session, 1, 12, 11);
  return [
    { source: "3 March 2021", output: "2021-03-03", test_index: short.test_index },
    findSample(session, 4, 74, 44),
  ];
}

function contestant(name: string): Contestant {
  const found = contestants.get(name);
  if (!found) throw new Error(`no contestant is called ${name}`);
  return found;
}

const output = (name: string, subject: Subject) => contestant(name)(subject);

/** Milliseconds a decode, over `count` of them. */
function time(name: string, subject: Subject, count: number): number {
  const decode = contestant(name);
  decode(subject);
  const begin = performance.now();
  for (let k = 0; k < count; k++) decode(subject);
  return (performance.now() - begin) / count;
}

/** The page's own measurement of the test split, on so many workers. */
async function measure(workers: number) {
  const [wasmBinary, weights] = await Promise.all([bytes(wasmUrl), bytes(dotUrl)]);
  const crew = { size: workers, worker: workerLine, page: pageLine };
  const subject = { wasmBinary, model: "dot", recipe: { weights } };
  return measureModel(crew, subject, { signal: new AbortController().signal });
}

const bench = { open, output, time, measure };
export type Bench = typeof bench;
Object.assign(globalThis, { bench });
