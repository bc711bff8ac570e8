// `intervene`: an answer before and after an edit, the shares over the test split, and every edit that cannot be made.
import { describe, expect, it } from "vitest";
import { jsonLines, model, run } from "./program.ts";

const showcase = "3 March 2021";
const intervene = (...args: string[]) => run(["intervene", ...args]);
const changed = (...args: string[]) => {
  const { code, out, err } = intervene("--json", showcase, ...args);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return jsonLines(out)[0];
};
const sum = (row: number[]) => row.reduce((total, weight) => total + weight, 0);

describe("one text", () => {
  it("shows the answer before and after, where they differ, and what was read", () => {
    const { code, out } = intervene(showcase, "--row", "6-7", "--shift", "-3");
    expect(code).toBe(0);
    expect(out).toContain(`${showcase}\nrows 6-7: shift by -3\n`);
    expect(out).toMatch(/\n {2}before {2}2021-03-03 {2}log_prob +-0\.\d{6}\n {2}after {3}2021-/);
    expect(out).toMatch(/\n {10} *\^+\n\n {2}\d tokens? differs?, <eos> counted\n/);
    expect(out).toContain("What was read after the edit:\n");
  });

  it("says that an answer stays", () => {
    expect(intervene(showcase, "--temperature", "1").out).toContain("The answer stays the same");
  });

  it("says that the answer never came to the row", () => {
    const said = "The answer has 11 rows, <eos> counted, so no row was edited";
    expect(intervene(showcase, "--row", "12", "--uniform").out).toContain(said);
    expect(intervene(showcase, "--row", "11", "--uniform").out).not.toContain(said);
  });

  it("answers a text that cannot be read with an error in its place and goes on", () => {
    const { code, out, err } = intervene("--json", "--uniform", showcase, "日本", "13 Jul 1914");
    expect(code).toBe(1);
    const [first, refused, last] = jsonLines(out);
    expect([first.source, last.source]).toEqual([showcase, "13 Jul 1914"]);
    expect(refused).toMatchObject({ source: "日本", error: { code: "EMPTY" } });
    expect(err).toContain("EMPTY: nothing to read");
  });

  it("puts a row's weight on one character, and leaves the other rows alone", () => {
    const { before, after, edit } = changed("--row", "5", "--one-hot", "7");
    expect(edit).toBe("row 5: one-hot at position 7");
    expect(after.alpha_read[4]).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
    expect(after.alpha.slice(0, 5)).toEqual(before.alpha.slice(0, 5));
    expect(after.alpha_read.slice(0, 4)).toEqual(before.alpha.slice(0, 4));
  });

  it("knows every edit", () => {
    const rows = (...args: string[]) => changed("--row", "1", ...args).after.alpha_read[0] as number[];
    const alpha = changed("--uniform").before.alpha[0] as number[];
    expect(rows("--one-hot", "largest")[alpha.indexOf(Math.max(...alpha))]).toBe(1);
    for (const weight of rows("--uniform")) expect(weight).toBeCloseTo(1 / 12, 6);
    expect(rows("--shift", "1").slice(2)).toEqual([...alpha.slice(1, 10), expect.closeTo(sum(alpha.slice(10)), 6)]);
    expect(Math.max(...rows("--temperature", "4"))).toBeLessThan(Math.max(...alpha));
    expect(rows("--zero-context")).toEqual(Array(12).fill(0));
    expect(rows("--free-row", "1,0,3")).toEqual([0.25, 0, 0.75, ...Array(9).fill(0)]);
  });

  it("forces the beginning of an answer, and the model goes on from it", () => {
    const { after, changed: different, differences } = changed("--force", "1999-");
    expect(after.output).toMatch(/^1999-/);
    expect(after.alpha_read).toBeNull();
    expect(intervene(showcase, "--force", "1999-").out).toContain("What was read after the edit:\n");
    expect(intervene(showcase, "--force", "1999-", "--model", model("plain")).out).not.toContain("What was read");
    expect(different).toBe(true);
    expect(differences.slice(0, 4)).toEqual([1, 2, 3, 4]);
  });

  it("takes an edit and a forced beginning together, and several texts", () => {
    const { out, code } = intervene("--json", "--force", "2", "--uniform", showcase, "13 Jul 1914");
    expect(code).toBe(0);
    expect(jsonLines(out).map(({ source }) => source)).toEqual([showcase, "13 Jul 1914"]);
    expect(jsonLines(out)[0].edit).toBe('every row: uniform; the beginning forced to "2"');
  });
});

describe("over the test split", () => {
  it("gives the share of answers that change, and those that are right, for each kind and K", () => {
    const { code, out, err } = intervene("--json", "--limit", "5");
    expect(code).toBe(0);
    expect(err).toContain("sources");
    const [study] = jsonLines(out);
    expect(study.n).toEqual({ 1: 5, 2: 5, 3: 5, 4: 5 });
    expect(study.exact_match.all).toBeGreaterThan(0.9);
    expect(study.interventions.map(({ name }: { name: string }) => name)).toEqual([
      "one-hot at the largest",
      "uniform",
      "shift by 1",
      "shift by -1",
      "temperature 0.5",
      "temperature 2",
      "zero context",
      "first token forced wrong",
    ]);
    for (const { changed, exact_match } of study.interventions) {
      for (const share of [...Object.values<number>(changed), ...Object.values<number>(exact_match)]) {
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }
    }
    const zero = study.interventions[6];
    expect(zero.changed.all).toBe(1);
    expect(zero.exact_match.all).toBe(0);
  });

  it("prints the same as tables, and measures one edit where one is given", () => {
    const { out } = intervene("--limit", "2", "--threads", "1", "--uniform", "--row", "1-4");
    expect(out).toMatch(
      /\nShare of answers that change +K = 1 +K = 2 +K = 3 +K = 4 +all\n {2}rows 1-4: uniform( +[01]\.\d{3}){5}\n/,
    );
    expect(out).toMatch(/\nexact_match .*\n {2}without intervention( +[01]\.\d{3}){5}\n/);
  });

  it("gives the same numbers with any number of threads", () => {
    const numbers = (threads: string) => intervene("--json", "--limit", "3", "--threads", threads).out;
    expect(numbers("3")).toBe(numbers("1"));
  });

  it("forces only the beginning of the plain model's answers", () => {
    const [study] = jsonLines(intervene("--json", "--limit", "3", "--model", model("plain")).out);
    expect(study.interventions.map(({ name }: { name: string }) => name)).toEqual(["first token forced wrong"]);
    const { out } = intervene("--limit", "1", "--model", model("plain"));
    expect(out).toContain(": no attention, uni encoder, 128,239 parameters");
    expect(out).toContain("No rows of weights to edit");
  });

  it("does not speak of rows where only the beginning is forced", () => {
    expect(intervene("--limit", "1", "--force", "19").out).toContain("\nNo rows of weights are edited\n");
  });
});

describe("what cannot be done is refused", () => {
  it.each([
    [["--model", model("plain"), "--uniform", showcase], /plain model: it has no rows of weights to edit/],
    [["--one-hot", "13", showcase], /12 characters/],
    [["--free-row", "0,0", showcase], /above 0/],
    [["--free-row", "1,-1", showcase], /negative/],
    [["--force", "1".repeat(57), showcase], /longer than the longest answer, 56 tokens/],
    [["--uniform", ""], /EMPTY/],
  ])("%j", (args, words) => {
    const { code, out, err } = intervene(...args);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(words);
  });

  it.each([
    [[showcase], "say what to change"],
    [["--uniform", "--zero-context", showcase], "one way at a time"],
    [["--one-hot", "3"], "give a text"],
    [["--free-row", "1"], "give a text"],
    [["--shift", "401", showcase], "-400 to 400"],
    [["--row", "0", "--uniform", showcase], "--row: takes a row such as 5, rows such as 1-4, or all"],
    [["--row", "4-2", "--uniform", showcase], '"4-2" is none of these'],
    [["--row", "129", "--uniform", showcase], "from 1 to 128"],
    [["--row", "x", "--uniform", showcase], "--row: takes"],
    [["--one-hot", "x", showcase], "--one-hot: takes a position counted from 1, or largest"],
    [["--one-hot", "0", showcase], '"0" is neither'],
    [["--temperature", "0", showcase], '--temperature: "0" is not a number from 0.01 to 100'],
    [["--temperature", "nan", showcase], "0.01 to 100"],
    [["--free-row", "1,x", showcase], "--free-row: takes weights separated by commas"],
    [["--force", "March", showcase], 'none begins with "March"'],
  ])("%j, as usage", (args, words) => {
    const { code, err } = intervene(...args);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});
