// `train --log`: each line holds the fields that `train --help` lists, with their types, and no others.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasTorch, jsonLines, run, start, temporaryFolder } from "./program.ts";

type Fields = Record<string, string>;

/** The events and their fields, from the text that lists them. */
function schema(): Record<string, Fields> {
  const help = run(["train", "--help"]).out;
  const lines = help.slice(help.indexOf("The log's lines")).matchAll(/^ {2}(\w+): (.*)$/gm);
  return Object.fromEntries(
    [...lines].map(([, event, fields = ""]) => [
      event,
      Object.fromEntries(
        [...fields.matchAll(/(\w+) (string|number|object)(\??) \(/g)].map((m) => [m[1], `${m[2]}${m[3]}`]),
      ),
    ]),
  );
}

it("is listed in --help", () => {
  const { every, ...events } = schema();
  expect(every).toEqual({ event: "string", time: "number", model: "string" });
  expect(Object.keys(events)).toEqual(["start", "step", "checkpoint", "snapshot", "warning", "end"]);
  expect(events.step).toHaveProperty("gradient_norm", "number");
});

const fits = (value: unknown, type: string) =>
  value === null ? type.endsWith("?") : typeof value === type.replace("?", "");

// Left out without LibTorch: train.test.ts speaks for such a build.
if (hasTorch)
  it("is what a stopped and resumed run writes", { timeout: 300_000 }, async () => {
    const folder = temporaryFolder();
    const log = join(folder, "x.jsonl");
    const flags = ["train", "--score", "none", "--steps", "12", "--out", join(folder, "x.safetensors"), "--log", log];
    const stopped = start([...flags, "--snapshots"]);
    stopped.child.stderr?.once("data", () => stopped.child.kill("SIGTERM"));
    expect((await stopped.ended).code).toBe(143);
    expect(run([...flags, "--snapshots", "--resume"]).code).toBe(0);

    const events = schema();
    const lines = jsonLines(readFileSync(log, "utf8"));
    for (const line of lines) {
      const fields: Fields = { ...events.every, ...events[line.event] };
      expect(Object.keys(line).sort(), line.event).toEqual(Object.keys(fields).sort());
      for (const [name, type] of Object.entries(fields))
        expect(fits(line[name], type), `${name} ${line[name]}`).toBe(true);
      expect(line.model).toBe("x");
    }
    const of = (event: string) => lines.filter((line) => line.event === event);
    expect(of("start").map((line) => line.resumed_at === null)).toEqual([true, false]);
    expect(of("end").map((line) => line.why)).toEqual(["signal", "done"]);
    expect(of("step").at(-1)).toMatchObject({ step: 12 });
    expect(of("checkpoint").at(-1)).toMatchObject({ step: 12, file: join(folder, "x.ckpt") });
    expect(of("snapshot").map((line) => line.step)).toEqual([5, 10, 12]);
  });
