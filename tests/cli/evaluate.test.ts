// `evaluate`: the lab's metrics as JSON and as tables, on either backend.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasTorch, model, root, run } from "./program.ts";

const evaluate = (...args: string[]) => {
  const { code, out, err } = run(["evaluate", "--json", ...args]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
};
const K = ["1", "2", "3", "4"];

describe("--json", () => {
  it("has every metric of the lab, by K", () => {
    const result = evaluate("--limit", "10");
    expect(result).toMatchObject({ split: "test", backend: "eigen", n: { 1: 10, 2: 10, 3: 10, 4: 10 } });
    for (const metric of ["exact_match", "well_formed"]) expect(Object.keys(result[metric])).toEqual(K);
    for (const k of K) expect(result.per_date[k].length).toBe(Number(k));
    for (const metric of ["alignment_hit_rate", "field_hit_rate", "chance_hit_rate", "chance_field_rate"]) {
      expect(Object.keys(result[metric])).toEqual(["0", "1", "2"]);
      for (const rates of Object.values<object>(result[metric]))
        expect(Object.keys(rates).sort()).toEqual([...K, "all"].sort());
    }
    expect(result.alignment_hit_rate["0"]["1"]).toBe(1);
  });

  it("has null where the plain model has no attention", () => {
    const result = evaluate("--limit", "2", "--model", model("plain"));
    expect(result.alignment_hit_rate).toBeNull();
    expect(result.field_hit_rate).toBeNull();
    expect(Object.keys(result.exact_match)).toEqual(K);
  });

  it("takes the training split too", () => {
    expect(evaluate("--split", "train", "--limit", "1")).toMatchObject({
      split: "train",
      n: { 1: 1, 2: 1, 3: 1, 4: 1 },
    });
  });

  it.each(["dot", "plain"])(
    "repeats what the manifest of %s says",
    (name) => {
      const { evaluation } = JSON.parse(readFileSync(join(root, "models", `${name}.json`), "utf8"));
      const { seconds, ...measured } = evaluate("--model", model(name));
      const { seconds: before, ...recorded } = evaluation;
      expect(measured).toEqual(recorded);
      expect(Math.min(seconds, before)).toBeGreaterThan(0);
    },
    300_000,
  );
});

it("prints tables with n, chance and seconds", () => {
  const { code, out, err } = run(["evaluate", "--limit", "5"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("dot score, luong ordering, uni encoder, 161,135 parameters");
  for (const label of [
    "exact_match",
    "date 4 right",
    "well_formed",
    "alignment_hit_rate, tol 2",
    "field_hit_rate, tol 0",
  ])
    expect(out).toMatch(new RegExp(`^ +${label} .*[01]\\.\\d{3}$`, "m"));
  expect(out.match(/by chance/g)?.length).toBe(6);
  expect(out).toMatch(/^ +n +5 +5 +5 +5$/m);
  expect(out).toMatch(/^20 sources of the test split in \d+\.\d s$/m);
});

it("--backend torch judges the same weights, or says what to install", () => {
  const { code, out, err } = run(["evaluate", "--json", "--limit", "10", "--backend", "torch"]);
  if (!hasTorch) {
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/NO_DEVICE: .*libtorch-dev/);
    return;
  }
  expect(code).toBe(0);
  const { exact_match, alignment_hit_rate, backend } = JSON.parse(out);
  expect(backend).toMatch(/^torch on /);
  expect({ exact_match, alignment_hit_rate }).toMatchObject({
    exact_match: evaluate("--limit", "10").exact_match,
    alignment_hit_rate: evaluate("--limit", "10").alignment_hit_rate,
  });
}, 300_000);
