// `verify` over the whole of models/: weights, snapshots, probes and README are what the manifests say.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root, run } from "./program.ts";

it("finds every committed model, and their README, as the manifests say", { timeout: 600_000 }, () => {
  const { code, out, err } = run(["verify"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).not.toMatch(/^ {2}(?!note: )/m);
  const manifests = readdirSync(join(root, "models")).filter((file) => file.endsWith(".json"));
  expect(manifests.length).toBeGreaterThan(8);
  for (const file of manifests)
    expect(out).toMatch(new RegExp(`^${file.replace(".", "\\.")} +ok: \\d+ values computed again`, "m"));
  expect(out).toMatch(/^README\.md +ok: /m);
});
