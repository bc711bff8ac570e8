// Section 2 in the browser: the unrolled network, teacher forcing with a token that is made wrong, and the loss token by token.
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { sweep } from "./sweep.ts";

const network = (page: Page) => page.locator("#encoder-decoder .network");
const words = (page: Page) => page.locator("#encoder-decoder .words");
const TWO = "July 24, 2041; February 14, 1914";

test("the network is drawn with the text's own characters, and stepped by keys and buttons", async ({ page, open }) => {
  await open("#encoder-decoder");
  const demo = page.locator("sa-encoder-decoder");
  await expect(demo.locator(".demo text.name.source")).toHaveText(Array.from({ length: 12 }, (_, i) => `h${i + 1}`));
  await expect(demo.locator(".demo text.glyph.source")).toHaveText([..."3\u2423March\u24232021"]);
  await expect(words(page)).toHaveText(/^At step 1 the decoder’s input is the embedding of <bos>, the start token\./);
  await network(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(words(page)).toHaveText(
    /^At step 2 the decoder’s input is the embedding of 2, the correct token of step 1\./,
  );
  await demo.getByRole("button", { name: "Next step" }).click();
  await expect(words(page)).toContainText("At step 3 the decoder’s input is the embedding of 0");
  await expect.poll(() => page.url()).toContain("encoder-decoder.step=3");
  await network(page).focus();
  await page.keyboard.press("End");
  await expect(demo.getByRole("button", { name: "Next step" })).toBeDisabled();
  await expect(words(page)).toContainText("It predicts <eos>");
  await page.keyboard.press("Home");
  await expect(words(page)).toContainText("The encoder has read 12 characters.");
  await expect(words(page)).toContainText("128 numbers");
  await network(page)
    .locator("rect.state")
    .nth(12 + 4)
    .click({ force: true });
  await expect(words(page)).toContainText("At step 5");
  await demo.getByRole("button", { name: "Next step" }).click();
  await expect(words(page)).toContainText("At step 6 the decoder’s input is the embedding of the hyphen");
});

test("a wrong prediction is not fed on with teacher forcing, and is without", async ({ page, open }) => {
  await open("#encoder-decoder");
  const demo = page.locator("sa-encoder-decoder");
  await demo.getByRole("button", { name: "Make it predict 7 at step 2" }).click();
  await expect(words(page)).toHaveText(
    /^At step 3 the decoder’s input is the embedding of 0, the correct token of step 2, although 7 was predicted there\./,
  );
  await expect(demo).toContainText(
    "one pass gives all 11 losses. What was predicted at step 2 changes nothing after it.",
  );
  await demo.getByLabel("teacher forcing").uncheck();
  await expect(words(page)).toHaveText(
    /^At step 3 the decoder’s input is the embedding of 7, its own prediction of step 2, although 0 is correct\./,
  );
  // The real model goes on from it.
  const written = await demo.evaluate(
    (element) => (element as unknown as { shown: { free: { output: string } } }).shown.free.output,
  );
  expect(written).toMatch(/^27/);
  await expect(demo).toContainText(`it writes ${written} instead of 2021-03-03.`);
  await expect.poll(() => page.url()).toContain("encoder-decoder.forcing=off");
  await page.reload();
  await demo.scrollIntoViewIfNeeded();
  await expect(words(page)).toContainText("the embedding of 7");
  await demo.getByLabel("make it predict").selectOption("5");
  await expect(words(page)).toContainText("the embedding of 5");
  await demo.getByLabel("At step").fill("1");
  await page.keyboard.press("Enter");
  await expect(demo).toContainText("From step 1 on it goes on from the wrong token: it writes 5");
  await demo.getByRole("button", { name: "Reset" }).click();
  await expect(demo.getByLabel("teacher forcing")).toBeChecked();
  await expect(demo.locator(".demo rect.wrong")).toHaveCount(0);
});

test("without a reading of the text the model's own answer is forced, and that is said", async ({ page, open }) => {
  await open("?text=Marchmarch&model=dot#encoder-decoder");
  await expect(page.locator("sa-encoder-decoder")).toContainText(
    /the target here is the model’s own answer|there is no target/,
  );
});

test("@slow on a phone the network is turned, and a long one scrolls to its step", async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open(`?text=${encodeURIComponent(TWO)}#encoder-decoder`);
  await expect(page.locator("sa-encoder-decoder .demo text.name.source")).toHaveCount(32);
  const cue = page.locator("sa-encoder-decoder .cue");
  await expect(cue).toHaveText(/^\s*\u2191 \d+ more\s+\d+ more \u2193\s*$/);
  const picture = await network(page).locator("svg").boundingBox();
  expect(picture!.height).toBeGreaterThan(2 * picture!.width);
  await network(page).focus();
  await page.keyboard.press("End");
  await expect(words(page)).toContainText("At step 22");
  await expect(cue).toHaveText(/^\s*\u2191 \d+ more\s*$/);
  const [state, box] = await Promise.all([
    page.locator("sa-encoder-decoder .demo rect.state.now").boundingBox(),
    network(page).boundingBox(),
  ]);
  expect(state!.y).toBeGreaterThanOrEqual(box!.y);
  expect(state!.y + state!.height).toBeLessThanOrEqual(box!.y + box!.height);
});

test("@slow four hundred characters: the middle is left out, and said to be", async ({ page, open }) => {
  const text = "3 March 2021, ".repeat(30).slice(0, 400);
  await open(`?text=${encodeURIComponent(text)}#encoder-decoder`);
  const demo = page.locator("sa-encoder-decoder");
  await expect(demo).toContainText("280 states in the middle are not drawn.");
  await expect(demo.locator(".demo text.name.source")).toHaveCount(120);
});

test("an untrained model costs ln 15 a token, whatever the seed; a trained one next to nothing", async ({
  page,
  open,
}) => {
  await open("#token-loss");
  const demo = page.locator("sa-token-loss");
  // The prediction asks for it, so neither the picture nor the table answers before a guess.
  await expect(demo.locator("tr.trained")).toBeVisible();
  await expect(demo.locator(".demo rect.loss.untrained, .demo .even, tr.untrained")).toHaveCount(0);
  await expect(demo).not.toContainText("ln 15");
  await demo.getByRole("button", { name: "show it" }).click();
  const losses = () =>
    demo.evaluate((element) => {
      const { losses, seed } = (
        element as unknown as {
          shown: {
            seed: number;
            losses: Record<"trained" | "untrained", { loss: Float32Array; sum: number; mean: number }>;
          };
        }
      ).shown;
      const of = ({ loss, sum, mean }: { loss: Float32Array; sum: number; mean: number }) => ({
        loss: [...loss],
        sum,
        mean,
      });
      return { seed, trained: of(losses.trained), untrained: of(losses.untrained) };
    });
  await expect(demo).toContainText("an even guess, ln 15 each");
  await expect(demo).toContainText("29.79");
  const first = await losses();
  expect(first.untrained.loss).toHaveLength(11);
  expect(Math.abs(first.untrained.mean - Math.log(15))).toBeLessThan(0.35);
  expect(first.untrained.sum).toBeCloseTo(
    first.untrained.loss.reduce((sum, each) => sum + each, 0),
    3,
  );
  expect(first.untrained.mean).toBeCloseTo(first.untrained.sum / 11, 6);
  expect(first.trained.sum).toBeLessThan(0.05);
  await expect(demo.locator("tr.untrained")).toContainText(first.untrained.mean.toFixed(2));
  await demo.getByRole("button", { name: "Another seed" }).click();
  await expect.poll(async () => (await losses()).seed).toBe(1);
  const second = await losses();
  expect(second.untrained.loss).not.toEqual(first.untrained.loss);
  expect(second.trained).toEqual(first.trained);
  await expect.poll(() => page.url()).toContain("token-loss.seed=1");
  await demo.getByLabel("Seed of the untrained model").fill("0");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await losses()).untrained.loss).toEqual(first.untrained.loss);
});

test("the guess about the untrained loss meets the result", async ({ page, open }) => {
  await open("#predict-untrained-loss");
  const card = page.locator("#predict-untrained-loss");
  await card.getByRole("textbox").fill("1");
  await page.keyboard.press("Enter");
  await page.locator("sa-token-loss").scrollIntoViewIfNeeded();
  await expect(card).toContainText(/nats a token, summed over 11: \d\d\.\d/);
  await expect(page.locator("sa-token-loss tr.untrained")).toBeVisible();
});

test("@slow before the lab only the untrained model's losses are there for the plain model", async ({ page, open }) => {
  await open("?lab=before&model=plain#token-loss");
  const demo = page.locator("sa-token-loss");
  await demo.getByRole("button", { name: "show it" }).click();
  await expect(demo.locator(".demo rect.loss.untrained").first()).toBeVisible();
  await expect(demo.locator(".demo rect.loss.trained")).toHaveCount(0);
  await expect(demo).not.toContainText("trained: plain");
  await demo.getByRole("button", { name: /Show the plain model/ }).click();
  await expect(demo.locator("tr.trained")).toBeVisible();
  const other = page.locator("sa-encoder-decoder");
  await other.scrollIntoViewIfNeeded();
  await expect(other.getByRole("button", { name: /Show the plain model/ })).toBeVisible();
});

test("section 2 at every width and theme @slow", async ({ page, open }) => {
  await open("?predict-untrained-loss.guess=1&encoder-decoder.wrong=2:7&encoder-decoder.step=3#encoder-decoder-model");
  const settle = async () => {
    await page.locator("sa-encoder-decoder").scrollIntoViewIfNeeded();
    await expect(words(page)).toContainText("At step 3");
    await page.locator("sa-token-loss").scrollIntoViewIfNeeded();
    await expect(page.locator("sa-token-loss")).toContainText("29.79");
  };
  await sweep(page, "#encoder-decoder-model", settle);
});
