// Section 4: the worked numbers, one cell of a map unfolded, and the equations of the text.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { sweep } from "./sweep.ts";

const worked = (page: Page) => page.locator("sa-worked-attention");
const step = (page: Page) => page.locator("sa-attention-step");
/** The live demo, in the window; what becomes live above it may push it out again. */
const near = (demo: Locator) =>
  expect(async () => {
    await demo.scrollIntoViewIfNeeded();
    await expect(demo.getByRole("button", { name: "Reset" })).toBeVisible({ timeout: 1000 });
  }).toPass();
/** The numbers of a line of the working, without their notes. */
const line = (demo: Locator, name: string) =>
  demo.locator(`tr.${name} td`).evaluateAll((cells) =>
    cells.map((cell) => {
      const copy = cell.cloneNode(true) as Element;
      for (const note of copy.querySelectorAll(".note")) note.remove();
      return (copy.textContent ?? "").trim();
    }),
  );
const has = (demo: Locator, name: string, numbers: string[]) => expect.poll(() => line(demo, name)).toEqual(numbers);

test("the equations 6, 7 and 8 are there", async ({ page, open }) => {
  await open();
  for (const number of [6, 7, 8]) await expect(page.locator(`#eq-${number} math`).first()).toBeVisible();
});

test("the worked examples have the course's numbers", async ({ page, open }) => {
  await open("#worked-attention");
  await near(worked(page));
  const demo = worked(page);
  await has(demo, "plain", ["7.389", "1", "1", "9.389"]);
  await has(demo, "alpha", ["0.787", "0.107", "0.107", "1"]);
  await demo.getByLabel("(12, 10, 10)").check();
  await has(demo, "plain", ["162,755", "22,026", "22,026", "206,808"]);
  await has(demo, "off", ["1", "0.135", "0.135", "1.271"]);
  await has(demo, "alpha", ["0.787", "0.107", "0.107", "1"]);
  await demo.getByLabel("(20, 0, 0)").check();
  await has(demo, "alpha", ["1.000", "2.06\u00a0×\u00a010\u22129", "2.06\u00a0×\u00a010\u22129", "1"]);
  await expect(demo.locator(".live")).toContainText("rounds to 1");
  await demo.getByLabel("equal scores").check();
  await has(demo, "alpha", ["0.250", "0.250", "0.250", "0.250", "1"]);
  await demo.getByLabel("with vectors").check();
  await has(demo, "plain", ["7.389", "1", "0.135", "8.524"]);
  await has(demo, "alpha", ["0.867", "0.117", "0.016", "1"]);
  await has(demo, "context", ["(0.867, 0.000)", "(0.000, 0.117)", "(\u22120.016, 0.000)", "(0.851, 0.117)"]);
  await demo.getByLabel("with padding").check();
  await has(demo, "alpha", ["0.881", "0.119", "0.000", "1"]);
  // The padded position's own score counts for nothing, and is crossed out; the bars have the one that counts.
  await expect(demo.locator("s")).toHaveText("\u22122");
  await expect(demo.locator(".sa-weights .number").filter({ hasText: "\u2212\u221e" })).toHaveCount(1);
  await expect(demo.locator(".figure .sa-weights")).not.toContainText("\u22122.00");
  await has(demo, "context", ["(0.881, 0.000)", "(0.000, 0.119)", "(0.000, 0.000)", "(0.881, 0.119)"]);
});

test("@slow every number can be changed, positions added and padded, and the address brings it back", async ({
  page,
  open,
}) => {
  await open("#worked-attention");
  await near(worked(page));
  const demo = worked(page);
  await demo.getByRole("textbox", { name: "Score 2" }).fill("2");
  await has(demo, "alpha", ["0.468", "0.468", "0.063", "1"]);
  await demo.getByRole("button", { name: "Add a position" }).click();
  await has(demo, "alpha", ["0.440", "0.440", "0.060", "0.060", "1"]);
  await demo.getByLabel("Padding at the end").selectOption("2");
  await has(demo, "alpha", ["0.500", "0.500", "0.000", "0.000", "1"]);
  await expect.poll(() => page.url()).toContain("worked-attention.numbers=2+2+0+0");
  await page.reload();
  await near(demo);
  await has(demo, "alpha", ["0.500", "0.500", "0.000", "0.000", "1"]);
  for (let k = 0; k < 3; ++k) await demo.getByRole("button", { name: "Remove the last" }).click();
  await has(demo, "alpha", ["1.000", "1"]);
  await expect(demo.getByRole("button", { name: "Remove the last" })).toBeDisabled();
  await demo.getByRole("button", { name: "Reset" }).click();
  await has(demo, "alpha", ["0.787", "0.107", "0.107", "1"]);
});

test("@slow what is no number stays in its field and is said to be none; the working goes on", async ({
  page,
  open,
}) => {
  await open("#worked-attention");
  await near(worked(page));
  const demo = worked(page);
  const field = demo.getByRole("textbox", { name: "Score 1" });
  for (const impossible of ["1e9", "1000", "two"]) {
    await field.fill(impossible);
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(demo.getByRole("alert")).toContainText(`“${impossible}” is not a number from \u2212999 to 999`);
  }
  // A minus sign, or nothing, may become a number; once left it is none.
  await field.fill("");
  await expect(demo.getByRole("alert")).toHaveCount(0);
  await field.press("Tab");
  await expect(demo.getByRole("alert")).toContainText("nothing is not a number from \u2212999 to 999");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await field.fill("two");
  await expect(demo.getByRole("alert")).toContainText("“two” is not a number from \u2212999 to 999");
  await expect(field).toHaveValue("two");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await has(demo, "alpha", ["0.787", "0.107", "0.107", "1"]);
  await field.fill("100");
  await has(demo, "alpha", ["1.000", "0.000", "0.000", "1"]);
  await expect(demo.locator("tr.plain")).toContainText("does not fit");
  await expect(demo.getByRole("alert")).toHaveCount(0);
});

test("a cell is unfolded where one points, kept by a click, and counted", async ({ page, open }) => {
  await open("#attention-step");
  const demo = step(page);
  await near(demo);
  const [map, explanation] = [demo.locator("sa-attention-map"), demo.locator("sa-cell-explanation")];
  await expect(explanation).toContainText("row 1 writes");
  await expect(demo.locator(".cost")).toContainText("12 × 11 = 132 scores");
  await map.locator('rect[data-t="8"][data-i="1"]').click();
  await expect(explanation).toContainText("row 9 writes");
  await expect.poll(() => page.url()).toContain("attention-step.cell=9-2");
  await page.mouse.move(0, 0);
  await page.reload();
  await near(demo);
  await expect(explanation).toContainText("row 9 writes ‘0’, reads a space");
  const region = map.locator(".region");
  await region.focus();
  await page.keyboard.press("ArrowDown");
  await expect(explanation).toContainText("row 10 writes");
});

test("@slow page and demo unfold different cells of one model at the same time", async ({ page, open }) => {
  const reader = await open("?attention-step.cell=9-2#attention-step");
  await near(step(page));
  for (const text of ["4 March 2021", "5 March 2021", "6 March 2021"]) await reader.box.fill(text);
  const unfolded = (explanation: Locator) =>
    explanation.evaluate((element) => {
      const { t, source } = (element as unknown as { explained: { t: number; source: string[] } }).explained;
      return `row ${t + 1} of ${source.join("")}`;
    });
  await expect.poll(() => unfolded(step(page).locator("sa-cell-explanation"))).toBe("row 9 of 6 March 2021");
  await expect.poll(() => unfolded(page.locator(".stage sa-cell-explanation"))).toBe("row 1 of 6 March 2021");
});

test("@slow the longest text is drawn, and before the lab the map stays back", async ({ page, open }) => {
  const reader = await open("?lab=before#attention-step");
  const demo = step(page);
  await demo.scrollIntoViewIfNeeded();
  await demo.getByRole("button", { name: /Show the attention map/ }).click();
  await expect(demo.locator(".cost")).toContainText("132 scores");
  await reader.box.fill("3 March 2021; ".repeat(28).slice(0, 390));
  await expect(demo.locator(".cost")).toContainText(/S × T = 390 × \d+/);
});

for (const [name, find, settled] of [
  ["worked numbers", worked, "0.881"],
  ["unfolded cell", step, "132 scores"],
] as const) {
  test(`sweep of the ${name} @slow`, async ({ page, open }) => {
    await open("?worked-attention.example=padded#worked-attention");
    const demo = find(page);
    await sweep(page, await demo.evaluate(({ localName }) => localName), async () => {
      await near(demo);
      await expect(demo.locator(".num").last()).toContainText(settled);
    });
  });
}
