// `train` when something goes wrong: two runs at once, no room on the disk, a folder that goes away, NaN, a closed pipe.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changedCheckpoint, readCheckpoint } from "./checkpoint.ts";
import { hasTorch, jsonLines, program, run, start, temporaryFolder } from "./program.ts";

const long = 300_000;
const until = async (met: () => boolean) => {
  while (!met()) await new Promise((next) => setTimeout(next, 5));
};
/** Under the shell's limit on the size of a file, in blocks of 1,024 bytes: to a writer, a disk without room. */
const runWithin = (blocks: number, args: string[], env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["-c", `ulimit -f ${blocks}; exec "$0" "$@"`, program, ...args],
    {
      encoding: "utf8",
      env: { ...process.env, ...env },
    },
  );
  return { code: status, out: stdout, err: stderr };
};

it.each([
  [["--score", "dot", "--encoder", "bi"], "the dot score needs s_t and h_i of equal size"],
  [
    ["--score", "none", "--ordering", "bahdanau"],
    "the bahdanau ordering feeds a context to the cell, and score none has no context",
  ],
])("%j is no model, and the sentence says why", (flags, sentence) => {
  const { code, out, err } = run(["train", ...flags, "--out", join(temporaryFolder(), "x.safetensors")]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(`BAD_VALUE: ${sentence}`);
});

it.each(["--score", "--seed", "--out", "--resume"])("%s is refused beside --all, which pins it", (flag) => {
  const value = flag === "--resume" ? [] : flag === "--score" ? ["dot"] : ["1"];
  const { code, err } = run(["train", "--all", flag, ...value]);
  expect(code).toBe(2);
  expect(err).toContain(`${flag} excludes --all`);
});

if (hasTorch) {
  describe("with LibTorch", () => {
    it(
      "a second run of the same output is refused and names the first; a killed one holds nothing",
      async () => {
        const folder = temporaryFolder();
        const weights = join(folder, "x.safetensors");
        const flags = ["train", "--score", "none", "--out", weights, "--checkpoint-every", "1"];
        const first = start(flags);
        await until(() => existsSync(join(folder, "x.ckpt")));
        const second = run([...flags, "--force"]);
        expect(second.code).toBe(1);
        expect(second.err).toContain(`x.lock is held by process ${first.child.pid}`);
        first.child.kill("SIGKILL");
        await first.ended;
        writeFileSync(join(folder, "x.ckpt.writing-abcdef"), "left by a killed process");
        writeFileSync(join(folder, "x.ckpt.backup"), "somebody's own");
        const { step } = readCheckpoint(join(folder, "x.ckpt"));
        const third = run([...flags, "--resume", "--steps", String(step + 1)]);
        expect(third.code).toBe(0);
        expect(third.out).toContain(`at step ${step}\n`);
        expect(readdirSync(folder).sort()).toEqual(["x.ckpt.backup", "x.json", "x.safetensors"]);
      },
      long,
    );

    it(
      "a signal before the first step ends it with a sentence, and without a file",
      async () => {
        const folder = temporaryFolder();
        const { child, ended } = start(["train", "--out", join(folder, "x.safetensors")]);
        // From the moment on that the process catches SIGINT, or lets it wait for the program that takes its place.
        const cares = () =>
          ["SigCgt", "SigBlk"].some((set) => {
            const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
            return BigInt(`0x${status.match(`${set}:\\s*([0-9a-f]+)`)?.[1] ?? 0}`) & 2n;
          });
        await until(cares);
        child.kill("SIGINT");
        const { code, out } = await ended;
        expect(code).toBe(130);
        expect(out).toMatch(/Stopped before .*no file was written\n$/);
        expect(readdirSync(folder)).toEqual([]);
      },
      long,
    );

    it(
      "checkpoints that find no room are warnings; the weights, which fit, are written (L13)",
      () => {
        const folder = temporaryFolder();
        const weights = join(folder, "x.safetensors");
        const { code, out, err } = runWithin(1000, [
          "train",
          "--steps",
          "3",
          "--out",
          weights,
          "--checkpoint-every",
          "2",
        ]);
        expect(err.match(/^warning: cannot write .*x\.ckpt: File too large; training goes on/gm)?.length).toBe(1);
        expect(err).toMatch(/^warning: cannot write .*x\.ckpt: File too large$/m); // the last one
        expect(code).toBe(0);
        expect(out).toContain(`Wrote ${weights}`);
        expect(readdirSync(folder).sort()).toEqual(["x.json", "x.safetensors"]);
      },
      long,
    );

    it(
      "without any room the old files stay, and the sentence says what is lost (L13)",
      async () => {
        const folder = temporaryFolder();
        const weights = join(folder, "x.safetensors");
        const flags = ["train", "--steps", "30", "--out", weights, "--checkpoint-every", "1"];
        writeFileSync(weights, "old weights");
        const { child, ended } = start([...flags, "--force"]);
        child.stderr?.once("data", () => child.kill("SIGTERM"));
        expect((await ended).code).toBe(143);
        const { step } = readCheckpoint(join(folder, "x.ckpt"));
        const before = readFileSync(join(folder, "x.ckpt"));
        const failed = runWithin(100, [...flags.with(2, String(step + 1)), "--resume"], { TMPDIR: folder });
        expect(failed.code).toBe(1);
        expect(failed.err).toContain(
          `CANNOT_WRITE: cannot write ${weights}: File too large; ${join(folder, "x.ckpt")} is as it was`,
        );
        expect(failed.err).toMatch(/after step \d+, and --resume goes on from there; the steps since are lost/);
        expect(readFileSync(join(folder, "x.ckpt")).equals(before)).toBe(true);
        expect(readFileSync(weights, "utf8")).toBe("old weights");
        expect(readdirSync(folder).sort()).toEqual(["x.ckpt", "x.safetensors"]);
      },
      long,
    );

    it(
      "a folder that goes away while it trains costs nothing: the last checkpoint goes to the temporary folder",
      async () => {
        const parent = temporaryFolder();
        const spare = join(parent, "spare");
        const folder = join(parent, "models");
        const away = join(parent, "away");
        mkdirSync(spare);
        mkdirSync(folder);
        const weights = join(folder, "x.safetensors");
        const flags = ["train", "--score", "none", "--steps", "4000", "--out", weights, "--checkpoint-every", "1"];
        const { child, ended } = start(flags, { TMPDIR: spare });
        await until(() => existsSync(join(folder, "x.ckpt")));
        renameSync(folder, away);
        let err = "";
        child.stderr?.on("data", (text) => (err += text));
        await until(() => (err.match(/^warning: .*\n/gm)?.length ?? 0) > 1);
        child.kill("SIGINT");
        const outcome = await ended;
        expect(outcome.code).toBe(1);
        const kept = outcome.err.match(
          /all (\d+) steps are in (\S+\.ckpt); moved to (\S+), --resume goes on from there/,
        );
        expect(kept?.[3]).toBe(join(folder, "x.ckpt"));
        const step = Number(kept?.[1]);
        expect(readCheckpoint(kept?.[2] ?? "").step).toBe(step);
        expect(readCheckpoint(join(away, "x.ckpt")).step).toBeLessThan(step);
        renameSync(away, folder);
        renameSync(kept?.[2] ?? "", join(folder, "x.ckpt"));
        const resumed = run([...flags.with(4, String(step)), "--resume"]);
        expect({ code: resumed.code, err: resumed.err }).toMatchObject({ code: 0 });
      },
      long,
    );

    it(
      "NaN ends the run: exit 3, the step is named, no file changes or holds it (L10)",
      async () => {
        const folder = temporaryFolder();
        const weights = join(folder, "x.safetensors");
        const checkpoint = join(folder, "x.ckpt");
        const flags = ["train", "--steps", "60", "--out", weights];
        const { child, ended } = start(flags);
        child.stderr?.once("data", () => child.kill("SIGINT"));
        expect((await ended).code).toBe(130);
        const log = join(folder, "log.jsonl");
        for (const [change, what] of [
          [(weight: number) => Math.sign(weight) * 3e38, "the loss"],
          [(weight: number) => weight * 1e25, "the norm of the gradient"],
        ] as const) {
          const poisoned = changedCheckpoint(readCheckpoint(checkpoint), 49, "W_o.weight", change);
          const sound = readFileSync(checkpoint);
          writeFileSync(checkpoint, poisoned);
          const { code, err } = run([...flags, "--resume", "--checkpoint-every", "1", "--log", log]);
          expect(code).toBe(3);
          expect(err).toContain(`NOT_FINITE: ${what} is NaN or infinite at step 50`);
          expect(jsonLines(readFileSync(log, "utf8")).at(-1)).toMatchObject({ event: "end", why: "error" });
          expect(readFileSync(checkpoint).equals(poisoned)).toBe(true);
          expect(readdirSync(folder).sort()).toEqual(["log.jsonl", "x.ckpt"]);
          writeFileSync(checkpoint, sound);
        }
      },
      long,
    );

    it(
      "a reader that has seen enough ends nothing: train | head -1",
      () => {
        const folder = temporaryFolder();
        const weights = join(folder, "x.safetensors");
        const { stdout, stderr } = spawnSync(
          "bash",
          ["-c", '"$0" "$@" | head -1; echo "$PIPESTATUS"', program, "train", "--steps", "2", "--out", weights],
          { encoding: "utf8" },
        );
        expect(stdout).toMatch(/^model .*\n1\n$/);
        expect(stderr).toContain("CANNOT_WRITE: cannot write to standard output");
        expect(JSON.parse(readFileSync(join(folder, "x.json"), "utf8")).evaluation).toHaveProperty("exact_match");
      },
      long,
    );

    it(
      "--overfit-one-batch fails where too few steps are given: exit 3, no file",
      () => {
        const { code, out } = run(["train", "--overfit-one-batch", "--steps", "2", "--score", "none"], {
          cwd: temporaryFolder(),
        });
        expect(code).toBe(3);
        expect(out).toMatch(/writes no file\n/);
        expect(out).toMatch(/fail: after 2 steps the loss of the batch is 2\.\d+, not below 0\.1\n$/);
      },
      long,
    );
  });
}
