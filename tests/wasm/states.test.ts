// What demos take from the module beside decodings: scored targets, untrained models, states in a plane, attention on plain arrays.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import type { AttentionStep, Session, SoftalignModule } from "@wasm/softalign.mjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli, native } from "./command-line.ts";
import { bytesOf, openSession, split, value, weightsOf } from "./files.ts";

let module: SoftalignModule;
let session: Session;
beforeAll(async () => {
  ({ module, session } = await openSession());
  for (const name of ["additive", "bahdanau"]) value(session.load(name, weightsOf(name)));
});
afterAll(() => session.delete());

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const text = "July 24, 2041; February 14, 1914";
const near = (numbers: Float32Array, expected: number[]) => {
  expect(numbers).toHaveLength(expected.length);
  for (const [i, number] of expected.entries()) expect(numbers[i], String(i)).toBeCloseTo(number, 3);
};

describe("attention on plain arrays", () => {
  const masked = (score: number[], h: number[], length = score.length) =>
    value(module.masked_attention(score, h, length));

  it("gives the worked numbers of the course", () => {
    const step = masked([2, 0, 0], [1, 0, 0]);
    near(step.alpha, [0.787, 0.107, 0.107]);
    expect(step).toMatchObject({ S: 3, d: 1, largest: 2 });
    near(step.exponential, [1, 0.135, 0.135]);
    expect(step.sum).toBeCloseTo(1.2707, 4);
  });

  it("computes scores from a query: q . h_i, then the same", () => {
    const { score, alpha, h_bar } = value(module.dot_product_attention([2, 0], [1, 0, 0, 1, -1, 0], 3));
    near(score, [2, 0, -2]);
    near(alpha, [0.867, 0.117, 0.016]);
    near(h_bar, [0.851, 0.117]);
    const padded = value(module.dot_product_attention([2, 0], [1, 0, 0, 1, -1, 0], 2));
    near(padded.alpha, [0.881, 0.119, 0]);
    near(padded.h_bar, [0.881, 0.119]);
    expect([padded.alpha[2], padded.exponential[2], padded.score[2]]).toEqual([0, 0, -2]);
  });

  it("equal scores get exactly equal weights, and padding exactly none", () => {
    for (const S of [1, 3, 10, 400]) {
      const { alpha } = masked(new Array<number>(S).fill(-7.25), new Array<number>(S).fill(1));
      expect(new Set(alpha)).toEqual(new Set([Math.fround(1 / S)]));
    }
    const step = masked([0, 5, 900], [1, 2, 3], 2);
    expect([step.alpha[2], step.exponential[2], step.score[2], step.largest]).toEqual([0, 0, 900, 5]);
  });

  it("takes typed arrays, and its arrays are copies", () => {
    const score = Float32Array.of(1, 2);
    const step = value(module.masked_attention(score, Float32Array.of(1, 0, 0, 1), 2));
    score[0] = 9;
    masked([0, 0], [0, 0]);
    expect([...step.score]).toEqual([1, 2]);
    expect(Object.keys(step).sort()).toEqual([
      "S",
      "alpha",
      "d",
      "exponential",
      "h_bar",
      "largest",
      "score",
      "sum",
    ] satisfies (keyof AttentionStep)[]);
  });

  it.each([
    ["nothing", [], [], 0],
    ["no states", [1], [], 1],
    ["states that do not fit", [1, 2], [1, 2, 3], 2],
    ["length 0", [1, 2], [1, 2], 0],
    ["a length beyond S", [1, 2], [1, 2], 3],
    ["a length that is no number", [1, 2], [1, 2], Number.NaN],
    ["NaN", [1, Number.NaN], [1, 2], 2],
    ["infinity", [1, 2], [1, Number.POSITIVE_INFINITY], 2],
    ["more than a float holds", [1, 1e39], [1, 2], 2],
    ["401 states", new Array<number>(401).fill(0), new Array<number>(401).fill(0), 401],
    ["257 entries", [1], new Array<number>(257).fill(0), 1],
    ["an array beyond all limits", [1], new Float32Array(1_000_000), 1],
  ])("refuses %s", (_, score, h, length) => {
    const outcome = module.masked_attention(score, h, length);
    expect(outcome).toHaveProperty("error.code", "BAD_VALUE");
    expect("error" in outcome && outcome.error.message.length).toBeGreaterThan(20);
  });

  it("refuses a query of another size than the states", () => {
    expect(module.dot_product_attention([1, 2], [1, 2, 3], 1)).toHaveProperty("error.code", "BAD_VALUE");
    expect(module.dot_product_attention([], [1, 2, 3], 1)).toHaveProperty("error.code", "BAD_VALUE");
    expect(module.dot_product_attention([1e30], [1e30], 1)).toHaveProperty("error.code", "BAD_VALUE");
  });
});

describe("teacher_force", () => {
  it.each(["dot", "plain", "additive", "bahdanau"])(
    "%s: of its own answer is what the command line says of it",
    (name) => {
      const sources = [text, "3 March 2021"];
      for (const line of native(name, `${sources.join("\n")}\n`)) {
        const forced = value(session.teacher_force(name, line.source, line.output));
        expect(forced.sum).toBe(-line.log_prob);
        expect(forced.mean).toBe(-line.log_prob / (line.output.length + 1));
        expect(forced.tokens).toEqual([...line.output, "<eos>"]);
        expect(forced.predicted).toEqual(forced.tokens);
        expect(forced.tgt_in).toEqual(["<bos>", ...line.output]);
        expect(forced.alpha).toEqual(line.alpha && Float32Array.from(line.alpha.flat()));
      }
    },
  );

  it("of another target: each token after the right ones before it", () => {
    const target = "2041-07-25";
    const forced = value(session.teacher_force("dot", text, target));
    const V = module.target_vocabulary().length;
    forced.ids.forEach((id, t) => {
      const prefixed = value(session.intervene("dot", text, { prefix: target.slice(0, t) }));
      const row = prefixed.probabilities.subarray(t * V, (t + 1) * V);
      expect(forced.probabilities.subarray(t * V, (t + 1) * V)).toEqual(row);
      expect(forced.loss[t]).toBeCloseTo(-Math.log(row[id] ?? 0), 4);
      expect(forced.predicted[t]).toBe(module.target_vocabulary()[row.indexOf(Math.max(...row))]);
    });
    const sum = forced.loss.reduce((total, each) => total + each, 0);
    expect(forced.sum).toBeCloseTo(sum, 4);
    expect(forced.mean).toBeCloseTo(sum / forced.loss.length, 5);
    expect(forced.predicted[9]).toBe("4");
    expect(forced.loss[9]).toBeGreaterThan(1);
  });

  it("is the loss that `softalign evaluate` prints", () => {
    const args = ["evaluate", "--model", "models/plain.safetensors", "--limit", "3", "--json"];
    const { teacher_forced } = JSON.parse(
      execFileSync(cli, args, { encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] }),
    );
    const { sources, targets } = session.test_split();
    [1, 2, 3, 4].forEach((K) => {
      const three = [0, 1, 2].map((index) => (K - 1) * 500 + index);
      const scored = three.map((at) => value(session.teacher_force("plain", sources[at] ?? "", targets[at] ?? "")));
      const tokens = scored.reduce((count, { ids }) => count + ids.length, 0);
      expect(scored.reduce((sum, each) => sum + each.sum, 0) / tokens).toBeCloseTo(teacher_forced.loss[K], 6);
    });
  });

  it.each([
    ["dot", text, "", "BAD_VALUE"],
    ["dot", text, "2021-03-O3", "BAD_VALUE"],
    ["dot", text, "2021\u0000", "BAD_VALUE"],
    ["dot", text, "<eos>", "BAD_VALUE"],
    ["dot", text, "1".repeat(128), "BAD_VALUE"],
    ["dot", "", "2021-03-03", "EMPTY"],
    ["nobody", text, "2021-03-03", "NO_MODEL"],
  ])("teacher_force(%j, %j, %j) -> %s", (model, source, target, code) => {
    expect(session.teacher_force(model, source, target)).toHaveProperty("error.code", code);
  });
});

describe("untrained", () => {
  it("is a model that knows nothing: a loss of about ln 15 a token", () => {
    const info = value(session.untrained("new", "dot", 0));
    expect(info).toMatchObject({ name: "new", score: "dot", parameters: 161135, steps: 0 });
    const losses = [1, 2, 3, 4].map((K) => {
      const { source, target } = value(session.sample(K, 0));
      return value(session.teacher_force("new", source, target)).mean;
    });
    for (const loss of losses) expect(Math.abs(loss - Math.log(15))).toBeLessThan(0.25);
    // The dot model itself knows.
    expect(value(session.teacher_force("dot", "3 March 2021", "2021-03-03")).mean).toBeLessThan(0.01);
  });

  it("depends on the seed alone", () => {
    const W_o = (seed: number) => {
      value(session.untrained("new", "plain", seed));
      return value(session.weight("new", "W_o.weight"));
    };
    const first = W_o(1);
    expect(W_o(2)).not.toEqual(first);
    expect(W_o(1)).toEqual(first);
    // U(-1/sqrt(d_h), 1/sqrt(d_h))
    for (const weight of first) expect(Math.abs(weight)).toBeLessThanOrEqual(1 / Math.sqrt(128));
  });

  it.each([
    ["nobody", 0, "NO_MODEL"],
    ["dot", -1, "BAD_VALUE"],
    ["dot", 0.5, "BAD_VALUE"],
    ["dot", 2 ** 53, "BAD_VALUE"],
    ["dot", Number.NaN, "BAD_VALUE"],
  ])("like %s from seed %d -> %s", (like, seed, code) => {
    expect(session.untrained("new", like, seed)).toHaveProperty("error.code", code);
  });
});

describe("plane", () => {
  const probeOf = (name: string) => bytesOf(`models/${name}.probe.safetensors`);
  const tensor = (name: string, key: string) => {
    const { header, data } = split(probeOf(name));
    const [begin, end] = header[key]?.data_offsets ?? [0, 0];
    return new Float32Array(data.slice(begin, end).buffer);
  };

  it.each(["dot", "plain", "additive", "bahdanau"])(
    "%s: states that the score compares, along the probe's axes",
    (name) => {
      const [mean, axes] = [tensor(name, "plane.mean"), tensor(name, "plane.axes")];
      const d = mean.length;
      const along = (states: Float32Array, row: number, axis: number) =>
        mean.reduce((sum, m, j) => sum + (axes[axis * d + j] ?? 0) * ((states[row * d + j] ?? 0) - m), 0);
      expect(session.plane(name, text)).toHaveProperty("error.code", "NO_MODEL");
      const info = value(session.load_probe(name, probeOf(name), sha256(weightsOf(name))));
      expect(info).toEqual({ explained: [...tensor(name, "plane.explained")], d });
      const drawn = value(session.plane(name, text));
      const decoding = value(session.decode(name, text));
      expect(drawn).toMatchObject({
        model: name,
        source: decoding.source,
        tokens: decoding.tokens,
        explained: info.explained,
      });
      expect(drawn.alpha).toEqual(decoding.alpha);
      expect([drawn.k.length, drawn.q.length]).toEqual([2 * text.length, 2 * decoding.tokens.length]);
      for (const t of [0, 5, decoding.tokens.length - 1]) {
        const { q, k, s, h } = value(session.inspect(name, text, t));
        for (const axis of [0, 1]) {
          expect(drawn.q[2 * t + axis]).toBeCloseTo(along(q.length ? q : s, 0, axis), 3);
          for (let i = 0; i < text.length; ++i)
            expect(drawn.k[2 * i + axis]).toBeCloseTo(along(k.length ? k : h, i, axis), 3);
        }
      }
    },
  );

  it("a probe of other weights is refused, and one that is none", () => {
    const dot = sha256(weightsOf("dot"));
    expect(session.load_probe("dot", probeOf("general"), dot)).toHaveProperty("error.code", "WRONG_MODEL");
    expect(session.load_probe("dot", weightsOf("dot"), dot)).toHaveProperty("error.code", "WRONG_MODEL");
    expect(session.load_probe("dot", new Uint8Array(3), dot)).toHaveProperty("error.code", "BAD_WEIGHTS");
    expect(session.load_probe("nobody", probeOf("dot"), dot)).toHaveProperty("error.code", "NO_MODEL");
    // A caller that does not know the hash takes what fits.
    expect(session.load_probe("dot", probeOf("dot"), "")).toHaveProperty("value");
    expect(session.plane("dot", text)).toHaveProperty("value");
  });
});
