// `table`: the README of a folder of models, from manifests of this version and of earlier ones.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root, run, temporaryFile, temporaryFolder } from "./program.ts";

// The manifest of a quick run of dot from before the showcase was measured.
const first = JSON.parse(readFileSync(join(root, "tests/golden/manifest_1.json"), "utf8"));

/** What `table` prints for manifests. */
function table(...manifests: { name: string }[]): string {
  const folder = temporaryFolder();
  for (const manifest of manifests) writeFileSync(join(folder, `${manifest.name}.json`), JSON.stringify(manifest));
  const { code, out, err } = run(["table", folder]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

it("prints models/README.md", () => {
  const { code, out, err } = run(["table"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toBe(readFileSync(join(root, "models/README.md"), "utf8"));
  expect(run(["table", "models"]).out).toBe(out);
});

describe("a manifest from before the showcase was measured", () => {
  it("has dashes there, and all its numbers elsewhere", () => {
    const out = table(first);
    expect(out).toContain(
      "| `dot` | dot | luong | uni | 0 | 161,135 | 500 (quick) | 274 s | Intel(R) Xeon(R) Processor; cpu, 1 thread |",
    );
    expect(out).toContain("| `dot` | 0.984 | 0.984 | 0.990 | 0.962 |");
    expect(out).toContain("| `dot` | 0.984 | 0.996 / 0.988 | 1.000 / 0.998 / 0.992 | 0.994 / 0.996 / 0.992 / 0.980 |");
    expect(out).toContain("| `dot` | 0.996 | 1.000 | 1.000 | 0.998 |");
    expect(out).toContain("| `dot` | 0 | 1.000 | 0.992 | 0.988 | 0.989 | 0.991 |");
    expect(out).toContain("| `dot` | 1 | 0.989 | 0.977 | 0.974 | 0.974 | 0.976 |");
    expect(out).toContain("| by chance | 0 | 0.285 | 0.112 | 0.083 | 0.062 | 0.100 |");
    expect(out).toContain("| `dot` | – | – | – | – |");
  });

  it("is followed by what the course recorded", () => {
    const out = table(first);
    expect(out).toContain("| *`plain`, course's run* | 0.898 | 0.000 | 0.000 | 0.000 |");
    expect(out).toContain("| *`dot`, course's run* | 1.000 | 1.000 | 1.000 | 1.000 |");
    expect(out).toContain("| *`dot`, course's run* | 1 | – | – | – | – | 0.996 |");
    expect(out).toContain("| *`dot`, course's run* | `2021-03-03` | – | 8 of 11 | – |");
  });
});

it("names the pairs that differ in one thing, of the models that are there", () => {
  const seed = { ...first, name: "dot-seed-1", seed: 1 };
  expect(table(first)).not.toContain("Pairs that differ");
  expect(table(first, seed)).toContain("- `dot` and `dot-seed-1` differ in their untrained weights alone.");
  expect(table(first, seed)).toContain("| `dot-seed-1` | dot | luong | uni | 1 |");
});

it("puts the teacher-forced numbers beside the free-running one, where a manifest has them (L28)", () => {
  expect(table(first)).not.toContain("teacher forced");
  const teacher_forced = { loss: { all: 0.0123456 }, token_accuracy: { all: 0.9994 } };
  const measured = { ...first, evaluation: { ...first.evaluation, teacher_forced } };
  expect(table(measured)).toContain("| `dot` | 0.980 | 0.999 | 0.012346 |");
});

it("shows the showcase, with dashes for the model without attention", () => {
  const shown = { source: "3 March 2021", output: "2021-03-03", log_prob: -0.0015, one_hot_rows: 2 };
  const attending = { ...first, evaluation: { ...first.evaluation, showcase: { ...shown, largest_at: [12, 3, 1] } } };
  expect(table(attending)).toContain("| `dot` | `2021-03-03` | -0.001500 | 2 of 3 | 12 3 1 |");
  const none = { ...shown, one_hot_rows: null, largest_at: null };
  const plain = {
    ...first,
    name: "plain",
    config: { ...first.config, score: "none" },
    evaluation: { ...first.evaluation, alignment_hit_rate: null, showcase: none },
  };
  const out = table(attending, plain);
  expect(out).toContain("| `plain` | `2021-03-03` | -0.001500 | – | – |\n| `dot` |");
  expect(table(plain)).not.toContain("alignment_hit_rate");
});

it("says how far the models were trained, and on what", () => {
  expect(table(first)).toContain(
    "Models of fewer steps than the lab's budget of 4,000 steps are for trying out: `dot` (500).",
  );
  const full = { ...first, name: "long", budget: "full", steps: 4000, cores: 2 };
  expect(table(full)).toContain("Each had the lab's budget of 4,000 steps.");
  expect(table(full)).toContain("| 4,000 (full) | 274 s | Intel(R) Xeon(R) Processor, 2 cores; cpu, 1 thread |");
  const short = { ...first, name: "short", budget: "3 steps", steps: 3, cpu: null, device: "some GPU" };
  const out = table(full, first, short);
  expect(out).toContain("are for trying out: `dot` (500) and `short` (3).");
  expect(out).toContain("| 3 | 274 s | some GPU |");
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
  const lacking = join(temporaryFile("x.json", '{"softalign_manifest": 1, "evaluation": {}}'), "..");
  expect(run(["table", lacking])).toMatchObject({ code: 1, out: "" });
  const unmeasured = join(temporaryFile("x.json", '{"softalign_manifest": 1, "evaluation": null}'), "..");
  expect(run(["table", unmeasured]).err).toContain("x.json is of a run that was not evaluated");
});
