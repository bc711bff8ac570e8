// `data` prints the lab's splits byte for byte, and `table` the README of the models.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { program, root, run, temporaryFile, temporaryFolder } from "./program.ts";

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

describe("softalign table", () => {
  it("prints models/README.md", () => {
    const { code, out, err } = run(["table"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(readFileSync(join(root, "models/README.md"), "utf8"));
    expect(run(["table", "models"]).out).toBe(out);
  });

  it("tells of a folder without manifests and of files that are none", () => {
    expect(run(["table", temporaryFolder()])).toMatchObject({ code: 1, out: "" });
    expect(run(["table", join(temporaryFolder(), "none")]).err).toContain("NO_FILE: cannot read the folder");
    for (const text of ["", "[]", "{}", '{"softalign_manifest": "1"}', '{"softalign_manifest": 99}']) {
      const folder = join(temporaryFile("x.json", text), "..");
      const { code, out, err } = run(["table", folder]);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain("x.json is no manifest that this version reads");
    }
    const folder = join(temporaryFile("x.json", '{"softalign_manifest": 1, "evaluation": {}}'), "..");
    expect(run(["table", folder])).toMatchObject({ code: 1, out: "" });
  });
});
