// `train --snapshots` and `probe` make again what is shipped, and `verify` measures both again.
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasTorch, model, root, run, start, temporaryFolder } from "./program.ts";

const long = { timeout: 300_000 };

/** A model with all that stands beside it, copied to a new folder; the path of its weights. */
function copied(name: string): string {
  const folder = temporaryFolder();
  for (const extension of ["safetensors", "json", "snapshots", "probe.safetensors"])
    copyFileSync(join(root, "models", `${name}.${extension}`), join(folder, `${name}.${extension}`));
  return join(folder, `${name}.safetensors`);
}

it("verify finds snapshots and a probe that belong to other weights, and measures both again", long, () => {
  const weights = copied("dot");
  const folder = join(weights, "..");
  expect(run(["verify", folder])).toMatchObject({ code: 0 });
  copyFileSync(join(root, "models/dot-seed-1.json"), join(folder, "x.json"));
  copyFileSync(model("dot-seed-1"), join(folder, "dot-seed-1.safetensors"));
  copyFileSync(join(root, "models/dot.snapshots"), join(folder, "dot-seed-1.snapshots"));
  copyFileSync(join(root, "models/dot.probe.safetensors"), join(folder, "dot-seed-1.probe.safetensors"));
  const { code, out } = run(["verify", folder]);
  expect(code).toBe(1);
  expect(out).toMatch(/snapshots\.seed: expected 1, found 0/);
  expect(out).toMatch(/probe\.weights_sha256/);
  expect(out).toMatch(/probe\.month\.accuracy/);
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
  it("train --snapshots keeps them over a stop, to the same bits, and measures them", long, async () => {
    const folder = temporaryFolder();
    const [whole, parted] = ["whole", "parted"].map((name) => join(folder, `${name}.safetensors`)) as [string, string];
    const flags = ["--steps", "11", "--snapshots"];
    expect(run(["train", ...flags, "--out", whole]).code).toBe(0);
    const { child, ended } = start(["train", ...flags, "--out", parted]);
    child.stderr?.once("data", () => child.kill("SIGINT"));
    expect((await ended).code).toBe(130);
    expect(run(["train", ...flags, "--out", parted, "--resume"]).code).toBe(0);
    const bytes = (weights: string) => readFileSync(weights.replace("safetensors", "snapshots"));
    expect(bytes(parted).equals(bytes(whole))).toBe(true);
    const { snapshots } = JSON.parse(run(["snapshots", "--json", "--model", parted]).out);
    expect(snapshots.map(({ step }: { step: number }) => step)).toEqual([0, 5, 10, 11]);
    const files = ["parted", "whole"].flatMap((name) =>
      ["json", "safetensors", "snapshots"].map((end) => `${name}.${end}`),
    );
    expect(readdirSync(folder).sort()).toEqual(files);
  });
