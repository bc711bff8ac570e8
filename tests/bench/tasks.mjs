// `npm run bench:tasks`: the main thread's longest tasks while a visitor types, scrolls and measures, on the built page.
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { preview } from "vite";
import { chromium as browserPath } from "../../.setup/packages.mjs";
import { quietly, main, root, Stop, step } from "../../.setup/terminal.mjs";
import { machine, median, printTable, readCounts } from "./report.mjs";

/** Longer than this is what a visitor feels. */
const LIMIT = 50;
const TEXT = "July 24, 2041; February 14, 1914; 3 March 2021; 2 Oct 2030";
const SECTIONS = ["transduction", "encoder-decoder", "attention", "soft-alignment"];

/** Types the text anew while a section is in sight. */
async function type(page, section) {
  if (section) await page.locator(`#${section} > :not(h2)`).first().scrollIntoViewIfNeeded();
  await page.waitForTimeout(500);
  await page.locator("#text").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(TEXT, { delay: 60 });
  await page.waitForTimeout(500);
}

async function scroll(page) {
  const height = await page.evaluate(() => document.body.scrollHeight);
  for (let y = 0; y < height; y += 250) {
    await page.mouse.wheel(0, 250);
    await page.waitForTimeout(60);
  }
}

async function measure(page) {
  const meter = page.locator("sa-bottleneck-meter");
  await meter.scrollIntoViewIfNeeded();
  await meter.getByRole("button", { name: /^Measure on/ }).click();
  await meter.locator("tbody tr").nth(1).waitFor({ timeout: 120_000 });
}

const scenes = {
  "typing, the map in sight": (page) => type(page, null),
  ...Object.fromEntries(
    SECTIONS.map((section) => [`typing, section ${section} in sight`, (page) => type(page, section)]),
  ),
  "scrolling through the page": scroll,
  "measuring two models": measure,
};

/** Milliseconds of the longest task of a scene, those under 50 included, and how many were longer. */
async function watch(page, scene) {
  await page.evaluate(() => {
    const seen = { long: [], gap: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => seen.long.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: "longtask",
    });
    // Tasks that are not long leave no entry: how late a timer of 4 ms comes tells how long the longest was.
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      seen.gap = Math.max(seen.gap, now - last - 4);
      last = now;
      setTimeout(tick, 4);
    };
    tick();
  });
  await scene(page);
  const { long, gap } = await page.evaluate(() => globalThis.seen);
  return { longest: Math.max(gap, ...long), count: long.length };
}

async function run(browser, address) {
  const results = {};
  for (const [name, scene] of Object.entries(scenes)) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(address);
    await page.locator(".other sa-answer .dates").waitFor();
    results[name] = await watch(page, scene);
    await page.close();
  }
  return results;
}

await main(async () => {
  const { runs } = readCounts({ runs: 3 });
  const executablePath = browserPath();
  if (!executablePath) throw new Stop("There is no Chromium here: set CHROMIUM to its path");
  await step("Building the page", () => quietly("node", [".setup/build.mjs"]));
  const server = await preview({
    configFile: false,
    logLevel: "warn",
    build: { outDir: join(root, "dist") },
    preview: { host: "localhost", port: 4274 },
  });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const all = [];
    for (let k = 0; k < runs; k++) {
      all.push(await step(`Run ${k + 1} of ${runs}`, () => run(browser, server.resolvedUrls.local[0])));
    }
    console.log(`\nThe main thread's longest task, in milliseconds. Chromium ${browser.version()}; ${machine()}.`);
    console.log(`Medians of ${runs} runs; "over ${LIMIT}" is the most in any run.\n`);
    printTable([
      ["scene", "longest", `over ${LIMIT}`],
      ...Object.keys(scenes).map((name) => [
        name,
        median(all.map((results) => results[name].longest)).toFixed(0),
        String(Math.max(...all.map((results) => results[name].count))),
      ]),
    ]);
  } finally {
    await browser.close();
    await server.close();
  }
});
