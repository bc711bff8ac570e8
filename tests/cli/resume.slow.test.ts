// Five stops at random steps: each resumed run ends with the bytes of the run that was never stopped.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasTorch, run, start, temporaryFolder } from "./program.ts";

const STEPS = 100;
const STOPS = 5;

it("weights and losses are the same, bit for bit, after a stop at any step", { timeout: 600_000 }, async () => {
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
