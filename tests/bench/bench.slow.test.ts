// The benches run and print what they promise, with counts too small to measure anything.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const run = (bench: string, ...options: string[]) =>
  execFileSync("node", [`tests/bench/${bench}.mjs`, ...options], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

/** The numbers of the row that begins with `title`. */
function numbers(printed: string, title: string): number[] {
  const row = printed.split("\n").find((line) => line.trim().startsWith(title));
  expect(row, `a row "${title}" in\n${printed}`).toBeDefined();
  return row!
    .trim()
    .slice(title.length)
    .match(/[\d.]+/g)!
    .map(Number);
}

test("decode: every contestant writes the same and is timed on both sources", { timeout: 300_000 }, () => {
  const printed = run("decode", "--samples", "1", "--decodes", "2");
  expect(printed).toContain("12 -> 11 characters");
  expect(printed).toContain("74 -> 44 characters");
  expect(printed).toContain("Medians of 1 samples of 2 decodes");
  for (const title of [
    "native",
    "module: decode_test, outputs alone",
    "module: Session.decode, its objects included",
    "tuned JavaScript",
    "tuned JavaScript / Session.decode, of neighbouring samples",
  ]) {
    const [short, long, ...more] = numbers(printed, title);
    expect(more).toEqual([]);
    expect(short).toBeGreaterThan(0);
    expect(long).toBeGreaterThan(0);
  }
});

test("bulk: the page's own workers measure the whole test split", { timeout: 300_000 }, () => {
  const printed = run("bulk", "--samples", "1");
  const [workers, seconds, rate, ...more] = numbers(printed, "2000");
  expect(workers).toBe(2);
  expect(seconds).toBeGreaterThan(0);
  expect(rate).toBeGreaterThan(0);
  expect(more).toEqual([]);
  const { evaluation } = JSON.parse(readFileSync("models/dot.json", "utf8"));
  const recorded = Object.values<number>(evaluation.exact_match).map((share) => share.toFixed(3));
  expect(printed).toContain(`exact match at K = 1..4: ${recorded.join(" ")}`);
});

test("an option that no bench has is refused with those that it has", () => {
  expect(() => run("decode", "--sample", "1")).toThrow(/--samples 9 --decodes 50/);
  expect(() => run("bulk", "--workers", "none")).toThrow(/positive number/);
});
