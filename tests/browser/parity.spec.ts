// The page says what the command line says: the same strings and the same weights on test sources drawn at random.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { FULL_STEPS } from "../../web/src/page/state.ts";
import { expect, test } from "./fixtures.ts";

const SOURCES = 20;

interface Printed {
  source: string;
  output: string;
  log_prob: number;
  alpha: number[][];
}

/** The command line, built by the native preset. */
const program = process.env.SOFTALIGN ?? "build/native/native/softalign";

function softalign(...args: string[]): string {
  if (!existsSync(program)) throw new Error("the command line is not built: cmake --build --preset native");
  return execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 26 });
}

/** `count` different numbers below `limit`, the same in every run. */
function draw(count: number, limit: number): number[] {
  const drawn = new Set<number>();
  for (let state = 20210303; drawn.size < count; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    drawn.add(Math.floor((state / 2 ** 32) * limit));
  }
  return [...drawn];
}

test(`${SOURCES} random test sources equal softalign decode --json`, async ({ open }) => {
  const lines = softalign("data", "--split", "test").trimEnd().split("\n");
  expect(lines).toHaveLength(2000);
  const sources = draw(SOURCES, lines.length).map((k) => lines[k]?.split("\t")[0] ?? "");
  const printed = softalign("decode", "--model", "models/dot.safetensors", "--json", ...sources);
  const expected = printed
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Printed);
  expect(expected.map(({ source }) => source)).toEqual(sources);

  const reader = await open();
  for (const { source, output, alpha } of expected) {
    const shown = await reader.read(source);
    expect(shown.tokens.filter((token) => token !== "<eos>").join("")).toBe(output);
    const words = await reader.answer.locator(".written").allTextContents();
    expect(words.map((word) => word.trim()).join(" ")).toBe(output);
    const weights = alpha.flat();
    expect(shown.alpha).toHaveLength(weights.length);
    const apart = weights.map((weight, k) => Math.abs(weight - (shown.alpha[k] ?? Number.NaN)));
    expect(Math.max(...apart)).toBeLessThanOrEqual(1e-6);
  }
});

test("the training budget that the page names is the trainer's (L20)", async () => {
  expect(softalign("train", "--help")).toMatch(new RegExp(`--steps[^\\n]*\\b${FULL_STEPS}\\b`));
});
