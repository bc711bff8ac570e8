// `train --snapshots` and `probe` make again what is shipped, and `verify` measures both again.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasTorch, root, run, start, temporaryFolder } from "./program.ts";

const long = { timeout: 300_000 };

/** Sets the first number of a tensor of a safetensors file to 1. */
function raiseFirst(path: string, tensor: string) {
  const bytes = readFileSync(path);
  const data = 8 + Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString("utf8", 8, data));
  bytes.writeFloatLE(1, data + header[tensor].data_offsets[0]);
  writeFileSync(path, bytes);
}

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
