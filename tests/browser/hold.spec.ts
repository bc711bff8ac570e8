// A link to a part of the page: it stays in sight while figures above it come alive, and lets go when somebody scrolls.
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

const topOf = (page: Page, id: string) =>
  page.evaluate((name) => document.getElementById(name)?.getBoundingClientRect().top ?? Number.NaN, id);

/** Whether the demos near the window have their first drawing, and nothing moves any more. */
async function settled(page: Page, id: string) {
  let before = Number.NaN;
  await expect
    .poll(async () => {
      const top = await topOf(page, id);
      const still = top === before && (await page.locator("sa-path-length .demo .figure").count()) > 0;
      before = top;
      return still;
    })
    .toBe(true);
}

test("what a link names stays at the top until somebody scrolls", async ({ page, open }) => {
  await open("#path-length");
  await settled(page, "path-length");
  const top = await topOf(page, "path-length");
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(160);
  await page.mouse.move(600, 500);
  await page.mouse.wheel(0, -400);
  await expect.poll(() => topOf(page, "path-length")).toBeGreaterThan(top + 300);
  const away = await topOf(page, "path-length");
  await page.locator("sa-path-length").getByLabel("with attention").check();
  await expect(page.locator("sa-path-length")).toContainText("S: 1 step.");
  expect(Math.abs((await topOf(page, "path-length")) - away)).toBeLessThan(60);
});

test("a link in the contents is held in the same way", async ({ page, open }) => {
  await open();
  await page.locator(".contents a[href='#bottleneck']").click();
  await expect(page.locator("sa-bottleneck-meter .demo")).toHaveCount(1);
  await expect.poll(() => topOf(page, "bottleneck")).toBeLessThan(160);
  expect(await topOf(page, "bottleneck")).toBeGreaterThanOrEqual(0);
});
