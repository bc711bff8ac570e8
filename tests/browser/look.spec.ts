// How the page looks and to whom: accessibility, small screens, sharp drawing, light and dark, print, colours.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { contrast, LABEL_CONTRAST } from "../../web/src/draw/ramp.ts";
import { expect, test } from "./fixtures.ts";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function findings(page: Page) {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`,
  );
}

const states: [string, string, string?][] = [
  ["idle", ""],
  ["four dates", "?text=3%20January%201998;%20July%204,%202031;%202021/3/3;%2012%20August%202077"],
  ["notes", "?text=3%20M%C3%A4rz%202021"],
  ["error", "?text="],
  ["plain", "?model=plain&text=July%2024,%202041;%20February%2014,%201914"],
  ["before the lab", "?lab=before&text=July%2024,%202041;%20February%2014,%201914"],
];

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`axe, ${colorScheme}`, () => {
    test.use({ colorScheme });
    for (const [name, query] of states) {
      test(name, async ({ page, open }) => {
        await open(query);
        expect(await findings(page)).toEqual([]);
      });
    }

    test("everything open", async ({ page, open }) => {
      const reader = await open();
      await expect(reader.other).toHaveText(/\d/);
      await page.getByText("The probability of every character").click();
      await page.getByRole("button", { name: "Show as a table" }).click();
      await page.locator("sa-bottleneck-meter").scrollIntoViewIfNeeded();
      await page.getByRole("button", { name: "Measure on 2,000 texts" }).click();
      await expect(page.locator("sa-bottleneck-meter tbody tr")).toHaveCount(2, { timeout: 40_000 });
      await page.getByRole("button", { name: "A random test example with 2 dates" }).click();
      await page.setInputFiles("input[type=file]", { name: "bad.pt", mimeType: "", buffer: Buffer.from("PK") });
      await expect(page.locator(".models .alert")).toBeVisible();
      await page.setInputFiles("input[type=file]", "models/dot.safetensors");
      await page.getByLabel("beside", { exact: true }).selectOption("dot");
      await expect(reader.otherMap).toBeVisible();
      await reader.region.focus();
      expect(await findings(page)).toEqual([]);
    });

    test("while loading, and when the module does not come", async ({ page, site }) => {
      await page.route(/dot[^/]*safetensors/, () => {});
      await page.goto((await site()).url);
      await expect(page.locator(".loading").first()).toBeVisible();
      expect(await findings(page)).toEqual([]);
      await page.route(/\.wasm$/, (route) => route.fulfill({ body: "nothing of the kind" }));
      await page.reload();
      await expect(page.getByRole("alert")).toBeVisible();
      expect(await findings(page)).toEqual([]);
    });
  });
}

test("axe and the map under forced colours", async ({ page, open }) => {
  await page.emulateMedia({ forcedColors: "active" });
  const reader = await open("?text=3%20M%C3%A4rz%202021&cell=5-3");
  await expect(reader.explanation.locator(".place")).toContainText("row 5");
  expect(await findings(page)).toEqual([]);
  // The scale of colours stays: a weight near 1 is far from the ground of the map.
  const { alpha, source } = await reader.mapData();
  const most = alpha.indexOf(Math.max(...alpha));
  const cell = reader.cell(Math.floor(most / source.length), most % source.length);
  const fill = hex(await cell.evaluate((rect) => getComputedStyle(rect).fill));
  const ground = hex(await reader.region.evaluate((region) => getComputedStyle(region).backgroundColor));
  expect(contrast(fill, ground)).toBeGreaterThan(4.5);
});

for (const [name, size] of [
  ["a page at 200 % zoom", { width: 640, height: 450 }],
  ["letters of twice the size", { width: 1280, height: 900 }],
] as const) {
  test(`nothing is cut off or scrolls sideways with ${name}`, async ({ page, open }) => {
    await page.setViewportSize(size);
    const reader = await open("?text=July%2024,%202041;%20February%2014,%201914&cell=3-4");
    if (size.width === 1280) await page.addStyleTag({ content: ":root { font-size: 34px }" });
    await expect(reader.explanation.locator(".place")).toContainText("row 3");
    const [needed, there] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(needed).toBe(there);
    const cut = await page
      .locator("button, select, h1, h2, h3, summary")
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
          .map((element) => element.outerHTML),
      );
    expect(cut).toEqual([]);
    expect(await findings(page)).toEqual([]);
  });
}

for (const width of [320, 360, 768, 1440]) {
  test(`nothing scrolls sideways at ${width} px`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 740 });
    for (const [, query] of states) {
      await open(query);
      const [needed, there] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      expect(needed, query).toBe(there);
    }
  });
}

test("a long map scrolls in a region of its own that follows the keyboard", async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const reader = await open("?text=3%20January%201998;%20July%204,%202031;%202021/3/3");
  const [needed, there] = await reader.region.evaluate((region) => [region.scrollWidth, region.clientWidth]);
  expect(needed).toBeGreaterThan(there ?? 0);
  await reader.region.focus();
  await page.keyboard.press("End");
  const last = (await reader.mapData()).source.length - 1;
  const label = reader.map.locator(`text.column[data-i="${last}"]`);
  const [cell, region] = [await label.boundingBox(), await reader.region.boundingBox()];
  expect((cell?.x ?? 0) + (cell?.width ?? 0)).toBeLessThanOrEqual((region?.x ?? 0) + (region?.width ?? 0) + 3);
});

test("the page follows the keyboard and the steps down a tall map", async ({ page, open }) => {
  await page.setViewportSize({ width: 740, height: 360 });
  const reader = await open();
  const inSight = async (t: number) => {
    const [ring, words] = [await reader.map.locator(".ring").boundingBox(), await reader.words.boundingBox()];
    expect(ring?.y, `row ${t + 1}`).toBeGreaterThanOrEqual((words?.y ?? 0) + (words?.height ?? 0) - 1);
    expect((ring?.y ?? 0) + (ring?.height ?? 999), `row ${t + 1}`).toBeLessThanOrEqual(360);
  };
  await reader.region.focus();
  const last = (await reader.mapData()).tokens.length - 1;
  for (let t = 0; t <= last; ++t) {
    await expect(reader.words).toHaveText(new RegExp(`^Row ${t + 1} `));
    await expect(() => inSight(t)).toPass({ timeout: 2000 });
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("PageUp");
  await expect(() => inSight(0)).toPass({ timeout: 2000 });
});

for (const deviceScaleFactor of [1.5, 2]) {
  test.describe(`at ${deviceScaleFactor} device pixels`, () => {
    test.use({ deviceScaleFactor });
    test("the map is drawn as vectors (L55)", async ({ page, open }) => {
      const reader = await open();
      await expect(reader.map.locator("svg.cells rect[data-t]")).toHaveCount(
        12 * (await reader.mapData()).tokens.length,
      );
      await expect(page.locator("canvas, img")).toHaveCount(0);
    });
  });
}

test("a weight has the same colour in every text (L56)", async ({ open }) => {
  const reader = await open();
  const colours = new Map<string, string>();
  for (const text of ["3 March 2021", "Mar 4, 1958; 2021/3/3", "3rd March 2021"]) {
    const { alpha } = await reader.read(text);
    const fills = await reader.map
      .locator("rect[data-t]")
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("fill") ?? ""));
    expect(fills).toHaveLength(alpha.length);
    alpha.forEach((weight, k) => {
      const [key, fill] = [weight.toFixed(4), fills[k] ?? ""];
      const sameTo4 = colours.get(key);
      if (sameTo4 === undefined) colours.set(key, fill);
      else expect(channelsApart(sameTo4, fill)).toBeLessThanOrEqual(1);
    });
  }
  await expect(reader.map.locator(".legend")).toHaveText(/0\s+1\s+α/);
});

/** Largest difference of two `light-dark(#rrggbb, #rrggbb)` values in any channel. */
function channelsApart(one: string, other: string) {
  const channels = (value: string) => [...value.matchAll(/[0-9a-f]{2}/g)].map(([byte]) => Number.parseInt(byte, 16));
  const others = channels(other.replace("light-dark", ""));
  return Math.max(
    ...channels(one.replace("light-dark", "")).map((channel, k) => Math.abs(channel - (others[k] ?? 255))),
  );
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`numbers can be read on their cells, ${colorScheme} (L61)`, async ({ page, open }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const reader = await open();
    const { alpha } = await reader.read("13 Jul 1914");
    const pairs = await reader.map.locator("text.weight").evaluateAll((numbers) =>
      numbers.map((number) => {
        const cell = number.previousElementSibling;
        return [getComputedStyle(number).fill, cell ? getComputedStyle(cell).fill : "", number.textContent ?? ""];
      }),
    );
    expect(pairs).toHaveLength(alpha.filter((weight) => weight >= 0.1).length);
    for (const [ink = "", ground = "", number] of pairs) {
      expect(contrast(hex(ink), hex(ground)), number).toBeGreaterThanOrEqual(LABEL_CONTRAST);
    }
  });
}

/** A computed `rgb(r, g, b)` as #rrggbb. */
const hex = (rgb: string) =>
  `#${(rgb.match(/\d+/g) ?? []).map((channel) => Number(channel).toString(16).padStart(2, "0")).join("")}`;

test("light, dark and the course site's own switch (L58)", async ({ page, open }) => {
  await page.emulateMedia({ colorScheme: "light" });
  const reader = await open();
  const luminance = async () => {
    const colour = await reader.cell(0, 0).evaluate((cell) => getComputedStyle(cell).fill);
    return Math.max(...(colour.match(/\d+/g) ?? []).slice(0, 3).map(Number));
  };
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await expect.poll(luminance).toBeGreaterThan(200);
  await page.evaluate(() => document.body.classList.add("quarto-dark"));
  await expect.poll(luminance).toBeLessThan(60);
  expect(await paper()).not.toBe(light);
  await page.evaluate(() => document.body.classList.remove("quarto-dark"));
  await expect.poll(paper).toBe(light);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(luminance).toBeLessThan(60);
  await page.evaluate(() => document.body.classList.add("quarto-light"));
  await expect.poll(paper).toBe(light);
});

test("prints light, inside the page, with its numbers (L60)", async ({ page, open }) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.emulateMedia({ colorScheme: "dark" });
  const reader = await open("?text=3%20January%201998;%20July%204,%202031;%202021/3/3;%2012%20August%202077");
  await page.emulateMedia({ media: "print" });
  // A4 less margins of 1 cm, at 96 pixels an inch.
  await page.setViewportSize({ width: 718, height: 1047 });
  const [needed, there] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(needed).toBe(there);
  const { source, tokens } = await reader.mapData();
  const [lastColumn, lastRow] = [
    await reader.map.locator(`text.column[data-i="${source.length - 1}"]`).boundingBox(),
    await reader.map.locator(`text.row[data-t="${tokens.length - 1}"]`).boundingBox(),
  ];
  for (const box of [lastColumn, lastRow]) expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(718);
  // Rows stay beside their labels, and the whole map is on one page.
  const grid = await reader.map.locator("path.grid").boundingBox();
  const bottom = (grid?.y ?? 0) + (grid?.height ?? 0);
  expect(Math.abs(bottom - (lastRow?.y ?? 0) - (lastRow?.height ?? 0))).toBeLessThan(20);
  expect(grid?.height).toBeLessThan(1047);
  await expect(reader.map.locator("text.weight").first()).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
    "rgb(250, 248, 244)",
  );
});

test("a map taller than a page is printed on one", async ({ page, open }) => {
  const reader = await open(`?text=${new Array(4).fill("3 Mar 2021").join("; ")}`);
  const { tokens } = await reader.mapData();
  expect(28 * tokens.length).toBeGreaterThan(1047);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 718, height: 1047 });
  const grid = async () =>
    (await reader.map.locator("path.grid").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 9999 };
  const region = await reader.region.boundingBox();
  expect(region?.height).toBeLessThan(1047);
  const { x, y, width, height } = await grid();
  expect(height).toBeLessThan(1047);
  expect(x + width).toBeLessThanOrEqual(718);
  // Rows and labels shrank by the same factor.
  const last = await reader.map.locator(`text.row[data-t="${tokens.length - 1}"]`).boundingBox();
  expect(Math.abs(y + height - (last?.y ?? 0) - (last?.height ?? 0))).toBeLessThan(15);
  const shrunk = height / (28 * tokens.length);
  expect(shrunk).toBeLessThan(1);
  const { width: labels } = (await reader.map.locator("svg.rows").boundingBox()) ?? { width: 0 };
  expect(labels / 64).toBeCloseTo(shrunk, 1);
});

test("nothing moves under reduced motion", async ({ page, open }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const reader = await open();
  await reader.read("13 Jul 1914");
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  const durations = [reader.cell(0, 0), reader.explanation.locator(".bars rect").first()];
  for (const moving of durations) {
    expect(await moving.evaluate((rect) => getComputedStyle(rect).transitionDuration)).toBe("0s");
  }
});

test("what moves moves for less than 200 ms", async ({ open }) => {
  const reader = await open();
  for (const moving of [reader.cell(0, 0), reader.explanation.locator(".bars rect").first()]) {
    const durations = await moving.evaluate((rect) => getComputedStyle(rect).transitionDuration.split(","));
    for (const duration of durations) {
      expect(Number.parseFloat(duration)).toBeGreaterThan(0);
      expect(Number.parseFloat(duration)).toBeLessThan(0.2);
    }
  }
});
