// Section 1 in the browser: the factors of Eq. 1 for the visitor's own text, by keys, pointer and touch alike.
import { expect, test } from "./fixtures.ts";
import { sweep } from "./sweep.ts";

const TWO = "July 24, 2041; February 14, 1914";
const list = "#factors [role=listbox]";

test("the showcase has eleven factors, whose product has the answer's log-probability", async ({ page, open }) => {
  await open("#factors");
  const demo = page.locator("sa-factors");
  await expect(demo).toContainText("12 characters in, 10 characters out.");
  await expect(demo).toContainText("S\u00a0=\u00a012 and T\u00a0=\u00a011: 11 factors. K\u00a0=\u00a01 date.");
  await expect(demo).toContainText(
    "The year 2021 is at 9–12 in the source and at 1–4 in the target: it goes to the front.",
  );
  await expect(demo.getByRole("option")).toHaveCount(11);
  const factors = await demo.evaluate(
    (element) =>
      (element as unknown as { shown: { factors: { probability: number; product: number }[] } }).shown.factors,
  );
  const product = factors.reduce((all, { probability }) => all * probability, 1);
  expect(factors.at(-1)?.product).toBeCloseTo(product, 12);
  await expect(demo).toContainText(`log P(y | x) = ${Math.log(product).toFixed(4).replace("-", "\u2212")} nats`);
  await expect(page.locator(".stage")).toContainText(Math.log(product).toFixed(4).replace("-", "\u2212"));
});

test("@slow keys, a pointer and a finger show the same factor in the same words", async ({ browser, page, open }) => {
  await open("#factors");
  const demo = page.locator("sa-factors");
  const spelled = demo.locator(".spelled");
  await page.locator(list).focus();
  await page.keyboard.press("ArrowDown");
  await expect(spelled).toHaveText(
    /P\(0 \| 2, x\) [=>] 0\.9999\d\d\s+Factor 2 of 11: given the whole source and the 1 token/,
  );
  await expect(page.locator(list)).toHaveAttribute("aria-activedescendant", "factor-1");
  await expect(demo.locator("#factor-1")).toHaveAttribute("aria-selected", "true");
  await expect.poll(() => page.url()).toContain("factors.step=1");
  const byKey = await spelled.textContent();
  await page.keyboard.press("End");
  await expect(spelled).toContainText("P(<eos> | 2021-03-03, x)");
  await page.keyboard.press("ArrowDown");
  await expect(spelled).toContainText("Factor 11 of 11");
  await page.keyboard.press("Home");
  await expect(spelled).toContainText("P(2 | x)");
  await demo.locator("#factor-1").hover();
  expect(await spelled.textContent()).toBe(byKey);

  const context = await browser.newContext({ hasTouch: true, viewport: { width: 360, height: 800 } });
  const phone = await context.newPage();
  await phone.goto(page.url().replace(/[?#].*$/, "#factors"));
  const row = phone.locator("sa-factors #factor-1");
  await row.scrollIntoViewIfNeeded();
  await row.tap();
  await expect(phone.locator("sa-factors .spelled")).toHaveText(byKey ?? "");
  await context.close();
});

test("@slow on a projector the figure grows with the text, and points at the same rows", async ({
  page,
  open,
  site,
}) => {
  await open("#factors");
  const row = page.locator("sa-factors #factor-6");
  const before = await row.boundingBox();
  await page.goto(`${(await site()).url}?present=factors`);
  await row.hover();
  await expect(page.locator("sa-factors .spelled")).toContainText("Factor 7 of 11");
  expect((await row.boundingBox())!.height).toBeGreaterThan(1.2 * before!.height);
});

test("another text, another model: the demo follows the page", async ({ page, open }) => {
  const reader = await open("#factors");
  const demo = page.locator("sa-factors");
  await expect(demo).toContainText("11 factors");
  await reader.box.fill(TWO);
  await expect(demo).toContainText("S\u00a0=\u00a032 and T\u00a0=\u00a022: 22 factors. K\u00a0=\u00a02 dates.");
  await page.getByLabel("Model", { exact: true }).selectOption("plain");
  await expect
    .poll(() =>
      demo.evaluate(
        (element) => (element as unknown as { shown: { decoding: { model: string } } }).shown.decoding.model,
      ),
    )
    .toBe("plain");
  await reader.box.fill("2021/3/3");
  await expect(demo).toContainText("8 characters in, 10 characters out.");
});

test("@slow before the lab the plain model's factors wait for a click, the attention model's for one date do not", async ({
  page,
  open,
}) => {
  const reader = await open("?lab=before#factors");
  const demo = page.locator("sa-factors");
  await expect(demo).toContainText("11 factors");
  await reader.box.fill(TWO);
  const attention = demo.getByRole("button", { name: /Show the attention model/ });
  await expect(attention).toBeVisible();
  await expect(demo.getByRole("option")).toHaveCount(0);
  await expect(demo.getByRole("button", { name: "CSV" })).toHaveCount(0);
  await attention.click();
  await expect(demo.getByRole("option")).toHaveCount(22);
  await page.reload();
  await page.getByLabel("Model", { exact: true }).selectOption("plain");
  await expect(demo.getByRole("button", { name: /Show the plain model/ })).toBeVisible();
});

test("@slow four hundred characters scroll in boxes of their own, which follow the step", async ({ page, open }) => {
  const text = "3 March 2021, ".repeat(30).slice(0, 400);
  await open(`?text=${encodeURIComponent(text)}#factors`);
  const demo = page.locator("sa-factors");
  await expect(demo).toContainText("400 characters in");
  await page.locator(list).focus();
  await page.keyboard.press("End");
  const last = demo.getByRole("option").last();
  await expect(last).toHaveAttribute("aria-selected", "true");
  const [row, box] = [await last.boundingBox(), await page.locator(list).boundingBox()];
  expect(row!.y + row!.height).toBeLessThanOrEqual(box!.y + box!.height + 1);
  const cut = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(cut).toBeLessThanOrEqual(0);
});

test.describe("a program that does not come", () => {
  test.use({ tolerated: [/Failed to load resource|dynamically imported module/] });
  test("leaves the factors of the showcase as a still figure", async ({ page, site }) => {
    await page.route(/factors-.*\.js/, (route) => route.abort());
    await page.goto((await site()).url);
    const still = page.locator("sa-factors figure svg");
    await expect(still).toHaveAttribute(
      "aria-label",
      /The 11 factors of Eq. 1 for 3 March 2021, whose target is 2021-03-03/,
    );
    await expect(still.locator(".bar")).toHaveCount(11);
  });
});

test("section 1 at every width and theme @slow", async ({ page, open }) => {
  await open("?factors.step=4#transduction");
  const settle = async () => {
    await page.locator("sa-factors").scrollIntoViewIfNeeded();
    await expect(page.locator("sa-factors .spelled")).toContainText("Factor 5 of 11");
  };
  await sweep(page, "#transduction", settle);
});
