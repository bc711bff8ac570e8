// The module for browsers without SIMD: none of its instructions is SIMD, and it computes the same bits.
import createScalar from "@wasm/softalign-scalar.mjs";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { native } from "./command-line.ts";
import { bytesOf, openModule, value, weightsOf } from "./files.ts";
import { usesSimd } from "./instructions.ts";

const scalarBinary = () => bytesOf("build/wasm/softalign-scalar.wasm");

it("holds no SIMD instruction, where the other module does", () => {
  expect(usesSimd(bytesOf("build/wasm/softalign.wasm"))).toBe(true);
  expect(usesSimd(scalarBinary())).toBe(false);
});

it("takes the JavaScript of the other, as the page gives it", () => {
  const [simd, scalar] = ["softalign", "softalign-scalar"].map((name) =>
    readFileSync(`build/wasm/${name}.mjs`, "utf8"),
  );
  expect(scalar?.replaceAll("softalign-scalar.wasm", "softalign.wasm")).toBe(simd);
});

it.each(["dot", "plain", "general", "additive", "bahdanau"])(
  "%s: the same bits with SIMD, without, and natively",
  async (name) => {
    const sessions = [await openModule(), await createScalar({ wasmBinary: scalarBinary() })].map(
      (module) => new module.Session(),
    );
    for (const session of sessions) value(session.load(name, weightsOf(name)));
    const sources = [1, 2, 3, 4].flatMap((K) =>
      [0, 123, 499].map((index) => value(sessions[0]!.sample(K, index)).source),
    );
    const told = native(name, `${sources.join("\n")}\n`);
    sources.forEach((source, index) => {
      const [simd, scalar] = sessions.map((session) => value(session.decode(name, source)));
      expect(scalar).toEqual(simd);
      const line = told[index]!;
      expect([line.output, line.log_prob]).toEqual([scalar!.output, scalar!.log_prob]);
      expect(line.alpha && Float32Array.from(line.alpha.flat())).toEqual(scalar!.alpha);
      if (name === "plain") return;
      const steps = sessions.map((session) => value(session.inspect(name, source, scalar!.ids.length - 1)));
      expect(steps[1]).toEqual(steps[0]);
    });
    for (const session of sessions) session.delete();
  },
);
