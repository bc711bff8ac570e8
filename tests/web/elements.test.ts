// web/ELEMENTS.md is what the table of elements says.
import { expect, it } from "vitest";
import { elementsTable } from "./elements-table.ts";

it("web/ELEMENTS.md is up to date", async () => {
  await expect(elementsTable()).toMatchFileSnapshot("../../web/ELEMENTS.md");
});
