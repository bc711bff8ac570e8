// The module that the page loads against the native command line, on every source of the test split, bit by bit.
// The command line prints each weight as the shortest text of its float.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import createSoftalign from "@wasm/softalign.mjs";

const cli = process.env.SOFTALIGN ?? "build/native/native/softalign";

interface Line {
  source: string;
  output: string;
  log_prob: number;
  alpha: number[][] | null;
}

function native(model: string, sources: string): Line[] {
  const printed = execFileSync(cli, ["decode", "--model", `models/${model}.safetensors`, "--json", "--stdin"], {
    input: sources,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

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
