// Numbers of the whole test split that the module and the native program must share.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { rates } from "./alignment.ts";
import { cli } from "./command-line.ts";
import { openSession, value, weightsOf } from "./files.ts";

const printed = (...args: string[]) =>
  JSON.parse(execFileSync(cli, [...args, "--json"], { encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] }));

it.each(["dot", "additive", "bahdanau"])(
  "%s: alignment is what `softalign evaluate` prints",
  async (name) => {
    const { session } = await openSession();
    value(session.load(name, weightsOf(name)));
    const positions = value(session.align_test(name, 0, 2000));
    const evaluation = printed("evaluate", "--model", `models/${name}.safetensors`);
    expect(value(session.measure_alignment(positions))).toEqual(rates(evaluation));
    session.delete();
  },
  120_000,
);

it.each(["dot", "plain", "additive"])(
  "%s: the untrained model is the one that its snapshots start from",
  async (name) => {
    const { session } = await openSession();
    value(session.load(name, weightsOf(name)));
    const { seed, snapshots } = printed("snapshots", "--model", `models/${name}.safetensors`);
    value(session.untrained("new", name, seed));
    const { sources, targets } = session.test_split();
    let [sum, tokens] = [0, 0];
    sources.forEach((source, at) => {
      const scored = value(session.teacher_force("new", source, targets[at] ?? ""));
      sum += scored.sum;
      tokens += scored.ids.length;
    });
    // The command line rounds to six decimals, and keeps a float.
    expect(Math.abs(sum / tokens - snapshots[0].loss)).toBeLessThan(1e-6);
    const { outputs } = value(session.decode_test("new", 0, 2000));
    expect(value(session.measure(outputs)).exact_match).toEqual(snapshots[0].exact_match);
    session.delete();
  },
  120_000,
);
