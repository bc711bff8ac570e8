// The report of `evaluate --html` and the picture of `decode --svg`, as a browser shows them: light, dark, narrow, printed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { contrast, LABEL_CONTRAST } from "../../web/src/draw/ramp.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = process.env.SOFTALIGN ?? join(root, "build/native/native/softalign");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let folder = "";
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "softalign-report-"));
  const make = (...args: string[]) => execFileSync(program, args, { cwd: root });
  make("evaluate", "--limit", "5", "--html", join(folder, "report.html"));
  make("decode", "--svg", join(folder, "map.svg"), "3 März 2021; 7 Aug 1975");
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a file; whatever else the page asks for is in the list. */
async function open(page: Page, file: string): Promise<string[]> {
  const url = pathToFileURL(join(folder, file)).href;
  const asked: string[] = [];
  page.on("request", (request) => request.url() !== url && asked.push(request.url()));
  page.on("console", (message) => asked.push(message.text()));
  await page.goto(url);
  return asked;
}

const hex = (colour: string) =>
  `#${(colour.match(/\d+/g) ?? []).map((channel) => Number(channel).toString(16).padStart(2, "0")).join("")}`;

/** The colours of each printed weight and of the cell before it. */
const printed = (page: Page) =>
  page.locator("svg.map text.weight").evaluateAll((texts) =>
    texts.map((text) => {
      const fill = (element: Element) => getComputedStyle(element).fill;
      return { ink: fill(text), ground: fill(text.previousElementSibling as Element) };
    }),
  );

async function expectReadable(page: Page) {
  const weights = await printed(page);
  expect(weights.length).toBeGreaterThan(10);
  for (const { ink, ground } of weights) expect(contrast(hex(ink), hex(ground))).toBeGreaterThanOrEqual(LABEL_CONTRAST);
}

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [360, 1280]) {
    test.describe(`${colorScheme}, ${width} wide`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } });

      test("the report is accessible, fits, and asks for nothing", async ({ page }) => {
        const asked = await open(page, "report.html");
        const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200))}`)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(hex(await background(page))).toBe(colorScheme === "light" ? "#faf8f4" : "#1a1815");
        await expectReadable(page);
        expect(asked).toEqual([]);
      });
    });
  }

test.describe("dark", () => {
  test.use({ colorScheme: "dark" });

  test("a picture is dark, and its numbers can be read", async ({ page }) => {
    expect(await open(page, "map.svg")).toEqual([]);
    await expect(page.locator("svg > rect").first()).toHaveCSS("fill", "rgb(26, 24, 21)");
    await expectReadable(page);
    await expect(page.locator("text.column.off")).toHaveText(["ä", "z"]);
  });

  test("paper is light", async ({ page }) => {
    await open(page, "report.html");
    await page.emulateMedia({ media: "print" });
    expect(hex(await background(page))).toBe("#faf8f4");
    await expectReadable(page);
    const tables = page.locator(".scroll");
    await expect(tables.first()).toHaveCSS("overflow-x", "visible");
    await expect(page.locator("nav")).toBeHidden();
  });
});
