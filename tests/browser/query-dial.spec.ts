// sa-query-dial: the placed states with the course's numbers, by slider, button, key and pointer, and a model's own states.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { sweep } from "./sweep.ts";

const dial = (page: Page) => page.locator("sa-query-dial");
/** The live demo, in the window; what becomes live above it may push it out again. */
const near = (page: Page) =>
  expect(async () => {
    await dial(page).scrollIntoViewIfNeeded();
    await expect(dial(page).getByRole("tablist")).toBeVisible({ timeout: 1000 });
  }).toPass();
const weights = async (demo: Locator) =>
  (await demo.locator(".figure .sa-weights g text.number:last-of-type").allTextContents()).join(" ");
const shows = (demo: Locator, expected: string) => expect.poll(() => weights(demo)).toEqual(expected);

test("at the start, twice as long and at length 0: the course's weights", async ({ page, open }) => {
  await open("#query-dial");
  await near(page);
  const demo = dial(page);
  await shows(demo, "0.545 0.357 0.037 0.008 0.052");
  await expect(demo.locator("p.note", { hasText: /illustration with placed states/ })).toBeVisible();
  await demo.getByRole("button", { name: "Double the length" }).click();
  await shows(demo, "0.693 0.298 0.003 0.000 0.006");
  await expect(demo.getByText("Dashed: the weights at length 1.5")).toBeVisible();
  await expect(demo.getByRole("button", { name: "Double the length" })).toBeDisabled();
  await demo.getByRole("button", { name: "Length 0" }).click();
  await shows(demo, "0.200 0.200 0.200 0.200 0.200");
  await expect(demo.locator(".live")).toContainText("each state gets 1/5");
});

test("@slow doubling the length answers the prediction, whichever way it was done", async ({ page, open }) => {
  await open("?predict-length.guess=flatter#query-dial");
  await near(page);
  const guess = page.locator("sa-prediction#predict-length");
  await expect(guess).toContainText("Your guess: They get flatter");
  const slider = dial(page).getByRole("slider", { name: "Length of the query" });
  await slider.focus();
  for (let k = 0; k < 14; ++k) await page.keyboard.press("ArrowRight");
  await expect(dial(page).locator(".live")).toContainText("goes to state 1");
  await expect(guess).not.toContainText("more peaked");
  await page.keyboard.press("ArrowRight");
  await expect(guess).toContainText("more peaked. From length 1.5 to 3.0 the largest weight went from 0.545 to 0.693");
});

test("@slow the tip can be moved by keys and dragged, and its state comes back from the address", async ({
  page,
  open,
}) => {
  await open("#query-dial");
  await near(page);
  const demo = dial(page);
  const handle = demo.getByRole("slider", { name: "Tip of the query" });
  await handle.focus();
  await page.keyboard.press("PageUp");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowDown");
  await expect(handle).toHaveAttribute("aria-valuetext", "34 degrees, length 1.4");
  const from = await handle.locator(".knob").boundingBox();
  const plane = await demo.locator(".plane").boundingBox();
  if (!from || !plane) throw new Error("no handle");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(plane.x + plane.width / 2, plane.y + plane.height / 4, { steps: 4 });
  await page.mouse.up();
  await expect(handle).toHaveAttribute("aria-valuetext", /^90 degrees, length 1\.[67]$/);
  await expect(demo.locator(".live")).toContainText("inside the hull");
  await expect.poll(() => page.url()).toContain("query-dial.angle=90");
  await page.reload();
  await near(page);
  await expect(handle).toHaveAttribute("aria-valuetext", /^90 degrees, length 1\.[67]$/);
  await demo.getByRole("button", { name: "Reset" }).click();
  await expect(handle).toHaveAttribute("aria-valuetext", "20 degrees, length 1.5");
});

test("no query of the sliders' range brings the context out of the hull @slow", async ({ page, open }) => {
  await open("#query-dial");
  await near(page);
  const handle = dial(page).getByRole("slider", { name: "Tip of the query" });
  await handle.focus();
  await page.keyboard.press("End");
  for (let k = 0; k < 24; ++k) {
    await page.keyboard.press("PageUp");
    await expect(handle).toHaveAttribute("aria-valuetext", `${(20 + 15 * (k + 1)) % 360} degrees, length 3.0`);
    await expect(dial(page).locator(".live")).toContainText("inside the hull");
  }
});

test("the second tab shows the model's own states, step by step, with the map's weights", async ({ page, open }) => {
  const reader = await open("?text=1+May+1999#query-dial");
  await near(page);
  const demo = dial(page);
  await demo.getByRole("tab", { name: "Five placed states" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(demo.getByRole("tab", { name: "The model’s own" })).toBeFocused();
  await expect(demo.locator(".sa-plane .state.real")).toHaveCount(10);
  const { alpha } = await reader.mapData();
  const heaviest = (t: number) => [...alpha.slice(10 * t, 10 * (t + 1))].sort((a, b) => b - a).slice(0, 5);
  const written = (t: number) =>
    heaviest(t)
      .map((weight) => weight.toFixed(3))
      .join(" ");
  await shows(demo, written(0));
  await demo.getByRole("button", { name: "Next" }).click();
  await shows(demo, written(1));
  await expect(demo.locator(".live")).toContainText("Step 2 writes ‘9’");
  await expect(demo.getByText(/shows \d+\s%/)).toContainText("computed in all 128 dimensions");
  await demo.getByLabel("Draw the queries").uncheck();
  await expect(demo.locator(".sa-plane .other")).toHaveCount(0);
  await reader.read("2 May 1999; 5/5/5");
  await expect(demo.locator(".sa-plane .state.real")).toHaveCount(17);
});

test("a model without a plane says so, and before the lab the model's states stay back", async ({ page, open }) => {
  await open("?lab=before&query-dial.view=model#query-dial");
  await near(page);
  const demo = dial(page);
  const show = demo.getByRole("button", { name: /Show the attention map/ });
  await show.scrollIntoViewIfNeeded();
  await expect(demo.locator(".sa-plane .state.real")).toHaveCount(0);
  await show.click();
  await expect(demo.locator(".sa-plane .state.real")).toHaveCount(12);
  await demo.evaluate((element) => element.removeAttribute("data-follows"));
  await demo.evaluate((element) => element.setAttribute("model", "plain"));
  await expect(demo).toContainText("This model has no attention: no query, no weights");
});

test("the figure is saved as a drawing and as numbers", async ({ page, open }) => {
  await open("#query-dial");
  await near(page);
  const saved = async (kind: string) => {
    const coming = page.waitForEvent("download");
    await dial(page).getByRole("button", { name: kind, exact: true }).click();
    const stream = await (await coming).createReadStream();
    let text = "";
    for await (const chunk of stream) text += chunk;
    return text;
  };
  expect(await saved("CSV")).toMatch(/^state,x,y,score,exponential,alpha\r\nh_1,1\.4,0\.15,2\.05\d*,1,0\.54\d+\r\n/);
  const svg = await saved("SVG");
  expect(svg).toMatch(/^<svg /);
  expect(svg).toContain("context");
});

for (const [view, settled] of [
  ["placed", "Context:"],
  ["model", "Step 1 writes"],
] as const) {
  test(`sweep of the ${view} states @slow`, async ({ page, open }) => {
    await open(`?query-dial.view=${view}#query-dial`);
    await sweep(page, "sa-query-dial", async () => {
      await near(page);
      await expect(dial(page).locator(".live")).toContainText(settled);
    });
  });
}
