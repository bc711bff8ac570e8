// `data` prints the lab's splits byte for byte.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { program, run } from "./program.ts";

describe("softalign data", () => {
  const { out: test } = run(["data", "--split", "test"]);
  const { out: train } = run(["data", "--split", "train"]);
  const lines = (text: string) => text.trimEnd().split("\n");
  const sources = (text: string) => lines(text).map((line) => line.split("\t")[0]);

  it("is the lab's test split", () => {
    expect(createHash("sha256").update(test.trimEnd()).digest("hex")).toBe(
      "6bde9e145e7a3aa32ca20ac15d7429df5f64358a262934c84b81f2d45d4a29e6",
    );
    expect(test.endsWith("\n")).toBe(true);
    expect(run(["data"]).out).toBe(test);
  });

  it("says so when its output cannot be written", () => {
    for (const args of ["data", "data --help", "--help"]) {
      const { status, stderr } = spawnSync("sh", ["-c", `'${program}' ${args} > /dev/full`], { encoding: "utf8" });
      expect([args, status]).toEqual([args, 1]);
      expect(stderr).toContain("CANNOT_WRITE: cannot write to standard output");
    }
  });

  it("has 100,000 different training sources, none of them of the test split or the showcase (L02)", () => {
    const trained = new Set(sources(train));
    expect(lines(train).length).toBe(100_000);
    expect(trained.size).toBe(100_000);
    expect(sources(test).filter((source) => trained.has(source))).toEqual([]);
    expect(trained.has("3 March 2021")).toBe(false);
  });
});
