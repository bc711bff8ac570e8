// The bottleneck meter: two models measured on the visitor's computer, with progress, pause and cancel; failures to look at.
import { readFileSync } from "node:fs";
import { expect, type Reader, test } from "./fixtures.ts";

interface Evaluation {
  exact_match: Record<string, number>;
  well_formed: Record<string, number>;
  per_date: Record<string, number[]>;
}

/** What `softalign evaluate` printed for a model, as its manifest holds it; `softalign verify models` compares the two. */
const recorded = (name: string) =>
  (JSON.parse(readFileSync(`models/${name}.json`, "utf8")) as { evaluation: Evaluation }).evaluation;
const KS = [1, 2, 3, 4];
const fixed = (numbers: number[]) => numbers.map((share) => share.toFixed(3));

function parts({ place }: Reader) {
  const meter = place.locator("sa-bottleneck-meter");
  return {
    meter,
    start: meter.getByRole("button", { name: "Measure on 2,000 texts" }),
    rows: meter.locator("tbody tr"),
    row: (name: string) => meter.locator(`tr[data-model="${name}"]`),
  };
}

test("both models are measured on all 2,000 sources, and the numbers are those of softalign evaluate", async ({
  open,
}) => {
  const reader = await open("?predict-exact-match.guess=0.9+0.5+0.2+0.1#bottleneck-meter");
  const { meter, start, row } = parts(reader);
  // What the course recorded waits for a measurement of one's own.
  await expect(meter.locator(".figure .key")).toHaveText("plain, no attention dot attention your guess");
  await expect(meter.locator(".recorded")).toHaveCount(0);
  await start.click();
  for (const name of ["plain", "dot"]) {
    await expect(row(name)).toBeVisible({ timeout: 40_000 });
    const { exact_match, well_formed, per_date } = recorded(name);
    await expect(row(name).locator("th")).toHaveText(/n = 2,000, \d+\.\d+ s, (no worker|\d workers?)/);
    expect(await row(name).locator(".share").allTextContents()).toEqual(fixed(KS.map((K) => exact_match[K] ?? -1)));
    for (const K of KS) {
      const cell = row(name)
        .locator("td")
        .nth(K - 1);
      await expect(cell).toContainText(`date by date ${fixed(per_date[K] ?? []).join(", ")}`);
      await expect(cell).toContainText(`well formed ${well_formed[K]?.toFixed(3)}`);
    }
  }
  await expect(row("plain").locator("td").first()).toContainText("the course: 0.898");
  await expect(meter).toContainText("Equal budget.");
  // The guess stands beside the result, in the chart and on its card.
  await expect(meter.locator(".figure > svg line.guess")).toHaveCount(4);
  await expect(meter.locator(".figure > svg circle.recorded")).toHaveCount(8);
  await expect(meter.locator(".figure .key")).toContainText("the course’s run");
  // Date by date, what is never right is still to be seen, and has its number.
  await meter.getByLabel("date by date").check();
  await expect(meter.locator(".figure > svg .bar")).toHaveCount(20);
  const heights = await meter
    .locator(".figure > svg .bar")
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(1);
  await expect(meter.locator(".figure > svg text.share")).toHaveCount(20);
  await expect(meter.locator(".figure > svg .recorded")).toHaveCount(0);
  await expect(reader.place.locator("sa-prediction#predict-exact-match")).toContainText(
    `Result: measured K = 1: ${recorded("plain").exact_match[1]?.toFixed(3)}, K = 2: 0.000`,
  );
});

test("a failure is shown with what should have been written, and taken up as the text", async ({ open }) => {
  const reader = await open("#bottleneck-meter");
  const { meter, start, row } = parts(reader);
  await start.click();
  await expect(row("dot")).toBeVisible({ timeout: 40_000 });
  const wrong = meter.getByRole("group", { name: "What plain, no attention got wrong" });
  await wrong.getByRole("button", { name: "K = 2: 500" }).click();
  const source = await wrong.locator("dd.source").textContent();
  await expect(wrong).toContainText("1 of 500");
  await wrong.getByRole("button", { name: "The next wrong answer" }).press("Enter");
  await expect(wrong.locator("dd.source")).not.toHaveText(source ?? "");
  await wrong.getByRole("button", { name: "The wrong answer before" }).press("Enter");
  await expect(wrong.locator("dd.source")).toHaveText(source ?? "");
  const [target, output] = [
    await wrong.locator("dd").nth(1).textContent(),
    await wrong.locator("dd").nth(2).textContent(),
  ];
  expect(output?.replaceAll("(wrong)", "").trim()).not.toBe(target);
  await wrong.getByRole("button", { name: "Take this text up above" }).click();
  await expect(reader.box).toHaveValue(source ?? "");
  // The model with attention gets the very same text right.
  await expect(reader.verdict).toHaveText("Right: all 2 dates.");
});

test("progress is shown, a measurement is paused, goes on, and is cancelled", async ({ page, open }) => {
  const reader = await open("#bottleneck-meter");
  const { meter, start, rows } = parts(reader);
  const done = async () =>
    Number(
      ((await meter.locator(".measuring").textContent()) ?? "").match(/([\d,]+) of 2,000/)?.[1]?.replace(",", "") ?? -1,
    );
  await start.click();
  await expect.poll(done).toBeGreaterThanOrEqual(0);
  await meter.getByRole("button", { name: "Pause" }).click();
  await expect(meter.locator(".measuring")).toContainText("paused");
  // What was under way comes in; then nothing moves.
  await page.waitForTimeout(1500);
  const held = await done();
  await page.waitForTimeout(700);
  expect(await done()).toBe(held);
  expect(held).toBeLessThan(2000);
  await meter.getByRole("button", { name: "Go on" }).click();
  await expect.poll(done).not.toBe(held);
  await meter.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await expect(meter.locator(".alert")).toHaveCount(0);
  await start.click();
  await expect(rows).toHaveCount(2, { timeout: 40_000 });
});

test("before the lab it waits behind a click of its own", async ({ page, open }) => {
  const reader = await open("?lab=before#bottleneck-meter");
  const { start } = parts(reader);
  await page.getByRole("button", { name: "Measure exact match by K (Exercise 2 asks you to predict it)" }).click();
  await expect(start).toBeVisible();
});
