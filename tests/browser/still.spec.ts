// The picture that the page is served with: there before any script, kept when the model does not come, moved by nothing.
import type { Page } from "@playwright/test";
import { expect, Reader, test } from "./fixtures.ts";

const picture = ".still-map";

test.describe("with scripts off", () => {
  test.use({ javaScriptEnabled: false });

  test("the map of 3 March 2021 and its table can be read", async ({ page, site }) => {
    await page.goto((await site()).url);
    await expect(page.locator("main > noscript p")).toBeVisible();
    const check = page.locator("#check-steps");
    await expect(check).toContainText("Still S + T");
    await expect(check.locator("details p")).toBeHidden();
    await check.locator("summary").click();
    await expect(check.locator("details p")).toBeVisible();
    await expect(check.locator("details p")).toHaveText(/^2S \+ T\. /);
    await expect(page.locator(".line output")).toHaveText(/^\d{4}-\d\d-\d\d$/);
    await expect(page.locator(picture)).toBeVisible();
    expect(await page.locator(`${picture} .cells rect`).count()).toBeGreaterThanOrEqual(11 * 12);
    await expect(page.locator(`${picture} text.column`)).toHaveCount(12);
    await page.getByText("The same numbers as a table").click();
    const table = page.locator(picture).getByRole("table");
    await expect(table).toBeVisible();
    await expect(table.getByRole("columnheader")).toHaveCount(1 + 12);
    const numbers = (await table.getByRole("cell").allTextContents()).map(Number);
    for (let t = 0; t < numbers.length / 12; ++t) {
      const sum = numbers.slice(12 * t, 12 * (t + 1)).reduce((total, weight) => total + weight, 0);
      expect(Math.abs(sum - 1)).toBeLessThan(0.01);
    }
    await expect(page.locator("input")).toBeHidden();
  });
});

test("it holds the numbers of the live map that takes its place", async ({ page, site }) => {
  const { url } = await site();
  const served = await (await page.request.get(url)).text();
  const still = [...served.matchAll(/<td>([\d.]+)</g)].map(([, number]) => number);
  await page.goto(url);
  const reader = new Reader(page);
  await reader.ready();
  expect(still).toEqual((await reader.mapData()).alpha.map((weight) => weight.toFixed(3)));
  await expect(page.locator(picture)).toHaveCount(0);
});

test("while another text waits for the model, it is called what it is", async ({ page, site }) => {
  await page.route(/dot[^/]*safetensors/, () => {});
  await page.goto(`${(await site()).url}?text=13%20Jul%201914`);
  await expect(page.locator("#text")).toHaveValue("13 Jul 1914");
  await expect(page.locator(picture)).toBeVisible();
  await expect(
    page.getByText("a still picture of what the model with dot attention reads in “3 March 2021”"),
  ).toBeVisible();
});

/** Notes every shift of the layout that no one caused, from the first paint on. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
}

for (const width of [320, 360, 768, 1000, 1440]) {
  test(`the live map takes its place without moving anything, ${width} px`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 900 });
    await watchShifts(page);
    let send = () => {};
    const held = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route(/dot[^/]*safetensors/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto((await site()).url);
    await expect(page.locator(".loading").first()).toContainText("dot attention");
    await expect(page.locator(picture)).toBeVisible();
    const before = await page.locator(`${picture} .rows`).boundingBox();
    send();
    const reader = new Reader(page);
    await reader.ready();
    await expect(reader.other).toHaveText(/\d/);
    const after = await reader.map.locator("svg.rows").boundingBox();
    // Only an answer of several dates, or a note, may be taller than the room kept for it.
    const grown = await page.evaluate(() => {
      const height = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().height ?? 0;
      return { line: height(".line"), notes: height(".notes") };
    });
    expect(after?.x).toBeCloseTo(before?.x ?? -1, 0);
    expect(grown.line).toBeGreaterThan(0);
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05);
  });
}

test.describe("when the module does not come", () => {
  test.use({ tolerated: [/status of 404/] });

  test("it is shown, with the reason", async ({ page, site }) => {
    await page.goto((await site({ broken: { ".wasm": 404 } })).url);
    await expect(page.getByRole("alert")).toContainText("404");
    await expect(page.locator(picture)).toBeVisible();
    await expect(page.getByText("still picture of what the model with dot attention reads")).toBeVisible();
  });

  test("before the lab it stays out of sight", async ({ page, site }) => {
    await page.goto(`${(await site({ broken: { ".wasm": 404 } })).url}?lab=before`);
    await expect(page.getByRole("alert")).toContainText("404");
    await expect(page.locator(picture)).toHaveCount(0);
  });
});

test.describe("in a sandboxed frame that is refused the stylesheet and the program", () => {
  test.use({ tolerated: [/CORS policy|net::ERR_FAILED/] });

  for (const [query, seen] of [
    ["", true],
    ["?lab=before", false],
  ] as const) {
    test(`answer and map are ${seen ? "shown" : "out of sight before the lab"}`, async ({ page, site }) => {
      const { origin } = await site({
        prefix: "/course/",
        headers: { "content-security-policy": "default-src 'self'" },
        pages: {
          "/host": `<!doctype html><title>course</title><iframe sandbox="allow-scripts" src="/course/${query}"></iframe>`,
          "/favicon.ico": "",
        },
      });
      await page.goto(`${origin}/host`);
      const frame = page.frameLocator("iframe");
      await expect(frame.getByText("The page’s program has not arrived.")).toBeVisible();
      // The browser's own margin: no stylesheet of the page's has come.
      await expect(frame.locator("body")).toHaveCSS("margin-top", "8px");
      for (const result of [".line output", picture, `${picture} summary`]) {
        await expect(frame.locator(result)).toBeVisible({ visible: seen });
      }
    });
  }
});

test("where WebAssembly is missing it is shown, with the reason", async ({ page, site }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "WebAssembly");
    // A worker would have one of its own.
    Reflect.deleteProperty(window, "Worker");
  });
  await page.goto((await site()).url);
  await expect(page.getByRole("alert")).toContainText("This browser did not start the WebAssembly module");
  await expect(page.locator(picture)).toBeVisible();
});
