// The module keeps what softalign.d.mts declares: every name, every shape, errors as code and sentence, owned copies.
import { readFileSync } from "node:fs";
import type { Decoding, Session, SoftalignModule } from "@wasm/softalign.mjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bytesOf, openSession, value, weightsOf } from "./files.ts";

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
    expect(declared("SoftalignModule")).toEqual([
      "HEAPU8",
      "Session",
      "dot_product_attention",
      "masked_attention",
      "source_limit",
      "target_vocabulary",
    ]);
    for (const name of declared("SoftalignModule")) expect(module, name).toHaveProperty(name);
    expect(declared("Session")).toEqual([
      "align_test",
      "beam",
      "decode",
      "decode_test",
      "delete",
      "inspect",
      "intervene",
      "load",
      "load_probe",
      "measure",
      "measure_alignment",
      "plane",
      "sample",
      "teacher_force",
      "test_split",
      "untrained",
      "weight",
    ]);
    for (const name of declared("Session")) expect(session, name).toHaveProperty(name);
    expect(Object.keys(decode("dot", "3 Märch 2021")).sort()).toEqual(declared("Decoding"));
    expect(Object.keys(decode("dot", "3 Märch 2021").notes[0] ?? {}).sort()).toEqual(declared("Note"));
    expect(Object.keys(value(session.sample(1, 0))).sort()).toEqual(declared("Sample"));
    expect(Object.keys(value(session.inspect("dot", "3 March 2021", 0))).sort()).toEqual(declared("Inspection"));
    const intervention = value(session.intervene("dot", "3 March 2021", {}));
    const added = declared("Intervention extends Decoding");
    expect(Object.keys(intervention).sort()).toEqual([...declared("Decoding"), ...added].sort());
    const beam = value(session.beam("dot", "3 Märch 2021", 2, 1, false));
    expect(Object.keys(beam).sort()).toEqual(declared("Beam"));
    expect(Object.keys(beam.best[0] ?? {}).sort()).toEqual(declared("Hypothesis"));
    expect(Object.keys(beam.tree).sort()).toEqual(declared("BeamTree"));
    const measurement = value(session.measure(new Array<string>(2000).fill("")));
    expect(Object.keys(measurement).sort()).toEqual(declared("Measurement"));
    const forced = value(session.teacher_force("dot", "3 March 2021", "2021-03-03"));
    expect(Object.keys(forced).sort()).toEqual(declared("TeacherForced"));
    const probe = value(session.load_probe("dot", bytesOf("models/dot.probe.safetensors"), ""));
    expect(Object.keys(probe).sort()).toEqual(declared("ProbeInfo"));
    expect(Object.keys(value(session.plane("dot", "3 March 2021"))).sort()).toEqual(declared("Plane"));
    const step = value(module.masked_attention([1], [1], 1));
    expect(Object.keys(step).sort()).toEqual(declared("AttentionStep"));
    expect(Object.keys(session.test_split()).sort()).toEqual(declared("TestSplit"));
    expect(Object.keys(value(session.decode_test("dot", 0, 1))).sort()).toEqual(declared("TestOutputs"));
    const digits = session.test_split().targets.reduce((sum, { length }) => sum + length, 0);
    const alignment = value(session.measure_alignment(new Int32Array(digits)));
    expect(Object.keys(alignment).sort()).toEqual(declared("Alignment"));
    expect(Object.keys(alignment.field_hit_rate).sort()).toEqual(declared("TestRate"));
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

  it("says where each date stands, in the columns that are read, or nothing", () => {
    const text = "from 1st Aprilé 2021 to 2099/12/31";
    const { fields, source } = decode("dot", text);
    const written = (span: [number, number] | undefined) => source.slice(...(span ?? [0, 0])).join("");
    expect(fields?.map(({ date, year, month, day }) => [date, year, month, day].map(written))).toEqual([
      ["1st April 2021", "2021", "April", "1st"],
      ["2099/12/31", "2099", "12", "31"],
    ]);
    expect(decode("plain", "x3 xMarch x2021").fields).toEqual([
      { date: [0, 12], year: [8, 12], month: [2, 7], day: [0, 1] },
    ]);
    for (const unclear of ["3/4/2021", "hello", "3 March 2021 was a day"])
      expect(decode("dot", unclear).fields).toBeNull();
    expect(Object.keys(fields?.[0] ?? {}).sort()).toEqual(declared("DateFields"));
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

describe("inspect", () => {
  const text = "July 24, 2041; February 14, 1914";
  const plus = (a: number, b: number) => Math.fround(a + b);

  it("unfolds every row of alpha, bit by bit", () => {
    const { alpha, source, tokens } = decode("dot", text);
    const S = source.length;
    let states: Float32Array | undefined;
    tokens.forEach((_, t) => {
      const step = value(session.inspect("dot", text, t));
      expect(step).toMatchObject({ model: "dot", t, S, d_h: 128, d_enc: 128, d_k: 128, V: 15 });
      expect(step.alpha).toEqual(alpha?.slice(t * S, (t + 1) * S));
      expect(step.largest).toBe(Math.max(...step.score));
      expect(step.sum).toBe(step.exponential.reduce(plus, 0));
      expect(step.alpha).toEqual(step.exponential.map((term) => term / step.sum));
      step.exponential.forEach((term, i) => {
        expect(term / Math.exp(Math.fround((step.score[i] ?? 0) - step.largest))).toBeCloseTo(1, 6);
      });
      // The source is read once for all tokens.
      states ??= step.h;
      expect(step.h).toEqual(states);
    });
    expect(states).toHaveLength(S * 128);
  });

  it("h_bar is the weighted sum of the states, and a dot score the product of two", () => {
    const { S, d_h, score, alpha, h, s, h_bar } = value(session.inspect("dot", text, 3));
    const row = (i: number) => h.subarray(i * d_h, (i + 1) * d_h);
    const sum = new Float32Array(d_h);
    for (let i = 0; i < S; ++i)
      row(i).forEach((value, d) => {
        sum[d] = plus(sum[d] ?? 0, Math.fround((alpha[i] ?? 0) * value));
      });
    expect(h_bar).toEqual(sum);
    expect(s).toHaveLength(d_h);
    for (let i = 0; i < S; ++i)
      expect(score[i]).toBeCloseTo(
        row(i).reduce((total, value, d) => total + value * (s[d] ?? 0), 0),
        3,
      );
  });

  it("goes on from s and h_bar to the logits, the probabilities and the token", () => {
    const { probabilities, tokens } = decode("dot", text);
    const step = value(session.inspect("dot", text, 3));
    const { V, d_h, q, k, s, s_t, h, h_bar, s_tilde, z, log_probs } = step;
    const weights = (name: string) => value(session.weight("dot", name));
    const times = (W: Float32Array, b: Float32Array, x: number[]) =>
      Array.from(b, (start, i) => x.reduce((sum, each, j) => sum + each * (W[i * x.length + j] ?? 0), start));
    const expected = times(weights("W_c.weight"), weights("W_c.bias"), [...s_t, ...h_bar]).map(Math.tanh);
    for (let d = 0; d < d_h; ++d) expect(s_tilde[d]).toBeCloseTo(expected[d] ?? 0, 5);
    const logits = times(weights("W_o.weight"), weights("W_o.bias"), [...s_tilde]);
    for (let v = 0; v < V; ++v) {
      expect(z[v]).toBeCloseTo(logits[v] ?? 0, 4);
      expect(Math.exp(log_probs[v] ?? 0)).toBeCloseTo(probabilities[3 * V + v] ?? 0, 6);
    }
    expect(step.token).toBe(tokens[3]);
    expect([q, k, s]).toEqual([s, h, s_t]);
  });

  it("of the plain model is state and logits", () => {
    const { alpha, score, h_bar, s_tilde, s, s_t, z, d_h, V } = value(session.inspect("plain", text, 0));
    for (const nothing of [alpha, score, h_bar, s_tilde]) expect(nothing).toHaveLength(0);
    expect(s).toEqual(s_t);
    expect([s.length, z.length]).toEqual([d_h, V]);
  });

  it("shows a step of an edited decoding", () => {
    const rows = [{ first: 0, last: 99, kind: "one_hot" as const, position: 4 }];
    const { h, h_bar, alpha_read, d_enc } = value(session.inspect("dot", text, 2, { rows }));
    expect(h_bar).toEqual(h.slice(4 * d_enc, 5 * d_enc));
    expect(alpha_read.indexOf(1)).toBe(4);
  });

  it.each([
    ["plain", text, 99, "BAD_VALUE"],
    ["dot", text, -1, "BAD_VALUE"],
    ["dot", "3 March 2021", 11, "BAD_VALUE"],
    ["dot", "3 March 2021", 2 ** 30, "BAD_VALUE"],
    ["dot", "", 0, "EMPTY"],
    ["nobody", text, 0, "NO_MODEL"],
  ])("inspect(%j, %j, %i) -> %s", (model, source, t, code) => {
    expect(session.inspect(model, source, t)).toHaveProperty("error.code", code);
  });
});

describe("measuring on the test split", () => {
  it.each(["dot", "plain"])(
    "%s: in slices, the numbers of `softalign evaluate` that its manifest holds",
    (name) => {
      const outputs: string[] = [];
      const { targets } = session.test_split();
      for (const count of [1, 499, 700, 800]) {
        const slice = value(session.decode_test(name, outputs.length, count));
        slice.right.forEach((right, k) => {
          expect(right).toBe(Number(slice.outputs[k] === targets[outputs.length + k]));
        });
        outputs.push(...slice.outputs);
      }
      const measured = value(session.measure(outputs));
      const { evaluation } = JSON.parse(readFileSync(`models/${name}.json`, "utf8"));
      const metrics = ["n", "exact_match", "per_date", "well_formed"] as const;
      for (const metric of metrics) expect(measured[metric]).toEqual(Object.values(evaluation[metric]));
    },
    60_000,
  );

  it("outputs are those of decode, in the order of sample", () => {
    for (const [K, index] of [
      [1, 0],
      [2, 499],
      [4, 499],
    ] as const) {
      const { source } = value(session.sample(K, index));
      const { outputs } = value(session.decode_test("dot", (K - 1) * 500 + index, 1));
      expect(outputs).toEqual([decode("dot", source).output]);
    }
  });

  it("perfect outputs reach 1, and one wrong digit costs what it should", () => {
    const { sources, targets } = session.test_split();
    const samples = [1, 2, 3, 4].flatMap((K) =>
      Array.from({ length: 500 }, (_, index) => value(session.sample(K, index))),
    );
    expect(sources).toEqual(samples.map(({ source }) => source));
    expect(targets).toEqual(samples.map(({ target }) => target));
    const ones = [1, 1, 1, 1];
    const perfect = { n: [500, 500, 500, 500], exact_match: ones, well_formed: ones };
    expect(value(session.measure(targets))).toMatchObject(perfect);
    const wrong = targets.with(1999, `${targets[1999]?.slice(0, -2)}99`);
    const measured = value(session.measure(wrong));
    expect(measured.exact_match).toEqual([1, 1, 1, 0.998]);
    expect(measured.per_date[3]).toEqual([1, 1, 1, 0.998]);
    expect(measured.well_formed).toEqual([1, 1, 1, 0.998]);
  });

  it.each([
    [-1, 1],
    [0, 2001],
    [1999, 2],
    [2 ** 31 - 1, 2 ** 31 - 1],
    [0, -1],
  ])("decode_test(%i, %i) -> BAD_VALUE", (first, count) => {
    expect(session.decode_test("dot", first, count)).toHaveProperty("error.code", "BAD_VALUE");
  });

  it("an empty slice at the end, a model that is not there, and a wrong number of outputs", () => {
    expect(value(session.decode_test("dot", 2000, 0))).toEqual({ outputs: [], right: new Uint8Array() });
    expect(session.decode_test("nobody", 0, 1)).toHaveProperty("error.code", "NO_MODEL");
    expect(session.measure(["2021-03-03"])).toHaveProperty("error.code", "BAD_VALUE");
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
