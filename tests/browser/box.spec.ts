// The box of the text: letters that the model does not know are underlined in it, wherever it has scrolled to.
import { expect, test } from "./fixtures.ts";

const marks = ".mirror .off";

test("an unknown letter is underlined in the box, with a sentence that the box points to", async ({ page, open }) => {
  const reader = await open();
  await expect(page.locator(".mirror")).toHaveCount(0);
  await reader.read("13 Jul 1914");
  await reader.box.fill("3 Määrz 2021");
  await expect(page.locator(marks)).toHaveText(["ä", "ä", "z"]);
  await expect(page.locator(".mirror")).toHaveText("3 Määrz 2021");
  const decoration = await page
    .locator(marks)
    .first()
    .evaluate((letter) => getComputedStyle(letter).textDecorationLine);
  expect(decoration).toBe("underline");
  const described = await reader.box.getAttribute("aria-describedby");
  await expect(page.locator(`#${described}`)).toContainText('The model has no letter "z"; it is skipped (position 7).');
  await reader.box.fill("3 Mar 2021");
  await expect(page.locator(".mirror")).toHaveCount(0);
});

test("the layer under the box has its letters in the very same places", async ({ page, open }) => {
  const reader = await open("?text=3%20M%C3%A4rz%202021");
  await expect(page.locator(marks)).toHaveCount(2);
  const style = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { font, letterSpacing, paddingLeft, borderLeftWidth, fontVariantLigatures } = getComputedStyle(element);
      const { x, y, width, height } = element.getBoundingClientRect();
      return { font, letterSpacing, paddingLeft, borderLeftWidth, fontVariantLigatures, x, y, width, height };
    });
  expect(await style(".mirror")).toEqual(await style("#text"));
  // The letters of the box are of one width, so its place for letter 4 is known.
  const letter = await page.locator(marks).first().boundingBox();
  const box = await reader.box.evaluate((input) => {
    const { paddingLeft, borderLeftWidth } = getComputedStyle(input);
    return input.getBoundingClientRect().x + Number.parseFloat(paddingLeft) + Number.parseFloat(borderLeftWidth);
  });
  expect(letter?.x).toBeCloseTo(box + 3 * (letter?.width ?? 0), 0);
});

test("it scrolls with the box", async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const reader = await open();
  await reader.box.fill("3 January 1998; July 4, 2031; 2021/3/3; 12 August 20\u00e477");
  await expect(page.locator(marks)).toHaveCount(1);
  await reader.box.press("End");
  const scrolls = () =>
    page.evaluate(() => ["#text", ".mirror"].map((selector) => document.querySelector(selector)?.scrollLeft ?? -1));
  await expect.poll(async () => (await scrolls())[0]).toBeGreaterThan(50);
  await expect.poll(async () => Math.abs(((await scrolls())[0] ?? 0) - ((await scrolls())[1] ?? 99))).toBeLessThan(2);
  const [letter, box] = [await page.locator(marks).boundingBox(), await reader.box.boundingBox()];
  expect(letter?.x).toBeGreaterThan(box?.x ?? Infinity);
  expect((letter?.x ?? 0) + (letter?.width ?? 0)).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0));
  await reader.box.press("Home");
  await expect.poll(scrolls).toEqual([0, 0]);
});

test("a text that says nothing to the model is underlined as a whole", async ({ page, open }) => {
  const reader = await open();
  await reader.box.fill("日本");
  await expect(page.locator(marks)).toHaveText(["日", "本"]);
  const described = await reader.box.getAttribute("aria-describedby");
  await expect(page.locator(`#${described}`)).toHaveAttribute("data-code", "EMPTY");
});
