// Measured here: exact match by K on the visitor's computer, with progress, cancel, n and seconds, and after the lab only.
import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures.ts";

/** Exact match by K as the manifest of a model records it. */
const recorded = (name: string): number[] => {
  const { evaluation } = JSON.parse(readFileSync(`models/${name}.json`, "utf8")) as {
    evaluation: { exact_match: Record<string, number> };
  };
  return [1, 2, 3, 4].map((K) => evaluation.exact_match[K] ?? Number.NaN);
};

test("a model is measured on all 2,000 sources, and the numbers are its manifest's", async ({ page, open }) => {
  const reader = await open();
  await expect(reader.other).toHaveText(/\d/);
  for (const [k, name] of ["dot", "plain", "general"].entries()) {
    await page.getByLabel("Model to measure").selectOption(name);
    await page.getByRole("button", { name: "Measure", exact: true }).click();
    const row = page.locator(".measured tbody tr").nth(k);
    await expect(row).toBeVisible({ timeout: 40_000 });
    await expect(row.locator("th")).toHaveText(/n = 2,000, \d+\.\d+ s, (no worker|\d workers?)/);
    expect(await row.locator(".share").allTextContents()).toEqual(recorded(name).map((share) => share.toFixed(3)));
    // With K dates, K rates date by date; with one, the exact match says it all.
    await expect(row.locator("td").nth(0).locator(".how")).toHaveCount(0);
    await expect(row.locator("td").nth(3).locator(".how")).toHaveText(/^date by date( \d\.\d{3},){3} \d\.\d{3}$/);
  }
  await expect(page.locator(".measured").getByText("on this computer and now")).toBeVisible();
});

test("progress is shown, and a measurement can be cancelled", async ({ page, open }) => {
  const reader = await open();
  await expect(reader.other).toHaveText(/\d/);
  // The page notes itself what it showed: progress may pass faster than it is polled.
  const said = await page.locator(".measuring").evaluateHandle((place) => {
    const texts: string[] = [];
    const note = () => texts.push(place.textContent ?? "");
    new MutationObserver(note).observe(place, { childList: true, characterData: true, subtree: true });
    return texts;
  });
  const progress = page.getByRole("progressbar");
  await page.getByRole("button", { name: "Measure", exact: true }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(progress).toHaveCount(0);
  await expect(page.locator(".measured tbody tr")).toHaveCount(0);
  await expect(page.locator(".measured .alert")).toHaveCount(0);
  await page.getByRole("button", { name: "Measure", exact: true }).click();
  await expect(page.locator(".measured tbody tr")).toHaveCount(1, { timeout: 40_000 });
  const numbers = (await said.jsonValue()).map((text) =>
    Number(text.match(/([\d,]+) of 2,000/)?.[1]?.replace(",", "")),
  );
  expect(numbers.filter((done) => done > 0 && done < 2000).length).toBeGreaterThan(2);
});

test("before the lab it waits behind a click of its own", async ({ page, open }) => {
  await open("?lab=before");
  const start = page.getByRole("button", { name: "Measure", exact: true });
  await expect(page.getByRole("heading", { name: "Measured here" })).toBeVisible();
  await expect(start).toHaveCount(0);
  await page.getByRole("button", { name: "Measure exact match by K (Exercise 2 asks you to predict it)" }).click();
  await expect(start).toBeVisible();
});
