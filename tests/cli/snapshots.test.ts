// `snapshots`: what the shipped files hold, and which files are refused.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { model, root, run, temporaryFolder } from "./program.ts";

interface Stop {
  step: number;
  loss: number;
  exact_match: number[];
}
const stops = (weights: string): Stop[] => JSON.parse(run(["snapshots", "--json", "--model", weights]).out).snapshots;

describe("the shipped snapshots", () => {
  it.each(["dot", "general", "additive", "plain", "bahdanau"])("%s: about 35, from untrained to trained", (name) => {
    const file = readFileSync(join(root, "models", `${name}.snapshots`));
    expect(file.length).toBeLessThanOrEqual(name === "bahdanau" ? 5_000_000 : 2_500_000);
    const found = stops(model(name));
    expect(found.map(({ step }) => step)).toEqual([...new Set(found.map(({ step }) => step))].sort((a, b) => a - b));
    expect(found.length).toBe(36);
    expect(found.filter(({ step }) => step <= 100).length).toBeGreaterThan(10);
    expect(found[0]).toMatchObject({ step: 0, exact_match: [0, 0, 0, 0] });
    expect(found[0]?.loss).toBeCloseTo(Math.log(15), 0);
    const last = found.at(-1) as Stop;
    const manifest = JSON.parse(readFileSync(join(root, "models", `${name}.json`), "utf8"));
    expect(last.step).toBe(manifest.steps);
    for (let K = 1; K <= 4; ++K)
      expect(Math.abs((last.exact_match[K - 1] ?? 0) - manifest.evaluation.exact_match[K])).toBeLessThanOrEqual(0.006);
  });

  it("are safetensors files under gzip, as a browser unpacks them", () => {
    const bytes = gunzipSync(readFileSync(join(root, "models/dot.snapshots")));
    const header = JSON.parse(bytes.toString("utf8", 8, 8 + Number(bytes.readBigUInt64LE(0))));
    expect(header["W_c.weight"]).toMatchObject({ dtype: "I8", shape: [35, 128, 256] });
    expect(header.exact_match.shape).toEqual([36, 4]);
  });
});

it("a file that is missing, cut or of another model is told", () => {
  const weights = join(temporaryFolder(), "dot.safetensors");
  copyFileSync(model("dot"), weights);
  const snapshots = weights.replace("safetensors", "snapshots");
  const refused = () => run(["snapshots", "--model", weights]).err;
  const bytes = readFileSync(join(root, "models/dot.snapshots"));
  writeFileSync(snapshots, bytes.subarray(0, 5000));
  expect(refused()).toMatch(/BAD_WEIGHTS: .*dot\.snapshots: it is no whole gzip file/);
  copyFileSync(join(root, "models/general.snapshots"), snapshots);
  expect(refused()).toMatch(/WRONG_MODEL: .*softalign\.score is general, not dot/);
  rmSync(snapshots);
  expect(refused()).toMatch(
    /NO_FILE: cannot read .*dot\.snapshots: .*\(softalign train --snapshots leaves it beside the weights\)/,
  );
});
