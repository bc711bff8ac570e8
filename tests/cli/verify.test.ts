// `verify`: a committed model is what its manifest says, and whatever is changed in a copy of it is found.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { model, program, root, run, swappedGates, temporaryFolder } from "./program.ts";

const long = 300_000;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

// biome-ignore lint/suspicious/noExplicitAny: a manifest is whatever the tests make of it
type Manifest = any;

/** A new folder with copies of models, and ways to change them. */
function copied(...models: string[]) {
  const folder = temporaryFolder();
  for (const name of models)
    for (const extension of ["json", "safetensors"]) {
      const file = `${name}.${extension}`;
      copyFileSync(join(root, "models", file), join(folder, file));
    }
  const path = (file: string) => join(folder, file);
  const change = (name: string, edit: (manifest: Manifest) => void) => {
    const manifest = JSON.parse(readFileSync(path(`${name}.json`), "utf8"));
    edit(manifest);
    writeFileSync(path(`${name}.json`), JSON.stringify(manifest));
  };
  return { folder, path, change, verify: (...flags: string[]) => run(["verify", folder, ...flags]) };
}

/** A value as `verify` writes it: numbers that are measured are no whole ones to it. */
const written = (value: unknown, path = "") => {
  if (typeof value === "string") return value;
  return JSON.stringify(value) + (path.startsWith("evaluation") && Number.isInteger(value) ? ".0" : "");
};

/** The lines of `verify` that name a difference, without their margin. */
const differences = (out: string) =>
  out
    .split("\n")
    .filter((line) => line.startsWith("  ") && !line.startsWith("  note: "))
    .map((line) => line.trim());

it("finds a committed model as its manifest says", { timeout: long }, () => {
  const { code, out, err } = copied("dot").verify();
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^dot\.json +ok: \d+ values computed again/);
});

describe("weights", () => {
  it("of which one bit is flipped", () => {
    const { path, verify } = copied("plain");
    const bytes = readFileSync(path("plain.safetensors"));
    const before = sha256(bytes);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 2) ^ 1, bytes.length - 2); // the last digit of a weight
    writeFileSync(path("plain.safetensors"), bytes);
    const { code, out } = verify();
    expect(code).toBe(1);
    expect(out).toMatch(/^plain\.json +differs$/m);
    expect(differences(out)).toEqual([`weights.sha256: expected ${before}, found ${sha256(bytes)}`]);
    expect(out).toMatch(/\n\n1 difference\n$/);
  });

  it("that end early, with both sizes", () => {
    const { path, verify } = copied("plain");
    const bytes = readFileSync(path("plain.safetensors"));
    writeFileSync(path("plain.safetensors"), bytes.subarray(0, 5000));
    const { code, out } = verify();
    expect(code).toBe(1);
    expect(differences(out)).toContain(`weights.bytes: expected ${bytes.length}, found 5000`);
    expect(out).toContain(`file ends early: 5000 of ${bytes.length} bytes`);
  });

  it("that compute something else than they say, though the manifest names their hash", () => {
    const { path, change, verify } = copied("plain");
    const bytes = swappedGates("plain");
    writeFileSync(path("plain.safetensors"), bytes);
    change("plain", ({ weights }) => (weights.sha256 = sha256(bytes)));
    const { code, out } = verify();
    expect(code).toBe(1);
    expect(differences(out)).toEqual([expect.stringContaining("the weights do not compute what the file says")]);
  });

  it("without a golden vector", () => {
    const { path, change, verify } = copied("plain");
    const text = readFileSync(path("plain.safetensors"), "latin1").replace("softalign.golden", "another.keyword.");
    const bytes = Buffer.from(text, "latin1");
    writeFileSync(path("plain.safetensors"), bytes);
    change("plain", ({ weights }) => (weights.sha256 = sha256(bytes)));
    expect(differences(verify().out)).toEqual(["weights: the file holds no golden vector"]);
  });

  it("of another model", () => {
    const { path, verify } = copied("plain");
    copyFileSync(model("dot"), path("plain.safetensors"));
    const { code, out } = verify();
    expect(code).toBe(1);
    expect(differences(out)).toContain("config.score: expected none, found dot");
    expect(differences(out)).toContain("parameters: expected 128239, found 161135");
  });

  it("and manifests that lack each other", () => {
    const { path, verify } = copied("plain", "dot");
    rmSync(path("plain.json"));
    rmSync(path("dot.safetensors"));
    const { code, out } = verify();
    expect(code).toBe(1);
    expect(out).toMatch(/^dot\.json +differs\n {2}weights: cannot read .*dot\.safetensors: No such file/m);
    expect(out).toMatch(/^plain\.safetensors +differs\n {2}these weights have no manifest$/m);
    expect(out).toMatch(/\n\n2 differences\n$/);
  });
});

describe("a manifest", () => {
  it("of which values are changed, each with what was expected and found", () => {
    const { change, verify } = copied("dot");
    const changed: string[] = [];
    const { showcase } = JSON.parse(run(["evaluate", "--json", "--limit", "1"]).out);
    const { teacher_forced } = JSON.parse(run(["evaluate", "--json"]).out);
    change("dot", (manifest) => {
      Object.assign(manifest.evaluation, { showcase, teacher_forced });
      const alter = (path: string, value: unknown) => {
        const keys = path.split(".");
        const last = keys.pop()!;
        const parent = keys.reduce((object, key) => object[key], manifest);
        changed.push(`${path}: expected ${written(value)}, found ${written(parent[last], path)}`);
        parent[last] = value;
      };
      alter("sha256.train_split", "0".repeat(64));
      alter("sha256.batch_order", "1".repeat(64));
      alter("weights.dtype", "F32");
      alter("config.d_a", 63);
      alter("parameters", 161136);
      alter("steps", manifest.steps + 1);
      alter("evaluation.exact_match.2", manifest.evaluation.exact_match["2"] - 1e-12);
      alter("evaluation.well_formed.3", 0.5);
      alter("evaluation.teacher_forced.token_accuracy.all", 0.5);
      alter("evaluation.alignment_hit_rate.1.4", 0.123456789);
      alter("evaluation.showcase.output", "2021-03-30");
      alter("evaluation.showcase.largest_at", [...showcase.largest_at].reverse());
    });
    const { code, out, err } = verify();
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(differences(out).sort()).toEqual(changed.sort());
  });

  it("that says less, or more, than can be computed", () => {
    const { change, verify } = copied("plain");
    change("plain", (manifest) => {
      delete manifest.evaluation.showcase; // as before they were measured
      delete manifest.evaluation.teacher_forced;
      delete manifest.evaluation.exact_match["2"];
      manifest.evaluation.beam = 3;
    });
    expect(differences(verify().out)).toEqual([
      expect.stringMatching(/^evaluation\.exact_match\.2: expected nothing, found \d/),
      "evaluation.beam: expected 3, found nothing",
    ]);
  });

  it("whose weights lie in another folder, or whose run was not evaluated", () => {
    const { change, verify } = copied("plain");
    change("plain", (manifest) => {
      manifest.weights.file = "../plain.safetensors";
      manifest.evaluation = null;
    });
    expect(differences(verify().out)).toEqual([
      "weights.file: expected ../plain.safetensors, found plain.safetensors",
      "evaluation: the run was not evaluated; train that model again",
    ]);
  });

  it("that is none, or lacks everything", () => {
    const { path, verify } = copied();
    const texts = ["", "[]", "{}", '{"softalign_manifest": 99}'];
    for (const [i, text] of texts.entries()) writeFileSync(path(`${i}.json`), text);
    writeFileSync(path("empty.json"), '{"softalign_manifest": 1}');
    writeFileSync(path("typed.json"), '{"softalign_manifest": 1, "weights": {"file": 3}}');
    const { code, out } = verify();
    expect(code).toBe(1);
    const told = differences(out);
    for (const i of texts.keys()) expect(told[i]).toMatch(/\d\.json is no manifest that this version reads$/);
    for (const line of told.slice(4)) expect(line).toMatch(/^the manifest lacks a value: /);
    expect(told).toHaveLength(6);
  });
});

it("names the line of README.md that is not what table prints", () => {
  const { folder, path, verify } = copied("dot");
  rmSync(path("dot.safetensors")); // so that nothing else takes time
  const readme = run(["table", folder]).out;
  const told = (text: string) => {
    writeFileSync(path("README.md"), text);
    const { out } = verify();
    return out.slice(out.indexOf("README.md"));
  };
  expect(told(readme)).toMatch(/^README\.md +ok: what softalign table prints\n/);
  for (const [text, line] of [
    [readme.replace("161,135", "161,136"), 7],
    [`${readme}more\n`, readme.split("\n").length],
    ["", 1],
  ] as const)
    expect(differences(told(text))).toEqual([`line ${line} is not what softalign table prints`]);
});

it("tells of a folder that is not there, or has nothing to verify", () => {
  expect(run(["verify", join(temporaryFolder(), "none")]).err).toContain("NO_FILE: cannot read the folder");
  expect(run(["verify", temporaryFolder()]).err).toMatch(/NO_FILE: .* holds neither manifests nor weights/);
});

it("shows its progress on a terminal, and takes it away", () => {
  const { folder } = copied("plain");
  const env = { ...process.env, TERM: "xterm-256color" };
  const command = `'${program}' verify '${folder}'`;
  const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8", env });
  const erased = "\r\x1b[K";
  expect(stdout).toContain(`${erased}2000 / 2000  ${"━".repeat(20)}  test sources read by plain${erased}plain.json`);
});
