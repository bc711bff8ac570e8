// Two models beside each other: their answers, their maps, how they load, and what the address says of them.
import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures.ts";

const own = { name: "mine.safetensors", mimeType: "application/octet-stream" };

test("the plain model's answer stands under the hero's, with what each carries", async ({ page, open }) => {
  const reader = await open();
  await expect(reader.other).toHaveText(/\d/);
  await expect(reader.otherMap).toHaveCount(0);
  await expect(page.getByText("12 × 128 = 1,536 numbers")).toBeVisible();
  await expect(page.getByText("one vector of 128 numbers")).toBeVisible();
  await expect(page.locator(".vectors").first()).toHaveAttribute("height", String(3 * 12));
  await expect(page.locator(".vectors").nth(1)).toHaveAttribute("height", "3");
  await page.getByRole("button", { name: "Give both models two dates" }).click();
  await expect(reader.answer.locator(".written")).toHaveCount(2);
  await expect(reader.answer).toBeInViewport();
  await expect(reader.verdict).toHaveText(/of the 2 dates|all 2 dates/);
});

const why = "The model without attention has";

test("where only attention gets all dates right, one sentence says what each model has of the text", async ({
  page,
  open,
}) => {
  const reader = await open("?text=July%2024,%202041;%20February%2014,%201914");
  const sentence = page.getByText(why);
  await expect(reader.verdict).toHaveText(/all 2 dates/);
  await expect(sentence).toBeVisible();
  const right = await page.locator(".other .says.right").count();
  await expect(page.locator(".other .says")).toHaveCount(2);
  await expect(sentence).toContainText(`has ${right || "none"} of the 2 dates right`);
  await expect(sentence).toContainText(/one vector of 128 numbers.*look back at all 32 states/);
  await page.getByLabel("Model", { exact: true }).selectOption("plain");
  await expect(reader.verdict).toHaveText(/^\s*Wrong/);
  await expect(sentence).toBeVisible();
  await reader.box.fill("3 March 2021");
  await expect(page.getByRole("button", { name: "Give both models two dates" })).toBeVisible();
  await expect(sentence).toHaveCount(0);
  await reader.box.fill("July 24, 2041; February 14, 1914");
  await expect(sentence).toBeVisible();
  await page.getByLabel("Model", { exact: true }).selectOption("general");
  await page.getByLabel("beside", { exact: true }).selectOption("dot");
  await expect(sentence).toHaveCount(0);
});

test("before the lab the sentence waits until both answers are shown", async ({ page, open }) => {
  const reader = await open("?lab=before&text=July%2024,%202041;%20February%2014,%201914");
  await page.getByRole("button", { name: "Show the plain model’s answer" }).click();
  await expect(reader.other).toHaveText(/\d/);
  await expect(page.getByText(why)).toHaveCount(0);
  await page.getByRole("button", { name: "Show the attention model’s answer" }).click();
  await expect(page.getByText(why)).toBeVisible();
});

test("the second model is shown as loading with how much, and the first answers meanwhile", async ({ page, site }) => {
  let send = () => {};
  const held = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(/plain[^/]*safetensors/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto((await site()).url);
  await expect(page.locator(".hero sa-attention-map")).toBeVisible();
  await expect(page.locator(".answer.first .dates")).toHaveText(/\d/);
  await expect(page.locator(".answer.other .loading")).toHaveText(/^Loading plain, no attention/);
  send();
  await expect(page.locator(".answer.other .dates")).toHaveText(/\d/);
  await expect(page.locator(".answer.other .loading")).toHaveCount(0);
});

test("two models with attention have a map each, at one scale and with one place lit up", async ({ page, open }) => {
  const reader = await open();
  await expect(reader.other).toHaveText(/\d/);
  await page.setInputFiles("input[type=file]", { ...own, buffer: readFileSync("models/dot.safetensors") });
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("yours");
  await page.getByLabel("beside", { exact: true }).selectOption("dot");
  await expect(reader.otherMap).toBeVisible();
  const fills = (map: typeof reader.map) =>
    map.locator("rect[data-t]").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("fill")));
  expect(await fills(reader.otherMap)).toEqual(await fills(reader.map));
  await reader.map.locator('rect[data-t="4"][data-i="2"]').hover();
  await expect(reader.otherMap.locator(".ring")).toBeVisible();
  expect(await reader.otherMap.locator(".words").textContent()).toBe(await reader.words.textContent());
  await expect(reader.explanation.locator(".place")).toContainText("yours: row 5");
  await reader.otherMap.locator('rect[data-t="6"][data-i="1"]').hover();
  await expect(reader.explanation.locator(".place")).toContainText("dot attention: row 7");
  await expect(reader.words).toHaveText(/^Row 7 writes/);
});

test("both models are in the address, and change places when one is chosen for the other's", async ({ page, open }) => {
  const reader = await open("?model=plain&beside=dot");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("plain");
  await expect(page.getByLabel("beside", { exact: true })).toHaveValue("dot");
  await expect(page.getByText("This model has no attention")).toBeVisible();
  await expect(reader.other).toHaveText(/\d/);
  await page.getByLabel("Model", { exact: true }).selectOption("dot");
  await expect(page.getByLabel("beside", { exact: true })).toHaveValue("plain");
  await expect(reader.map).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

test("an unknown model beside is named, and the usual one stands there", async ({ page, open }) => {
  const reader = await open("?beside=nonesuch");
  await expect(page.getByText("There is no model “nonesuch” here")).toBeVisible();
  await expect(page.getByLabel("beside", { exact: true })).toHaveValue("plain");
  await expect(reader.other).toHaveText(/\d/);
});
