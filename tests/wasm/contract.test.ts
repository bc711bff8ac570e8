// The module keeps what softalign.d.mts declares: every name, every shape, errors as code and sentence, owned copies.
import { readFileSync } from "node:fs";
import type { Decoding, Session, SoftalignModule } from "@wasm/softalign.mjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession, value, weightsOf } from "./files.ts";

const typings = readFileSync("wasm/softalign.d.mts", "utf8");

/** Names of the members that the typings declare for an interface. */
function declared(name: string): string[] {
  const [, line, block] =
    typings.match(new RegExp(`export interface ${name} (?:\\{([^\\n]*)\\}$|\\{\\n([\\s\\S]*?)\\n\\})`, "m")) ?? [];
  const body = line ?? block ?? "";
  const code = body.replace(/\/\*\*[\s\S]*?\*\//g, "");
  // A member starts a line or follows a semicolon.
  return [...code.matchAll(/(?:^|[;\n])\s*(\w+)(?=[(:])/g)].map(([, member = ""]) => member).sort();
}

const codes = [...(typings.match(/ErrorCode =([\s\S]*?);/)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(([, code]) => code);

/** Names of one list in the C++ sources, by the pattern of its lines. */
const listed = (file: string, line: RegExp) => [...readFileSync(file, "utf8").matchAll(line)].map(([, name]) => name);

let module: SoftalignModule;
let session: Session;
beforeAll(async () => {
  ({ module, session } = await openSession());
});
afterAll(() => session.delete());

const decode = (model: string, text: string): Decoding => value(session.decode(model, text));

describe("declared names", () => {
  it("are all there, and results hold nothing else", () => {
    expect(declared("SoftalignModule")).toEqual(["HEAPU8", "Session", "source_limit", "target_vocabulary"]);
    for (const name of declared("SoftalignModule")) expect(module, name).toHaveProperty(name);
    expect(declared("Session")).toEqual(["decode", "delete", "load", "sample", "weight"]);
    for (const name of declared("Session")) expect(session, name).toHaveProperty(name);
    expect(Object.keys(decode("dot", "3 Märch 2021")).sort()).toEqual(declared("Decoding"));
    expect(Object.keys(decode("dot", "3 Märch 2021").notes[0] ?? {}).sort()).toEqual(declared("Note"));
    expect(Object.keys(value(session.sample(1, 0))).sort()).toEqual(declared("Sample"));
  });

  it("ModelInfo describes the shipped models", async () => {
    const other = await openSession();
    const dot = value(other.session.load("again", weightsOf("dot")));
    expect(Object.keys(dot).sort()).toEqual(declared("ModelInfo"));
    expect(dot).toMatchObject({ name: "again", score: "dot", ordering: "luong", encoder: "uni", parameters: 161135 });
    const plain = value(other.session.load("plain", weightsOf("plain")));
    expect(plain).toMatchObject({ score: "none", parameters: 128239, d_emb: 32, d_h: 128 });
    expect(dot.steps).toBeGreaterThan(0);
    other.session.delete();
  });
});

describe("codes", () => {
  it("are those of the lists in C++", () => {
    expect(codes).toEqual(listed("shared/io/error.h", /^ {2}X\((\w+)\)/gm));
    const notes = typings.match(/interface Note \{\n {2}code: ([^;]*);/)?.[1]?.split(" | ");
    expect(notes?.map((code) => code.slice(1, -1))).toEqual(listed("shared/task/reading.h", /^ {2}([A-Z_]+), +\/\//gm));
  });
});

describe("decode", () => {
  it("gives one column a code point and one row a token: 11 November 2011 (L52)", () => {
    const decoding = decode("dot", "11 November 2011");
    expect(decoding.source).toEqual([..."11 November 2011"]);
    expect(decoding.tokens).toEqual([...decoding.output, "<eos>"]);
    expect(decoding.tokens).toHaveLength(11);
    expect(decoding.alpha).toHaveLength(11 * 16);
    expect(decoding.probabilities).toHaveLength(11 * module.target_vocabulary().length);
  });

  it("rows of weights and of probabilities sum to 1, and log_prob is what the rows say", () => {
    const { alpha, probabilities, source, tokens, ids, log_prob } = decode("dot", "July 24, 2041; February 14, 1914");
    const V = module.target_vocabulary().length;
    let sum = 0;
    for (let t = 0; t < tokens.length; ++t) {
      const weights = alpha?.subarray(t * source.length, (t + 1) * source.length) ?? new Float32Array();
      const row = probabilities.subarray(t * V, (t + 1) * V);
      expect(weights.reduce((total, w) => total + w, 0)).toBeCloseTo(1, 5);
      expect(row.reduce((total, p) => total + p, 0)).toBeCloseTo(1, 5);
      expect(row[ids[t] ?? 0]).toBe(Math.max(...row));
      sum += Math.log(row[ids[t] ?? 0] ?? 0);
    }
    expect(log_prob).toBeCloseTo(sum, 3);
  });

  it("the plain model has no alpha", () => {
    expect(decode("plain", "3 March 2021").alpha).toBeNull();
  });

  it("names and skips letters outside the vocabulary (L03)", () => {
    const { notes, source, positions } = decode("dot", "3 März 2021");
    const unknown = notes.filter((note) => note.code === "UNKNOWN_LETTER");
    expect(unknown.map(({ start, end }) => [start, end])).toEqual([
      [3, 4],
      [5, 6],
    ]);
    expect(unknown[0]?.message).toContain('"ä"');
    expect(unknown[0]?.message).toContain("position 4");
    expect(source.join("")).toBe("3 Mr 2021");
    expect(positions).toEqual([0, 1, 2, 4, 6, 7, 8, 9, 10]);
  });

  it("says what the text says, from the text", () => {
    expect(decode("plain", "3 March 2021")).toMatchObject({ expected: "2021-03-03", K: 1, notes: [] });
    expect(decode("dot", "31 February 2021").expected).toBeNull();
    for (const K of [1, 2, 3, 4]) {
      for (const index of [0, 250, 499]) {
        const sample = value(session.sample(K, index));
        expect(decode("dot", sample.source)).toMatchObject({ expected: sample.target, K });
      }
    }
  });

  it.each([
    ["3 March 2021; 4 March 2021; 5 March 2021; 6 March 2021; 7 March 2021", "OUTSIDE_TRAINING", /outside training/],
    ["3/4/2021", "UNTRAINED_FORM", /guess/],
    ["march 3 2021", "UNTRAINED_FORM", /guess/],
    ["31 February 2021", "IMPOSSIBLE_DATE", /28 days/],
    ["29 February 1900", "IMPOSSIBLE_DATE", /28 days/],
  ])("%s is decoded with a note", (text, code, words) => {
    const decoding = decode("dot", text);
    const note = decoding.notes.find((each) => each.code === code);
    expect(note?.message).toMatch(words);
    expect(decoding.probabilities.length).toBeGreaterThan(0);
  });
});

describe("errors come as a code and a sentence (L47)", () => {
  it.each([
    ["dot", "", "EMPTY"],
    ["dot", "   ", "EMPTY"],
    ["dot", "日本", "EMPTY"],
    ["nobody", "3 March 2021", "NO_MODEL"],
    ["dot", "3 March 2021 ".repeat(40), "TOO_LONG"],
  ])("decode(%j, %j) -> %s", (model, text, code) => {
    const outcome = session.decode(model, text);
    expect(outcome).toHaveProperty("error.code", code);
    expect(codes).toContain(code);
    expect("error" in outcome && outcome.error.message.length).toBeGreaterThan(10);
  });

  it.each([
    [0, 0],
    [5, 0],
    [1, 500],
    [1, -1],
  ])("sample(%i, %i) -> BAD_VALUE", (K, index) => {
    expect(session.sample(K, index)).toHaveProperty("error.code", "BAD_VALUE");
  });

  it("weight of a name that is not there", () => {
    expect(session.weight("dot", "W_x")).toHaveProperty("error.message");
    expect(session.weight("nobody", "W_c.weight")).toHaveProperty("error.code", "NO_MODEL");
  });
});

describe("memory", () => {
  it("refuses 10,000 and a million characters without growing (L06)", () => {
    const before = module.HEAPU8.length;
    for (const count of [401, 10_000, 1_000_000]) {
      const outcome = session.decode("dot", "1".repeat(count));
      expect(outcome).toHaveProperty("error.code", "TOO_LONG");
      expect(outcome).toHaveProperty("error.message", expect.stringContaining("400"));
      if (count <= 10_000) expect(module.HEAPU8.length).toBe(before);
    }
  });

  it("stays flat over 2,000 decodings, errors among them", () => {
    const texts = [1, 2, 3, 4].map((K) => value(session.sample(K, 7)).source);
    const round = (count: number) => {
      for (let k = 0; k < count; ++k)
        session.decode(k % 3 === 0 ? "plain" : "dot", k % 10 === 9 ? "" : (texts[k % 4] ?? ""));
    };
    round(100);
    const before = module.HEAPU8.length;
    round(2000);
    expect(module.HEAPU8.length).toBe(before);
  });

  it("a copy of weights outlives the growth of memory (L45)", async () => {
    const { module: grown, session: own } = await openSession();
    const taken = value(own.weight("dot", "W_c.weight"));
    const { alpha, probabilities } = value(own.decode("dot", "3 March 2021"));
    const [weights, rows] = [taken.slice(), [alpha?.slice(), probabilities.slice()]];
    const before = grown.HEAPU8.length;
    for (let k = 0; grown.HEAPU8.length === before && k < 100; ++k) value(own.load(`copy ${k}`, weightsOf("dot")));
    expect(grown.HEAPU8.length).toBeGreaterThan(before);
    expect(taken).toEqual(weights);
    expect([alpha, probabilities]).toEqual(rows);
    expect(value(own.weight("dot", "W_c.weight"))).toEqual(weights);
    own.delete();
  });
});
