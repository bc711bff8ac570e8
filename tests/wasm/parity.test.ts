// The module that the page loads against the native command line, on every source of the test split, bit by bit.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import createSoftalign from "@wasm/softalign.mjs";
import { cli, native } from "./command-line.ts";

test.each(["plain", "dot"])(
  "%s: the module equals the command line on all 2,000 test sources",
  async (name) => {
    expect(existsSync(cli), `${cli} is built`).toBe(true);
    const split = execFileSync(cli, ["data", "--split", "test"], { encoding: "utf8", maxBuffer: 1 << 24 });
    const sources = split
      .trim()
      .split("\n")
      .map((line) => line.split("\t")[0]!);
    expect(sources).toHaveLength(2000);
    const expected = native(name, `${sources.join("\n")}\n`);
    expect(expected).toHaveLength(2000);

    const module = await createSoftalign({ wasmBinary: readFileSync("build/wasm/softalign.wasm") });
    const session = new module.Session();
    expect(session.load(name, readFileSync(`models/${name}.safetensors`))).toHaveProperty("value");
    let different = 0;
    sources.forEach((source, index) => {
      const outcome = session.decode(name, source);
      if ("error" in outcome) throw new Error(outcome.error.message);
      const ours = outcome.value;
      const theirs = expected[index]!;
      const alpha = theirs.alpha?.flat() ?? null;
      const same =
        ours.output === theirs.output &&
        ours.log_prob === theirs.log_prob &&
        (alpha === null
          ? ours.alpha === null
          : alpha.length === ours.alpha!.length && alpha.every((a, i) => Math.fround(a) === ours.alpha![i]));
      if (!same) different += 1;
    });
    session.delete();
    expect(different).toBe(0);
  },
  120_000,
);
