// `evaluate`: the lab's metrics as JSON and as tables, on either backend.
import { describe, expect, it } from "vitest";
import { hasTorch, model, run, start } from "./program.ts";

const evaluate = (...args: string[]) => {
  const { code, out, err } = run(["evaluate", "--json", ...args]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
};
const K = ["1", "2", "3", "4"];
const showcase = "3 March 2021";

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

  it.each(["dot", "plain"])("shows what %s does with the showcase, as decode does", (name) => {
    const shown = evaluate("--limit", "1", "--model", model(name)).showcase;
    const { out } = run(["decode", "--json", "--model", model(name), showcase]);
    const { output, log_prob, alpha } = JSON.parse(out);
    expect(shown).toMatchObject({ source: showcase, output });
    expect(shown.log_prob).toBeCloseTo(log_prob, 6);
    const rows: number[][] | undefined = alpha ?? undefined;
    const largest = rows?.map((row) => row.indexOf(Math.max(...row)) + 1);
    expect(shown.largest_at).toEqual(largest ?? null);
    expect(shown.one_hot_rows).toEqual(rows?.filter((row) => Math.max(...row) > 0.99).length ?? null);
  });

  it.each(["dot", "plain"])("has the same numbers of %s for any number of threads", (name) => {
    const { seconds: _, ...alone } = evaluate("--limit", "30", "--model", model(name), "--threads", "1");
    for (const threads of ["2", "3", "16"]) {
      const { seconds: _, ...shared } = evaluate("--limit", "30", "--model", model(name), "--threads", threads);
      expect(shared).toEqual(alone);
    }
    const { seconds: _more, ...few } = evaluate("--limit", "1", "--model", model(name), "--threads", "256");
    expect(few.n).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1 });
  });

  it.each(["dot", "plain"])("has the loss and the token accuracy of %s under teacher forcing", (name) => {
    const { teacher_forced, exact_match } = evaluate("--limit", "20", "--model", model(name));
    const { loss, token_accuracy } = teacher_forced;
    for (const rates of [loss, token_accuracy]) expect(Object.keys(rates).sort()).toEqual([...K, "all"].sort());
    for (const k of K) {
      expect(loss[k]).toBe(Math.round(loss[k] * 1e6) / 1e6);
      const tokens = 20 * (11 * Number(k)); // ten characters a date, and a space or <eos> behind each
      expect(token_accuracy[k] * tokens).toBeCloseTo(Math.round(token_accuracy[k] * tokens), 6);
      if (exact_match[k] === 1) expect(token_accuracy[k]).toBe(1);
    }
    // K = 4 has four times the tokens of K = 1.
    const mean = (rates: Record<string, number>) => K.reduce((sum, k) => sum + Number(k) * (rates[k] ?? 0), 0) / 10;
    expect(loss.all).toBeCloseTo(mean(loss), 5);
    expect(token_accuracy.all).toBeCloseTo(mean(token_accuracy), 9);
  });

  it("has the loss of a right answer that decoding gives it", () => {
    const { exact_match, teacher_forced } = evaluate("--limit", "1");
    const sources = run(["data", "--split", "test"]).out.split("\n");
    expect(exact_match["1"]).toBe(1);
    const { log_prob } = JSON.parse(run(["decode", "--json", sources[0]?.split("\t")[0] ?? ""]).out);
    expect(teacher_forced.loss["1"]).toBeCloseTo(-log_prob / 11, 6);
  });

  it("takes the training split too", () => {
    expect(evaluate("--split", "train", "--limit", "1")).toMatchObject({
      split: "train",
      n: { 1: 1, 2: 1, 3: 1, 4: 1 },
    });
  });
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
  expect(out).toMatch(/^ {2}On 3 March 2021\n {2}log_prob +-\d\.\d{6} nats\n {2}writes +2 {2}0 {2}2 {2}1 .*<eos>$/m);
  expect(out).toMatch(/^ {2}largest weight at position( +\d+){11}\n {2}one-hot rows .* \d+ of 11$/m);
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

it.each(["SIGINT", "SIGTERM"] as const)("%s ends it, whatever its threads do", async (signal) => {
  const { child, ended } = start(["evaluate", "--split", "train", "--threads", "3"]);
  child.stdout?.once("data", () => child.kill(signal));
  const { code, out } = await ended;
  expect(code).toBeNull();
  expect(child.signalCode).toBe(signal);
  expect(out).not.toContain("exact_match");
});
