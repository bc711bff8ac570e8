// `decode --beam`: the best outputs of a beam search, the tree that it tried, and what no beam can do.
import { describe, expect, it } from "vitest";
import { jsonLines, model, run } from "./program.ts";

const showcase = "3 March 2021";
const beam = (...args: string[]) => run(["decode", "--beam", ...args]);

describe("--beam", () => {
  it("gives the output with log_prob and log_prob / length, 11 with <eos> (L32)", () => {
    const { code, out, err } = beam("5", showcase);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(`${showcase} -> 2021-03-03\n`);
    expect(out).toMatch(/^log_prob -0\.\d{6} nats, value \/ length -0\.\d{6} with 11 tokens, <eos> counted$/m);
    const [answer] = jsonLines(beam("5", "--json", showcase).out);
    expect(answer).toMatchObject({
      source: showcase,
      output: "2021-03-03",
      beam: 5,
      plain_values: false,
      finished: true,
    });
    expect(answer.best).toHaveLength(1);
    expect(answer.best[0].length).toBe(11);
    expect(answer.value_per_length).toBe(answer.log_prob / 11);
    expect(answer.tree).toBeUndefined();
  });

  it("of 1 is greedy decoding", () => {
    for (const name of ["dot", "plain"]) {
      const [greedy] = jsonLines(run(["decode", "--json", "--model", model(name), "April 4, 2024"]).out);
      const [one] = jsonLines(beam("1", "--json", "--model", model(name), "April 4, 2024").out);
      expect([one.output, one.log_prob]).toEqual([greedy.output, greedy.log_prob]);
    }
  });

  it("lists the n best, all different, best first (L30)", () => {
    const [{ best }] = jsonLines(beam("10", "--n-best", "10", "--json", showcase).out);
    expect(best).toHaveLength(10);
    expect(new Set(best.map(({ output }: { output: string }) => output)).size).toBe(10);
    const values = best.map(({ value_per_length }: { value_per_length: number }) => value_per_length);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    const { out } = beam("10", "--n-best", "4", showcase);
    expect(out).toContain("The best of a beam of 10, by value / length\n   1  2021-03-03");
    expect(out.match(/^ +\d {2}.* log_prob +-\d+\.\d{6} \/ +\d+ = +-\d+\.\d{6}$/gm)).toHaveLength(4);
  });

  it("tells outputs apart that differ only in a space", () => {
    const { out } = beam("3", "--n-best", "3", showcase);
    expect(out).toMatch(/^ +1 {2}2021-03-03 {3}log_prob /m);
    expect(out).toMatch(/^ +3 {2}2021-03-03␣ {2}log_prob /m);
  });

  it("compares plain values when told to", () => {
    const [{ best, plain_values }] = jsonLines(beam("5", "--n-best", "5", "--plain-values", "--json", showcase).out);
    expect(plain_values).toBe(true);
    const values = best.map(({ log_prob }: { log_prob: number }) => log_prob);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    expect(beam("5", "--n-best", "2", "--plain-values", showcase).out).toContain("by value\n");
  });

  it("reads a text a line, whatever its beam (L34)", () => {
    for (const size of ["15", "16", "100"]) {
      const { code, out } = run(["decode", "--beam", size, "--json", "--stdin"], {
        input: `${showcase}\n\n13 Jul 1914\n`,
      });
      expect(code).toBe(1);
      expect(jsonLines(out).map(({ output }) => output)).toEqual(["2021-03-03", undefined, "1914-07-13"]);
    }
  });
});

describe("--tree", () => {
  it("holds every candidate, and the way to each output", () => {
    const [{ best, tree }] = jsonLines(beam("3", "--n-best", "3", "--tree", "--json", showcase).out);
    const n = tree.token.length;
    for (const member of ["value", "parent", "length", "kept", "finished"]) expect(tree[member]).toHaveLength(n);
    expect(tree.length.filter((length: number) => length === 1)).toHaveLength(15);
    const steps = Math.max(...tree.length);
    for (let step = 1; step <= steps; ++step) {
      const kept = tree.kept.filter((kept: boolean, node: number) => kept && tree.length[node] === step);
      expect(kept).toHaveLength(3);
    }
    for (const { tokens, node, log_prob } of best) {
      const path: string[] = [];
      for (let at = node; at >= 0; at = tree.parent[at]) path.unshift(tree.token[at]);
      expect(path).toEqual(tokens);
      expect(tree.value[node]).toBe(log_prob);
      expect(tree.finished[node]).toBe(true);
    }
  });

  it("reads as steps, with the way to the output marked and few of the dropped ones", () => {
    const { out } = beam("3", "--tree", showcase);
    expect(out).toMatch(/What the beam tried: \d+ candidates in 1\d steps, \d+ of them kept\n/);
    expect(out.replaceAll(/\s+/g, " ")).toContain("Each with its value, the log_prob of its tokens; * leads to");
    expect(out).toMatch(
      /\nStep 1: 15 candidates, 3 kept\n {2}\* +-\d\.\d{6} {2}2\n( {2}\+ .*\n){2}( {2}- .*\n){3} {4}and 9 more dropped\n/,
    );
    expect(out.match(/^ {2}\* /gm)).toHaveLength(11);
    expect(out).toContain("2021-03-03<eos>\n");
  });
});

describe("what no beam can do is refused", () => {
  it.each([
    [["--beam", "0"], "1 to 100"],
    [["--beam", "101"], "1 to 100"],
    [["--beam", "x"], "1 to 100"],
    [["--beam", "2", "--n-best", "3"], "a beam of 2"],
    [["--n-best", "2"], "so give its size"],
    [["--tree"], "so give its size"],
    [["--plain-values"], "so give its size"],
    [["--beam", "2", "--backend", "torch"], "leave out --backend torch"],
  ])("%j", (args, words) => {
    const { code, out, err } = run(["decode", ...args, showcase]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(words);
  });
});
