// What visitors download stays within its budgets. tests/browser/loading.spec.ts holds the list of files to the wire.
import { expect, it } from "vitest";
import { budgets, firstMapFiles, moduleSizes, sizeTable } from "../../.setup/sizes.mjs";

it("the module and its JavaScript", () => {
  const { wasm, glue } = moduleSizes("softalign");
  expect(wasm).toBeLessThanOrEqual(budgets.wasm);
  expect(glue).toBeLessThanOrEqual(budgets.glue);
});

it("the first live map", () => {
  const files = firstMapFiles();
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(total, files.map(({ path, bytes }) => `${path} ${bytes}`).join("\n")).toBeLessThanOrEqual(budgets.firstMap);
});

it("the budgets are those that the project promises, and the build prints each size beside them", () => {
  expect(budgets).toEqual({ wasm: 60_000, glue: 15_000, firstMap: 480_000 });
  const { wasm, glue } = moduleSizes("softalign");
  for (const bytes of [wasm, glue, ...Object.values(budgets)]) expect(sizeTable()).toContain((bytes / 1000).toFixed(1));
});
