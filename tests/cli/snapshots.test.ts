// `train --snapshots`, `snapshots` and `probe`: the files beside the weights, what they print, and what verify says of them.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hasTorch, model, root, run, temporaryFolder } from "./program.ts";

const long = { timeout: 300_000 };

/** A model with all that stands beside it, copied to a new folder; the path of its weights. */
function copied(name: string): string {
  const folder = temporaryFolder();
  for (const extension of ["safetensors", "json", "snapshots", "probe.safetensors"])
    copyFileSync(join(root, "models", `${name}.${extension}`), join(folder, `${name}.${extension}`));
  return join(folder, `${name}.safetensors`);
}

/** Sets the first number of a tensor of a safetensors file to 1. */
function raiseFirst(path: string, tensor: string) {
  const bytes = readFileSync(path);
  const data = 8 + Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString("utf8", 8, data));
  bytes.writeFloatLE(1, data + header[tensor].data_offsets[0]);
  writeFileSync(path, bytes);
}

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
    expect(found[0].step).toBe(0);
    expect(found[0].loss).toBeCloseTo(Math.log(15), 0);
    expect(found[0].exact_match).toEqual([0, 0, 0, 0]);
    const last = found.at(-1) as Stop;
    const manifest = JSON.parse(readFileSync(join(root, "models", `${name}.json`), "utf8"));
    expect(last.step).toBe(manifest.steps);
    for (let K = 1; K <= 4; ++K)
      expect(Math.abs(last.exact_match[K - 1] - manifest.evaluation.exact_match[K])).toBeLessThanOrEqual(0.006);
  });

  it("are safetensors files under gzip, as a browser unpacks them", () => {
    const bytes = gunzipSync(readFileSync(join(root, "models/dot.snapshots")));
    const header = JSON.parse(bytes.toString("utf8", 8, 8 + Number(bytes.readBigUInt64LE(0))));
    expect(header["W_c.weight"]).toMatchObject({ dtype: "I8", shape: [35, 128, 256] });
    expect(header.exact_match.shape).toEqual([36, 4]);
  });
});

it("verify finds snapshots and a probe that belong to other weights, and measures both again", long, () => {
  const weights = copied("dot");
  const folder = join(weights, "..");
  expect(run(["verify", folder])).toMatchObject({ code: 0 });
  const manifest = join(folder, "dot.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"seed": 0', '"seed": 1'));
  const probe = join(folder, "dot.probe.safetensors");
  raiseFirst(probe, "month.accuracy");
  const measured = run(["verify", folder]);
  expect(measured.code).toBe(1);
  expect(measured.out).toMatch(/snapshots\.seed: expected 1, found 0/);
  expect(measured.out).toMatch(/probe\.month\.accuracy: expected \[1\.0,/);
  copyFileSync(join(root, "models/general.probe.safetensors"), probe);
  const { out } = run(["verify", folder]);
  expect(out).toMatch(/probe: it was fitted to other weights; softalign probe fits one to these/);
  expect(out).not.toMatch(/probe\.month/);
});

it("a file that is missing, cut or of another model is told", () => {
  const weights = copied("dot");
  const snapshots = weights.replace("safetensors", "snapshots");
  const refused = () => run(["snapshots", "--model", weights]).err;
  const bytes = readFileSync(snapshots);
  writeFileSync(snapshots, bytes.subarray(0, 5000));
  expect(refused()).toMatch(/BAD_WEIGHTS: .*dot\.snapshots: it is no whole gzip file/);
  copyFileSync(join(root, "models/general.snapshots"), snapshots);
  expect(refused()).toMatch(/WRONG_MODEL: .*softalign\.score is general, not dot/);
  rmSync(snapshots);
  expect(refused()).toMatch(
    /NO_FILE: cannot read .*dot\.snapshots: .*\(softalign train --snapshots leaves it beside the weights\)/,
  );
});

it("probe writes the very file that is shipped, and shows what is known where", long, () => {
  const weights = copied("dot");
  const probe = weights.replace(".safetensors", ".probe.safetensors");
  const shipped = readFileSync(probe);
  const { code, out } = run(["probe", "--model", weights]);
  expect(code).toBe(0);
  expect(out).toMatch(/^plane +of 128 dimensions/m);
  expect(out.split("\n").filter((line) => /^ +\d+ +\d+( +[01]\.\d{3} \([01]\.\d{3}\)){6}$/.test(line)).length).toBe(19);
  expect(readFileSync(probe).equals(shipped)).toBe(true);
});

if (hasTorch)
  it("train --snapshots keeps them over a stop, and measures them", long, () => {
    const folder = temporaryFolder();
    const out = join(folder, "x.safetensors");
    const { code } = run(["train", "--steps", "6", "--snapshots", "--out", out]);
    expect(code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(["x.json", "x.safetensors", "x.snapshots"]);
    expect(stops(out).map(({ step }) => step)).toEqual([0, 5, 6]);
    expect(existsSync(join(folder, "x.ckpt"))).toBe(false);
  });
