// Stops at random steps (STOPS sets how many): each resumed run ends with the bytes of the run that was never stopped.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readCheckpoint } from "./checkpoint.ts";
import { hasTorch, run, start, temporaryFolder } from "./program.ts";

const STEPS = 100;
const STOPS = Number(process.env.STOPS ?? 5);

it("weights and losses are the same, bit for bit, after a stop at any step", {
  timeout: 300_000 + STOPS * 60_000,
}, async () => {
  if (!hasTorch) return expect(process.env.CI, "CI has LibTorch").not.toBe("true");
  const folder = temporaryFolder();
  const flags = ["--steps", String(STEPS), "--seed", "9"];
  const whole = join(folder, "whole.safetensors");
  expect(run(["train", ...flags, "--out", whole]).code).toBe(0);
  const losses = (file: string) => JSON.parse(readFileSync(file.replace(/safetensors$/, "json"), "utf8")).loss;
  const stops: number[] = [];
  for (let k = 0; k < STOPS; ++k) {
    const parted = join(folder, `parted-${k}.safetensors`);
    const { child, ended } = start(["train", ...flags, "--out", parted]);
    child.stderr?.once("data", () => setTimeout(() => child.kill("SIGINT"), Math.random() * 1500));
    const { code, out } = await ended;
    expect(code).toBe(130);
    stops.push(Number(out.match(/Stopped at step (\d+)/)?.[1] ?? STEPS));
    expect(run(["train", ...flags, "--out", parted, "--resume"]).code).toBe(0);
    expect(readFileSync(parted).equals(readFileSync(whole))).toBe(true);
    expect(losses(parted)).toEqual(losses(whole));
  }
  console.log(`stopped after steps ${stops.join(", ")} of ${STEPS}`);
  expect(new Set(stops).size).toBeGreaterThan(1);
});

// L15: a resumed run must not read the batches of the first steps again.
it("200 steps are 100, a new process, and 100 more", { timeout: 600_000 }, async () => {
  if (!hasTorch) return expect(process.env.CI, "CI has LibTorch").not.toBe("true");
  const folder = temporaryFolder();
  const [whole, parted] = ["whole", "parted"].map((name) => join(folder, `${name}.safetensors`)) as [string, string];
  expect(run(["train", "--steps", "200", "--score", "none", "--out", whole]).code).toBe(0);
  // The checkpoint of step 100 is kept aside, for the rest of the run to be learnt from it.
  const flags = ["train", "--steps", "200", "--score", "none", "--out", parted];
  const { child, ended } = start(flags);
  const checkpoint = join(folder, "parted.ckpt");
  while (!existsSync(checkpoint)) await new Promise((next) => setTimeout(next, 5));
  child.kill("SIGKILL");
  await ended;
  expect(readCheckpoint(checkpoint).step).toBe(100);
  expect(run([...flags, "--resume"]).code).toBe(0);
  expect(readFileSync(parted).equals(readFileSync(whole))).toBe(true);
});
