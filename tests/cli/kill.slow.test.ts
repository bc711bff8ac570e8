// L12: SIGKILL at any moment of training: each time the checkpoint is whole, and at most one interval of steps is lost.
//
// KILLS sets how many; a run goes on from what the killed one left, so that the program itself reads every checkpoint.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readCheckpoint } from "./checkpoint.ts";
import { hasTorch, jsonLines, start, temporaryFolder } from "./program.ts";

const KILLS = Number(process.env.KILLS ?? 40);
const phases = ["start", "data", "train", "save", "evaluate"] as const;
type Phase = (typeof phases)[number];

const folder = temporaryFolder();
const path = (extension: string) => join(folder, `x.${extension}`);
const halfWritten = () => readdirSync(folder).filter((name) => name.includes(".writing-"));
const pause = (milliseconds: number) => new Promise((next) => setTimeout(next, milliseconds));
/** The step of the checkpoint; 0 where there is none. */
const savedStep = () => (existsSync(path("ckpt")) ? readCheckpoint(path("ckpt")).step : 0);
/** The lines that are finished. */
const whole = (text: string) => text.slice(0, text.lastIndexOf("\n") + 1);
/** What the log says of its last run. */
function lastRun(): { begun: number; learnt: number; saved: number } {
  const text = existsSync(path("jsonl")) ? whole(readFileSync(path("jsonl"), "utf8")) : "";
  const lines = text ? jsonLines(text) : [];
  const starts = lines.filter((line) => line.event === "start").length;
  const own = lines.slice(lines.findLastIndex((line) => line.event === "start") + 1);
  const last = (event: string) => own.findLast((line) => line.event === event)?.step ?? 0;
  return { begun: starts, learnt: Math.max(last("step"), last("checkpoint")), saved: last("checkpoint") };
}

/** Starts a run, kills it in this phase, and gives the phase in which it was when it died. */
async function killIn(aim: Phase): Promise<Phase | "done"> {
  const before = savedStep();
  const interval = aim === "save" || aim === "evaluate" ? 1 : 5;
  const steps = aim === "evaluate" ? Math.max(before, 1) + 1 : 1_000_000;
  const args = ["train", "--score", "none", "--out", path("safetensors"), "--log", path("jsonl")];
  args.push("--steps", String(steps), "--checkpoint-every", String(interval), before > 0 ? "--resume" : "--force");
  if (before === 0) rmSync(path("jsonl"), { force: true });
  rmSync(path("json"), { force: true });
  const runs = lastRun().begun;
  const left = new Set(halfWritten()); // by kills before; the run removes it once it holds the lock
  const { child, ended } = start(args);
  let over = false;
  let out = "";
  let err = "";
  child.stdout?.on("data", (text) => (out += text));
  child.stderr?.on("data", (text) => (err += text));
  const done = ended.finally(() => {
    over = true;
  });
  const until = async (met: () => boolean) => {
    while (!over && !met()) await pause(2);
  };
  if (aim === "start") await pause(Math.random() * 300);
  if (aim === "data") await until(() => out.includes("\ndevice "));
  if (aim === "data") await pause(Math.random() * 100);
  if (aim === "train") await until(() => existsSync(path("ckpt")) && lastRun().begun > runs && lastRun().saved > 0);
  if (aim === "train") await pause(Math.random() * 500);
  if (aim === "save") await until(() => lastRun().begun > runs);
  while (aim === "save" && !over && halfWritten().length === 0) await new Promise((next) => setImmediate(next));
  if (aim === "evaluate") await until(() => existsSync(path("json")));
  child.kill("SIGKILL");
  const { code } = await done;
  if (code !== null) {
    expect(code, err).toBe(0); // it was done before the signal came
    rmSync(path("ckpt"), { force: true });
    return "done";
  }
  const saved = savedStep();
  const log = lastRun();
  const ran = log.begun > runs;
  if (before > 0 && ran) expect(out).toMatch(new RegExp(`^resumes .* at step ${before}$`, "m"));
  expect(saved).toBeGreaterThanOrEqual(before);
  if (ran) expect(saved).toBeGreaterThanOrEqual(log.saved);
  if (ran) expect(log.learnt - saved).toBeLessThanOrEqual(interval);
  if (!ran) return "start"; // which also leaves what asks whether a folder can be written
  if (halfWritten().some((name) => !left.has(name))) return "save";
  if (existsSync(path("json"))) return "evaluate";
  return log.learnt > 0 ? "train" : "data";
}

it(`${KILLS} kills leave ${KILLS} checkpoints that go on`, { timeout: 100_000 + KILLS * 20_000 }, async () => {
  if (!hasTorch) return expect(process.env.CI, "CI has LibTorch").not.toBe("true");
  const counts: Record<string, number> = { start: 0, data: 0, train: 0, save: 0, evaluate: 0, done: 0 };
  for (let kills = 0; kills < KILLS; ) {
    const phase = await killIn(phases[kills % phases.length] ?? "start");
    counts[phase] = (counts[phase] ?? 0) + 1;
    if (phase !== "done") ++kills;
  }
  console.log(`killed in: ${phases.map((phase) => `${phase} ${counts[phase]}`).join(", ")}; too late ${counts.done}`);
  expect(counts.save).toBeGreaterThanOrEqual(KILLS / 10);
  for (const phase of phases) expect(counts[phase], phase).toBeGreaterThan(0);
});
