// `train --all`: all pinned models into one folder, each once, whatever stopped the list meanwhile.
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasTorch, type Outcome, root, run, start, temporaryFolder } from "./program.ts";

const shown = ["dot", "general", "additive", "plain", "bahdanau"]; // with snapshots
const names = [...shown, "bahdanau-uni", "plain-reversed", "plain-seed-1", "dot-seed-1"];

/** Stops the list once this is met, which is told what was printed so far. */
async function stopOnce(met: (out: string) => boolean, args: string[]): Promise<Outcome> {
  const { child, ended } = start(args);
  let over = false;
  let out = "";
  child.stdout?.on("data", (text) => (out += text));
  const done = ended.finally(() => {
    over = true;
  });
  while (!over && !met(out)) await new Promise((next) => setTimeout(next, 5));
  child.kill("SIGINT");
  return done;
}
/** Which models had their turn, and which of them were finished. */
const turns = ({ out }: Outcome) => [...out.matchAll(/^\d of 9 {3}(\S+)/gm)].map(([, name]) => name);
const finished = ({ out }: Outcome) => [...out.matchAll(/^\d of 9 {3}(\S+) is finished: /gm)].map(([, name]) => name);

it("a folder that is not there is one error, not nine", () => {
  const folder = join(temporaryFolder(), "absent");
  const { code, out, err } = run(["train", "--all", "--folder", folder]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(`there is no folder ${folder}\n`);
  expect(err.match(/CANNOT_WRITE/g)).toHaveLength(1);
});

if (hasTorch) {
  it("trains nine models, resumes the one that a signal stopped, and does none of them twice", {
    timeout: 900_000,
  }, async () => {
    const folder = temporaryFolder();
    const args = ["train", "--all", "--steps", "2", "--checkpoint-every", "1", "--folder", folder];
    const manifestOf = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
    // It is evaluated by then, and its snapshots are not: the checkpoint is still needed.
    const measuring = () => existsSync(join(folder, "general.json")) && manifestOf("general").evaluation !== null;
    const stopped = await stopOnce(measuring, args);
    expect(stopped.code, stopped.err).toBe(130);
    expect(turns(stopped)).toEqual(["dot", "general"]);
    expect(stopped.out).toContain("The snapshots were not measured");
    expect(existsSync(join(folder, "general.ckpt"))).toBe(true);
    const first = readFileSync(join(folder, "dot.json"), "utf8");

    const rest = run(args);
    expect(rest.code, rest.err).toBe(0);
    expect(turns(rest)).toEqual(names);
    expect(finished(rest)).toEqual(["dot"]);
    expect(rest.out).toMatch(/^resumes {2}.*general\.ckpt at step 2$/m);
    expect(readFileSync(join(folder, "dot.json"), "utf8")).toBe(first);
    const files = names.flatMap((name) => [`${name}.json`, `${name}.safetensors`]);
    expect(readdirSync(folder).sort()).toEqual([...files, ...shown.map((name) => `${name}.snapshots`)].sort());
    for (const name of names) {
      const manifest = manifestOf(name);
      expect({ steps: manifest.steps, n: manifest.evaluation.n[4] }).toEqual({ steps: 2, n: 500 });
      expect(manifest.command).toContain("--steps 2");
    }

    const again = run(args);
    expect({ code: again.code, err: again.err }).toEqual({ code: 0, err: "" });
    expect(finished(again)).toEqual(names);
  });

  it("the models of this repository are finished", { timeout: 300_000 }, () => {
    const [models, folder] = [join(root, "models"), temporaryFolder()];
    for (const file of readdirSync(models)) copyFileSync(join(models, file), join(folder, file));
    const all = run(["train", "--all", "--folder", folder]);
    expect(all.code, all.err).toBe(0);
    expect(finished(all)).toEqual(names);
  });
}
