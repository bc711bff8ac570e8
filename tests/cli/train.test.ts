// `train`: what it prints, the files that it leaves, what it refuses before it begins, and how a signal ends it.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasTorch, run, start, temporaryFolder } from "./program.ts";

const long = 300_000;

it("needs LibTorch, which CI must have", () => {
  if (hasTorch) return;
  console.warn("This build has no LibTorch: the tests of training are left out");
  expect(process.env.CI).not.toBe("true");
  const { code, out, err } = run(["train", "--out", join(temporaryFolder(), "x.safetensors")]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/NO_DEVICE: .*libtorch-dev.*CMAKE_PREFIX_PATH/);
});

describe("what cannot be written is refused before training", () => {
  const refused = (out: string, ...more: string[]) => {
    const outcome = run(["train", "--out", out, ...more]);
    expect({ code: outcome.code, out: outcome.out }).toEqual({ code: 1, out: "" });
    return outcome.err;
  };

  it("a folder that is not there", () => {
    const path = join(temporaryFolder(), "none", "x.safetensors");
    expect(refused(path)).toContain(`CANNOT_WRITE: cannot write ${path}: there is no folder`);
  });

  it("a folder that takes no files", () => {
    expect(refused("/proc/x.safetensors")).toContain("CANNOT_WRITE: cannot write /proc/x.safetensors");
  });

  it("a name that is a folder", () => {
    const path = join(temporaryFolder(), "x.safetensors");
    mkdirSync(path);
    expect(refused(path, "--force")).toContain("it is a folder");
  });

  it("a file that exists, weights or manifest, which stays as it is", () => {
    for (const name of ["x.safetensors", "x.json"]) {
      const folder = temporaryFolder();
      writeFileSync(join(folder, name), "old");
      expect(refused(join(folder, "x.safetensors"))).toContain(`${name} exists already; --force overwrites it`);
      expect(readFileSync(join(folder, name), "utf8")).toBe("old");
      expect(readdirSync(folder)).toEqual([name]);
    }
  });

  it("a name that would hide the manifest, or break the table", () => {
    expect(refused(join(temporaryFolder(), "x.json"))).toContain("BAD_VALUE: --out names a file that ends with");
    expect(refused(join(temporaryFolder(), "x.safetensors"), "--name", "a|b")).toContain("BAD_VALUE");
  });
});

// Left out without LibTorch rather than skipped: the first test speaks for such a build.
if (hasTorch) {
  describe("with LibTorch", () => {
    it(
      "three steps leave weights that decode, and a manifest that describes them",
      () => {
        const folder = temporaryFolder();
        const weights = join(folder, "tiny.safetensors");
        const args = ["train", "--steps", "3", "--score", "general", "--seed", "7", "--out", weights];
        const { code, out, err } = run(args);
        expect(code).toBe(0);
        expect(out).toMatch(/^model +tiny: general score, luong ordering, uni encoder, 177,519 parameters\n/);
        expect(out).toMatch(/^device +\S/m);
        expect(out).toMatch(/exact_match( +0\.\d{3}){4}/);
        expect(err).toMatch(/^1 \/ 3 {2}loss 2\.\d+ {2}[\d.]+ steps\/s .* left$/m);
        expect(readdirSync(folder).sort()).toEqual(["tiny.json", "tiny.safetensors"]);

        const manifest = JSON.parse(readFileSync(join(folder, "tiny.json"), "utf8"));
        const bytes = readFileSync(weights);
        expect(manifest).toMatchObject({
          name: "tiny",
          weights: { file: "tiny.safetensors", dtype: "F16", bytes: bytes.length },
          config: { score: "general", ordering: "luong", encoder: "uni" },
          parameters: 177519,
          budget: "3 steps",
          steps: 3,
          seed: 7,
          command: "softalign train --score general --steps 3 --seed 7",
          sha256: { test_split: "6bde9e145e7a3aa32ca20ac15d7429df5f64358a262934c84b81f2d45d4a29e6" },
          loss: { step: [1, 3] },
        });
        expect(manifest.weights.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
        for (const key of ["device", "threads", "cpu", "libraries", "commit", "seconds"])
          expect(manifest).toHaveProperty(key);

        const again = JSON.parse(run(["evaluate", "--json", "--model", weights]).out);
        expect({ ...again, seconds: 0 }).toEqual({ ...manifest.evaluation, seconds: 0 });
        expect(run(["decode", "--model", weights, "3 March 2021"]).code).toBe(0);
        expect(run(["table", folder]).out).toContain("| `tiny` | general | luong | uni | 7 | 177,519 | 3 |");
        expect(run(args).err).toContain("exists already");
      },
      long,
    );

    it.each([
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const)(
      "%s stops after the current step, leaves everything in the checkpoint and touches nothing else",
      async (signal, code) => {
        const folder = temporaryFolder();
        const weights = join(folder, "cut.safetensors");
        writeFileSync(weights, "old");
        const { child, ended } = start(["train", "--score", "none", "--out", weights, "--force"]);
        child.stderr?.once("data", () => child.kill(signal));
        const outcome = await ended;
        expect(outcome.code).toBe(code);
        expect(outcome.out).toMatch(
          /Stopped at step \d+ of 4000; everything is in .*cut\.ckpt, and .* --resume goes on/,
        );
        expect(readdirSync(folder).sort()).toEqual(["cut.ckpt", "cut.safetensors"]);
        expect(readFileSync(weights, "utf8")).toBe("old");
      },
      long,
    );

    it(
      "--resume goes on from a stop: the same weights and losses, bit for bit, as a run without it",
      async () => {
        const folder = temporaryFolder();
        const whole = join(folder, "whole.safetensors");
        const parted = join(folder, "parted.safetensors");
        const flags = ["--steps", "13", "--score", "general"];
        expect(run(["train", ...flags, "--out", whole, "--threads", "1"]).code).toBe(0);
        const stopped = start(["train", ...flags, "--out", parted, "--threads", "2"]);
        stopped.child.stderr?.once("data", () => stopped.child.kill("SIGINT"));
        expect((await stopped.ended).code).toBe(130);
        expect(run(["train", ...flags, "--out", parted]).err).toContain("parted.ckpt exists already");
        const { code, out } = run(["train", ...flags, "--out", parted, "--resume"]);
        expect(code).toBe(0);
        expect(out).toMatch(/^resumes +.*parted\.ckpt at step \d+$/m);
        expect(readFileSync(parted).equals(readFileSync(whole))).toBe(true);
        const [one, other] = ["whole", "parted"].map((name) =>
          JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")),
        );
        expect(other.loss).toEqual(one.loss);
        expect(other.command).toBe(one.command.replace(" --threads 1", ""));
        expect(readdirSync(folder).sort()).toEqual([
          "parted.json",
          "parted.safetensors",
          "whole.json",
          "whole.safetensors",
        ]);
      },
      long,
    );

    it(
      "--resume says what is wrong with the checkpoint, and leaves it",
      async () => {
        const out = join(temporaryFolder(), "x.safetensors");
        const refused = (...flags: string[]) => {
          const outcome = run(["train", "--out", out, "--resume", ...flags]);
          expect({ code: outcome.code, out: outcome.out }).toEqual({ code: 1, out: "" });
          return outcome.err;
        };
        expect(refused()).toMatch(/NO_FILE: no run to resume: .*x\.ckpt/);
        const { child, ended } = start(["train", "--out", out, "--seed", "3"]);
        child.stderr?.once("data", () => child.kill("SIGINT"));
        await ended;
        const checkpoint = out.replace(/safetensors$/, "ckpt");
        const bytes = readFileSync(checkpoint);
        expect(refused("--seed", "4")).toContain("WRONG_MODEL");
        expect(refused("--seed", "3", "--score", "additive")).toContain("it is of a run with score dot");
        writeFileSync(checkpoint, bytes.subarray(0, 10_000));
        expect(refused("--seed", "3")).toMatch(/BAD_WEIGHTS: .*ends early/);
        expect(readFileSync(checkpoint).equals(bytes.subarray(0, 10_000))).toBe(true);
      },
      long,
    );

    it(
      "a signal during the evaluation leaves the weights, and says that there are no numbers",
      async () => {
        const weights = join(temporaryFolder(), "x.safetensors");
        const manifest = weights.replace(/safetensors$/, "json");
        const { child, ended } = start(["train", "--steps", "1", "--out", weights]);
        const watch = setInterval(() => {
          if (!existsSync(manifest)) return;
          clearInterval(watch); // a second signal would end it at once
          child.kill("SIGINT");
        }, 10);
        const { code, out } = await ended;
        expect(code).toBe(130);
        expect(out).toContain("The evaluation was interrupted, so the manifest holds no numbers");
        expect(out).toContain("(1 step, ");
        expect(JSON.parse(readFileSync(manifest, "utf8"))).toMatchObject({ budget: "1 step", evaluation: null });
        expect(run(["train", "--steps", "1", "--out", weights, "--resume"]).code).toBe(0);
        expect(JSON.parse(readFileSync(manifest, "utf8")).evaluation).toHaveProperty("exact_match");
        expect(run(["decode", "--model", weights, "3 March 2021"]).code).toBe(0);
      },
      long,
    );

    it(
      "--force replaces files, and F32 can be asked for",
      () => {
        const folder = temporaryFolder();
        for (const name of ["x.safetensors", "x.json"]) writeFileSync(join(folder, name), "old");
        const out = join(folder, "x.safetensors");
        expect(run(["train", "--steps", "1", "--dtype", "f32", "--force", "--out", out]).code).toBe(0);
        expect(readFileSync(out).length).toBeGreaterThan(4 * 161_135);
        expect(JSON.parse(readFileSync(join(folder, "x.json"), "utf8")).weights.dtype).toBe("F32");
        expect(readdirSync(folder).sort()).toEqual(["x.json", "x.safetensors"]);
      },
      long,
    );

    it(
      "--device cuda never runs quietly on the CPU (L71)",
      () => {
        const { code, out, err } = run([
          "train",
          "--steps",
          "1",
          "--device",
          "cuda",
          "--out",
          join(temporaryFolder(), "x.safetensors"),
        ]);
        if (code === 0) expect(out).toMatch(/^device +(?!cpu)/m);
        else {
          expect({ code, out }).toEqual({ code: 1, out: "" });
          expect(err).toMatch(/NO_DEVICE: .*(CUDA|GPU)/);
        }
      },
      long,
    );
  });
}
