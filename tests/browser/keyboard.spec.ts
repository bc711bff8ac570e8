// Everything that the page offers, done without a mouse.
import { expect, test } from "./fixtures.ts";

test("a visitor with a keyboard alone reaches and does it all", async ({ page, open }) => {
  const reader = await open();
  await expect(reader.other).toHaveText(/\d/);
  const focused = () =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
    });
  /** Presses Tab until the focus is on what is called so. */
  const tabTo = async (name: RegExp) => {
    for (let k = 0; k < 60; ++k) {
      await page.keyboard.press("Tab");
      if (name.test(await focused())) return;
    }
    throw new Error(`Tab never reached ${name}`);
  };

  // 1 and 2: type a text, and go back to the first.
  await page.keyboard.press("Tab");
  await expect(reader.box).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("13 Jul 1914");
  await expect.poll(async () => (await reader.mapData()).source).toBe("13 Jul 1914");
  await tabTo(/^Back to 3 March 2021$/);
  await page.keyboard.press("Enter");
  await expect(reader.box).toBeFocused();

  // 3 and 4: a test example, and its neighbour.
  await tabTo(/^A random test example with 2 dates$/);
  await page.keyboard.press("Enter");
  const number = page.locator("sa-sample-picker .number");
  await expect(number).toHaveText(/of 500/);
  const first = await number.textContent();
  await tabTo(/^Next test example$/);
  await page.keyboard.press(" ");
  await expect(number).not.toHaveText(first ?? "");

  // 5 and 6: the model, and back; the one beside changes places with it.
  await page.getByLabel("Model", { exact: true }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText("This model has no attention")).toBeVisible();
  await expect(page.getByLabel("beside", { exact: true })).toHaveValue("dot");
  await page.keyboard.press("ArrowUp");
  await expect(reader.map).toBeVisible();

  // 7 and 8: a cell, kept on show, and let go.
  await tabTo(/^Attention map:/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/cell=2-/);
  await expect(reader.explanation.locator(".place")).toContainText("row 2 writes");
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/cell=/);

  // 9 to 11: the table, the probabilities; by the contents to section 3 and a measurement that is cancelled.
  await tabTo(/^Show as a table$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Attention weights as a table" })).toBeVisible();
  await tabTo(/^The probability of every character/);
  await page.keyboard.press("Enter");
  await expect(page.locator("sa-probability-table td").first()).toBeVisible();
  await tabTo(/^3\. The fixed-vector bottleneck$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Measure on 2,000 texts" })).toBeVisible();
  await tabTo(/^Measure on 2,000 texts$/);
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("Cancel");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("Measure on 2,000 texts");
  await expect(page.locator("sa-bottleneck-meter tbody tr")).toHaveCount(0);
});
