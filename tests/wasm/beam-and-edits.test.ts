// Other ways of decoding at the JavaScript boundary: with edited rows of weights or a forced beginning, and with a beam.
import type { Decoding, Edits, RowsEdit, Session, SoftalignModule } from "@wasm/softalign.mjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession, value } from "./files.ts";

let module: SoftalignModule;
let session: Session;
beforeAll(async () => {
  ({ module, session } = await openSession());
});
afterAll(() => session.delete());

const decode = (model: string, text: string): Decoding => value(session.decode(model, text));

describe("intervene", () => {
  const text = "3 March 2021";
  const S = text.length;
  const edited = (rows: RowsEdit[], prefix?: string) =>
    value(session.intervene("dot", text, prefix ? { rows, prefix } : { rows }));

  it("without edits is decode", () => {
    const { alpha_read, ...decoding } = value(session.intervene("dot", text, {}));
    expect(alpha_read).toBeNull();
    expect(decoding).toEqual(decode("dot", text));
  });

  it("reads through the edited rows, and keeps what the model computed", () => {
    const { alpha } = decode("dot", text);
    const uniform = edited([{ first: 1, last: 1, kind: "uniform" }]);
    expect(uniform.alpha?.slice(0, 2 * S)).toEqual(alpha?.slice(0, 2 * S));
    expect(uniform.alpha_read?.slice(0, S)).toEqual(alpha?.slice(0, S));
    expect(uniform.alpha_read?.slice(S, 2 * S)).toEqual(new Float32Array(S).fill(1 / S));
    const first = (edit: Omit<RowsEdit, "first" | "last">) =>
      edited([{ first: 0, last: 0, ...edit }]).alpha_read?.slice(0, S);
    expect(first({ kind: "none" })).toEqual(new Float32Array(S));
    expect(first({ kind: "one_hot", position: 3 })?.indexOf(1)).toBe(3);
    const top = alpha?.slice(0, S) ?? new Float32Array();
    expect(first({ kind: "one_hot" })?.indexOf(1)).toBe(top.indexOf(Math.max(...top)));
    for (const row of [[1, 0, 3], new Float32Array([1, 0, 3])])
      expect([...(first({ kind: "row", row }) ?? [])].slice(0, 4)).toEqual([0.25, 0, 0.75, 0]);
    expect([...(first({ kind: "shift", by: 2 }) ?? [])].slice(2, 5)).toEqual([...top.slice(0, 3)]);
    expect(Math.max(...(first({ kind: "temperature", temperature: 5 }) ?? []))).toBeLessThan(Math.max(...top));
  });

  it("forces a beginning", () => {
    const forced = edited([], "1999-");
    expect(forced.output).toMatch(/^1999-/);
    expect(forced.log_prob).toBeLessThan(decode("dot", text).log_prob);
  });

  it.each([
    ["plain", { rows: [{ first: 0, last: 0, kind: "uniform" }] }, "BAD_VALUE"],
    ["dot", { rows: [{ first: 0, last: 0, kind: "one_hot", position: 12 }] }, "BAD_VALUE"],
    ["dot", { rows: [{ first: 0, last: 0, kind: "temperature", temperature: 0 }] }, "BAD_VALUE"],
    ["dot", { rows: [{ first: 0, last: 0, kind: "temperature", temperature: Number.NaN }] }, "BAD_VALUE"],
    ["dot", { rows: [{ first: 0, last: 0, kind: "row", row: [] }] }, "BAD_VALUE"],
    ["dot", { rows: [{ first: 2, last: 1, kind: "uniform" }] }, "BAD_VALUE"],
    ["dot", { rows: [{ first: 0, last: 0, kind: "sharpen" }] }, "BAD_VALUE"],
    ["dot", { prefix: "March" }, "BAD_VALUE"],
    ["dot", { prefix: "1".repeat(57) }, "BAD_VALUE"],
    ["nobody", {}, "NO_MODEL"],
  ])("%s, %j -> %s", (model, edits, code) => {
    expect(session.intervene(model, text, edits as Edits)).toHaveProperty("error.code", code);
  });
});

describe("beam", () => {
  const text = "July 24, 2041; February 14, 1914";
  const beam = (B: number, n_best = 1, plain_values = false) =>
    value(session.beam("dot", text, B, n_best, plain_values));

  it("of 1 is decode", () => {
    for (const model of ["dot", "plain"]) {
      const [one] = value(session.beam(model, text, 1, 1, false)).best;
      const { ids, tokens, output, finished, log_prob } = decode(model, text);
      expect(one).toMatchObject({ ids, tokens, output, finished, log_prob });
      expect(one?.value_per_length).toBe(log_prob / ids.length);
    }
  });

  it("gives different outputs, best first, and the first does not depend on how many are asked for (L30)", () => {
    const { best } = beam(10, 10);
    expect(best).toHaveLength(10);
    expect(new Set(best.map(({ output }) => output)).size).toBe(10);
    const values = best.map(({ value_per_length }) => value_per_length);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    expect(beam(10).best).toEqual(best.slice(0, 1));
    const plain = beam(10, 10, true).best.map(({ log_prob }) => log_prob);
    expect(plain).toEqual([...plain].sort((a, b) => b - a));
  });

  it("holds the tree, node by node, and the way to each output", () => {
    const { best, tree } = beam(4, 4);
    const { token, value, parent, length, kept, finished } = tree;
    for (const column of Object.values(tree)) expect(column).toHaveLength(token.length);
    for (const { ids, node, log_prob } of best) {
      const path: number[] = [];
      for (let at = node; at >= 0; at = parent[at] ?? -1) path.unshift(token[at] ?? -1);
      expect(path).toEqual(ids);
      expect([value[node], finished[node], length[node]]).toEqual([log_prob, 1, ids.length]);
    }
    for (let step = 1; step <= (length.at(-1) ?? 0); ++step) {
      const nodes = [...length.keys()].filter((node) => length[node] === step);
      expect(nodes.filter((node) => kept[node]).length).toBe(4);
      const worst = Math.min(...nodes.filter((node) => kept[node]).map((node) => value[node] ?? 0));
      for (const node of nodes) if (!kept[node]) expect(value[node]).toBeLessThanOrEqual(worst);
    }
  });

  it("of 100 stays within the memory, over and over, and its arrays are copies", () => {
    const first = value(session.beam("dot", "1".repeat(400), 100, 100, false));
    const values = first.tree.value.slice();
    const before = module.HEAPU8.length;
    expect(before).toBeLessThanOrEqual(64 << 20);
    for (let k = 0; k < 5; ++k) value(session.beam("dot", "1".repeat(400), 100, 100, false));
    expect(module.HEAPU8.length).toBe(before);
    expect(first.tree.value).toEqual(values);
  }, 60_000);

  it.each([
    ["dot", text, 0, 1, "BAD_VALUE"],
    ["dot", text, 101, 1, "BAD_VALUE"],
    ["dot", text, 3, 4, "BAD_VALUE"],
    ["dot", text, 3, 0, "BAD_VALUE"],
    ["dot", "", 3, 1, "EMPTY"],
    ["nobody", text, 3, 1, "NO_MODEL"],
  ])("beam(%j, %j, %i, %i) -> %s", (model, source, B, n_best, code) => {
    expect(session.beam(model, source, B, n_best, false)).toHaveProperty("error.code", code);
  });
});
