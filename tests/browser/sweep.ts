// One sweep for every figure: at a phone's and a desk's width, light and dark, nothing is cut off and axe finds nothing.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

export const WIDTHS = [360, 1440] as const;
export const THEMES = ["light", "dark"] as const;

/** Looks at what `selector` names in every width and theme; `settle` waits until it shows what it should. */
export async function sweep(page: Page, selector: string, settle: () => Promise<void>) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await settle();
      const { violations } = await new AxeBuilder({ page }).include(selector).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
      expect(found, `${selector} at ${width} px, ${colorScheme}`).toEqual([]);
      const cut = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(cut, `${selector} at ${width} px: the page scrolls sideways`).toBeLessThanOrEqual(0);
    }
  }
}
