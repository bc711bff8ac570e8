// The frame around the demos: addresses that restore, guesses, checks, terms, contents, the lab's reticence, a demo alone.
import { readFileSync } from "node:fs";
import { elements } from "../../web/src/demos/elements.ts";
import { checks } from "../../web/src/page/messages.ts";
import { expect, test } from "./fixtures.ts";

test("a demo's state goes into the address and comes back from it", async ({ page, open }) => {
  await open("#bottleneck");
  const slider = page.locator("sa-path-length").getByRole("slider");
  await page.locator("sa-path-length").scrollIntoViewIfNeeded();
  await slider.focus();
  for (let k = 0; k < 4; ++k) await page.keyboard.press("ArrowRight");
  await expect(page.locator("sa-path-length")).toContainText("S: 27 steps. 2S: 43 steps.");
  await expect.poll(() => page.url()).toContain("path-length.S=16");
  expect(page.url()).toContain("#bottleneck");
  await page.reload();
  await expect(page.locator("sa-path-length")).toContainText("S: 27 steps. 2S: 43 steps.");
  await page.locator("sa-path-length").getByRole("button", { name: "Reset" }).click();
  await expect(page.locator("sa-path-length")).toContainText("S: 23 steps. 2S: 35 steps.");
  await expect.poll(() => page.url()).not.toContain("path-length");
});

test("what an address cannot mean counts as the usual", async ({ page, open }) => {
  await open("?path-length.S=many&path-length.attention=perhaps&bottleneck-meter.shows=%3Cb%3E#bottleneck");
  await expect(page.locator("sa-path-length")).toContainText("S: 23 steps. 2S: 35 steps.");
});

test("an address means the same whatever its capitals, and a name that no demo has is answered", async ({
  page,
  open,
}) => {
  await open("?path-length.s=16&present=nothing#path-length");
  const demo = page.locator("sa-path-length");
  await expect(demo).toContainText("S: 27 steps. 2S: 43 steps.");
  await expect(page.getByRole("alert").first()).toHaveText(
    /^There is no demo “nothing”\. There are: factors, .*alignment\.$/,
  );
  await demo.getByRole("slider").focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.url()).toContain("path-length.S=17");
  expect(page.url()).not.toContain("path-length.s=");
});

test("questions and figures have their room before they are alive", async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open();
  const height = (id: string) => page.evaluate((name) => document.getElementById(name)?.offsetHeight ?? 0, id);
  const ids = ["check-first-to-know", "alignment"];
  expect(await page.evaluate(() => customElements.get("sa-alignment") === undefined)).toBe(true);
  await expect(page.locator("#check-first-to-know")).toContainText(checks["first-to-know"].prompt);
  const before = await Promise.all(ids.map(height));
  await page.locator("#alignment").scrollIntoViewIfNeeded();
  await expect(page.locator("#alignment .rates")).toBeAttached();
  await page.locator("#check-first-to-know").scrollIntoViewIfNeeded();
  await expect(page.locator("#check-first-to-know form")).toBeAttached();
  for (const [k, id] of ids.entries()) {
    expect(Math.abs((await height(id)) - (before[k] ?? 0)), id).toBeLessThan(24);
  }
});

test("there is a way back from what was chosen, and what was slid comes along", async ({ page, open }) => {
  const reader = await open("?path-length.S=16");
  await reader.box.fill("4 May 2022");
  await page.getByLabel("Model", { exact: true }).selectOption("general");
  await expect.poll(() => page.url()).toContain("model=general");
  await page.locator("sa-path-length").scrollIntoViewIfNeeded();
  await page.locator("sa-path-length").getByRole("slider").focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.url()).toContain("path-length.S=17");
  await page.locator("#text").focus();
  await page.getByRole("button", { name: "Back to 3 March 2021" }).click();
  await expect(reader.box).toHaveValue("3 March 2021");
  await page.goBack();
  await expect(reader.box).toHaveValue("4 May 2022");
  await expect(page.locator("sa-path-length")).toContainText("S: 28 steps");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("general");
  await page.goBack();
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("dot");
  await expect(reader.box).toHaveValue("4 May 2022");
  await expect(page.locator("sa-path-length")).toContainText("S: 27 steps");
  await expect(reader.answer).toHaveText("2022-05-04");
  await page.goForward();
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("general");
});

test("twice the source: as many values, 2S + T steps; with attention S times as many values, one step", async ({
  page,
  open,
}) => {
  await open("#path-length");
  const demo = page.locator("sa-path-length");
  await expect(demo).toContainText("S: 128 values. 2S: 128 values, no change.");
  await demo.getByLabel("with attention").check();
  await expect(demo).toContainText("S: 1,536 values. 2S: 3,072 values.");
  await expect(demo).toContainText("S: 1 step. 2S: 1 step, no change.");
});

test("a guess is asked for, checked, remembered over a reload, and can be changed", async ({ page, open }) => {
  await open("#predict-exact-match");
  const card = page.locator("sa-prediction#predict-exact-match");
  const guess = card.getByRole("button", { name: "That is my guess" });
  await guess.click();
  await expect(card.getByRole("status")).toHaveText("Every field needs a number from 0 to 1.");
  for (const [K, share] of ["0.9", "0.5", "0.2", "0.1"].entries()) await card.getByLabel(`K = ${K + 1}`).fill(share);
  await guess.press("Enter");
  const remembered = "Your guess: K = 1: 0.9, K = 2: 0.5, K = 3: 0.2, K = 4: 0.1";
  await expect(card).toContainText(remembered);
  await expect.poll(() => page.url()).toContain("predict-exact-match.guess=");
  await page.reload();
  await expect(card).toContainText(remembered);
  await card.getByRole("button", { name: "Change the guess" }).click();
  await expect(card.getByLabel("K = 2")).toHaveValue("0.5");
});

test("a check takes an answer before it gives one, and says why, by keyboard alone", async ({ page, open }) => {
  await open("#check-steps");
  const check = page.locator("sa-check#check-steps");
  const button = check.getByRole("button", { name: "Answer" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(check).toContainText("Choose one first.");
  await expect(check).not.toContainText("optimisation");
  await check.getByRole("radio").first().focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(check).toContainText("Not “Still S + T”. The answer: 2S + T.");
  await expect(check).toContainText("the problem of optimisation");
  await check.getByRole("radio").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(check).toContainText("Right.");
});

test("@slow a term says what it means at Enter, and Escape puts it away", async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 700 });
  await open("#bottleneck");
  const term = page.locator("sa-term", { hasText: "exact match" });
  await term.scrollIntoViewIfNeeded();
  await term.getByRole("button").focus();
  await page.keyboard.press("Enter");
  const meaning = term.getByText("equal the right answer in every character");
  await expect(meaning).toBeVisible();
  const box = await meaning.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360);
  await page.keyboard.press("Escape");
  await expect(meaning).toBeHidden();
});

test("the contents follow the reader", async ({ page, open }) => {
  await open();
  await page
    .getByRole("navigation", { name: "Contents" })
    .getByRole("link", { name: /bottleneck/ })
    .click();
  await expect(page.locator(".contents [aria-current]")).toHaveText(/bottleneck/);
  expect(page.url()).toContain("#bottleneck");
});

test("@slow one demo alone, large, and the way back", async ({ page, open }) => {
  await open();
  const before = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).fontSize));
  await page.goto(`${page.url()}?path-length.T=20`);
  await page.locator("sa-path-length").scrollIntoViewIfNeeded();
  await page.locator("sa-path-length").getByRole("button", { name: "Present alone" }).click();
  await expect(page).toHaveURL(/\?path-length\.T=20&present=path-length$/);
  await expect(page.locator("sa-path-length")).toContainText("S: 23 steps");
  expect(await page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).fontSize))).toBeGreaterThan(
    before,
  );
  for (const away of [".stage", ".contents", "sa-check", "sa-bottleneck-meter", "footer"]) {
    for (const each of await page.locator(away).all()) await expect(each).toBeHidden();
  }
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^What a longer source costs/);
  const leave = page.getByRole("link", { name: "Leave the presentation" });
  expect((await leave.boundingBox())?.y).toBeLessThan(60);
  await expect(page.locator("sa-path-length").getByRole("button", { name: "PNG" })).toBeHidden();
  await leave.click();
  await expect(page.locator(".contents")).toBeVisible();
  expect(page.url()).not.toContain("present");
});

for (const [width, height] of [
  [1440, 900],
  [360, 700],
] as const) {
  test(`@slow every demo alone at ${width} px: nothing scrolls sideways, and the bar is slim`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height });
    const { url } = await site();
    for (const name of Object.keys(elements)) {
      await page.goto(`${url}?present=${name}`);
      await expect(page.locator(`${name} .figure`).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(width);
      if (width > 1000) {
        expect(await page.evaluate(() => document.querySelector<HTMLElement>(".sticky")?.offsetHeight)).toBeLessThan(
          70,
        );
      }
    }
  });
}

test("before the lab no result stands in the text, and no demo shows one", async ({ page, open }) => {
  await open("?lab=before");
  await expect(page.locator(".after-lab").first()).toBeHidden();
  for (const text of await page.locator(".after-lab").all()) await expect(text).toBeHidden();
  for (const result of [".898", "0.996"]) {
    await expect(page.locator("main")).not.toContainText(result, { useInnerText: true });
  }
  const meter = page.locator("sa-bottleneck-meter");
  await meter.scrollIntoViewIfNeeded();
  await expect(meter.getByRole("button", { name: /Measure exact match by K/ })).toBeVisible();
  await expect(meter.locator("svg.result, .recorded")).toHaveCount(0);
});

test("@slow figures are saved as SVG, PNG and CSV", async ({ page, open }) => {
  await open("#path-length");
  const demo = page.locator("sa-path-length");
  await expect(demo).toContainText("S: 23 steps");
  const saved = async (kind: string) => {
    const coming = page.waitForEvent("download");
    await demo.getByRole("button", { name: kind, exact: true }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe(`softalign-path-length.${kind.toLowerCase()}`);
    return readFileSync(await download.path());
  };
  const svg = (await saved("SVG")).toString();
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(svg).toContain(">2S</text>");
  expect(svg).toMatch(/>Values that reach the decoder<\/text>/);
  expect(svg).toMatch(/>What a longer source costs: .*softalign<\/text>/);
  expect(svg).not.toMatch(/\s(class|style)=|var\(/);
  const parsed = await page.evaluate(
    (text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror").length,
    svg,
  );
  expect(parsed).toBe(0);
  const png = await saved("PNG");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect(png.readUInt32BE(16)).toBeGreaterThan(600);
  const lines = (await saved("CSV")).toString().split("\r\n");
  expect(lines.slice(0, 3)).toEqual(["S,T,attention,values,steps", "12,11,off,128,23", "12,11,on,1536,1"]);
});

test("@slow a picture has its legend's words, and none of a chart that is still empty", async ({ page, open }) => {
  await open("?predict-untrained-loss.guess=2.7#token-loss");
  const save = async (demo: string) => {
    const coming = page.waitForEvent("download");
    await page.locator(demo).getByRole("button", { name: "SVG", exact: true }).click();
    return readFileSync(await (await coming).path()).toString();
  };
  await expect(page.locator("sa-token-loss .figure")).toBeVisible();
  const svg = await save("sa-token-loss");
  expect(svg).toContain(">untrained, seed 0</text>");
  expect(svg.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).toContain("Text: 3 March 2021. Model: dot. softalign");
  await page.locator("sa-alignment").scrollIntoViewIfNeeded();
  await expect(page.locator("sa-alignment .rates")).toContainText("Nothing measured yet");
  const map = await save("sa-alignment");
  expect(map).toContain(">still counts</text>");
  expect(map).not.toContain("Nothing measured yet");
  expect(map).not.toContain("by chance");
});

test.describe("a program that does not come", () => {
  test.use({ tolerated: [/Failed to load resource|dynamically imported module/] });
  test("leaves the still figure that the page was served with", async ({ page, open }) => {
    await page.route(/path-length-.*\.js/, (route) => route.abort());
    await open("#path-length");
    await expect(page.locator("sa-path-length figure").first()).toContainText("S: 128 values. 2S: 128 values");
    expect(await page.evaluate(() => customElements.get("sa-path-length") === undefined)).toBe(true);
  });
});
