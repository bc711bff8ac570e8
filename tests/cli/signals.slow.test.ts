// L14: SIGINT and SIGTERM in every phase of training: all that was learnt is saved, and the exit code says why it ended.
//
// SIGNALS sets how many. How long each took to end is printed and not judged: other work on the machine decides that too.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readCheckpoint } from "./checkpoint.ts";
import { hasTorch, run, start, temporaryFolder } from "./program.ts";

const SIGNALS = Number(process.env.SIGNALS ?? 10);
const phases = ["start", "data", "train", "save", "evaluate"] as const;
type Phase = (typeof phases)[number];
const codes = { SIGINT: 130, SIGTERM: 143 } as const;

const pause = (milliseconds: number) => new Promise((next) => setTimeout(next, milliseconds));
const caresFor = (pid: number | undefined) =>
  ["SigCgt", "SigBlk"].some((set) => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return BigInt(`0x${status.match(`${set}:\\s*([0-9a-f]+)`)?.[1] ?? 0}`) & 2n;
  });

/** Sends the signal in this phase; gives the seconds until the end. */
async function signalIn(phase: Phase, signal: keyof typeof codes): Promise<number> {
  const folder = temporaryFolder();
  const weights = join(folder, "x.safetensors");
  const steps = phase === "evaluate" ? 1 : 4000;
  const flags = ["train", "--score", "none", "--steps", String(steps), "--out", weights];
  const { child, ended } = start([...flags, "--checkpoint-every", phase === "save" ? "1" : "100"]);
  let out = "";
  let err = "";
  child.stdout?.on("data", (text) => (out += text));
  child.stderr?.on("data", (text) => (err += text));
  const until = async (met: () => boolean) => {
    while (!met()) await new Promise((next) => setImmediate(next));
  };
  if (phase === "start") await until(() => caresFor(child.pid));
  if (phase === "start") await pause(Math.random() * 400);
  if (phase === "data") await until(() => out.includes("\ndevice "));
  if (phase === "train") await until(() => err.includes("1 / "));
  if (phase === "train") await pause(Math.random() * 800);
  if (phase === "save") await until(() => readdirSync(folder).some((name) => name.includes(".ckpt.writing-")));
  if (phase === "evaluate") await until(() => existsSync(join(folder, "x.json")));
  const sent = performance.now();
  child.kill(signal);
  const outcome = await ended;
  const seconds = (performance.now() - sent) / 1000;
  expect(outcome.code, `${phase} ${outcome.err}`).toBe(codes[signal]);

  const stopped = outcome.out.match(/Stopped at step (\d+)/);
  if (stopped) expect(readCheckpoint(join(folder, "x.ckpt")).step).toBe(Number(stopped[1]));
  else if (phase === "evaluate") expect(run(["decode", "--model", weights, "3 March 2021"]).code).toBe(0);
  else expect(outcome.out).toMatch(/Stopped before .*no file was written/);
  const expected = stopped ? ["x.ckpt"] : phase === "evaluate" ? ["x.ckpt", "x.json", "x.safetensors"] : [];
  const left = readdirSync(folder).sort();
  // The evaluation may have been over when the signal came.
  if (phase === "evaluate" && !outcome.out.includes("evaluation was interrupted")) expected.shift();
  expect(left, phase).toEqual(expected);
  return seconds;
}

it(`${SIGNALS} signals end ${SIGNALS} runs with all that they learnt`, {
  timeout: 100_000 + SIGNALS * 30_000,
}, async () => {
  if (!hasTorch) return expect(process.env.CI, "CI has LibTorch").not.toBe("true");
  const seconds: Record<Phase, number[]> = { start: [], data: [], train: [], save: [], evaluate: [] };
  for (let k = 0; k < SIGNALS; ++k) {
    const phase = phases[k % phases.length] ?? "start";
    seconds[phase].push(await signalIn(phase, Math.floor(k / phases.length) % 2 ? "SIGTERM" : "SIGINT"));
  }
  for (const phase of phases)
    console.log(
      `${phase}: ${seconds[phase].length} ended after ${seconds[phase].map((s) => s.toFixed(2)).join(", ")} s`,
    );
});
