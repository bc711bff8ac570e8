// `npm run bench:tasks`: the main thread's longest tasks while a visitor types, scrolls and measures, on the built page.
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { preview } from "vite";
import { chromium as browserPath } from "../../.setup/packages.mjs";
import { quietly, main, root, Stop, step } from "../../.setup/terminal.mjs";
import { machine, median, printTable, readCounts } from "./report.mjs";

/** From here on a browser calls a task long. */
const LIMIT = 50;
const TEXT = "July 24, 2041; February 14, 1914; 3 March 2021; 2 Oct 2030";
const SECTIONS = ["transduction", "encoder-decoder", "attention", "soft-alignment"];

/** Brings a section into sight and lets it come to rest. */
const show = (section) => async (page) => {
  if (section) await page.locator(`#${section} > :not(h2)`).first().scrollIntoViewIfNeeded();
  await page.locator("#text").focus();
  await page.waitForTimeout(2000);
};

async function showMeter(page) {
  await page.locator("sa-bottleneck-meter").scrollIntoViewIfNeeded();
  await page.waitForTimeout(2000);
}

async function type(page) {
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
  await meter.getByRole("button", { name: /^Measure on/ }).click();
  await meter.locator("tbody tr").nth(1).waitFor({ timeout: 120_000 });
}

/** What comes before the watch begins, and what is watched. */
const scenes = {
  "typing, the map in sight": [show(null), type],
  ...Object.fromEntries(SECTIONS.map((section) => [`typing, section ${section} in sight`, [show(section), type]])),
  "scrolling through the page": [show(null), scroll],
  "measuring two models": [showMeter, measure],
};

/** Milliseconds of each task of a scene that took 50 or more: what browsers call a long task. */
async function watch(page, [prepare, act]) {
  await prepare(page);
  await page.evaluate(() => {
    globalThis.long = [];
    const note = (list) => globalThis.long.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(note).observe({ type: "longtask" });
  });
  await act(page);
  return page.evaluate(() => globalThis.long);
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
    console.log(`\nTasks of ${LIMIT} ms or more on the main thread. Chromium ${browser.version()}; ${machine()}.`);
    console.log(`Medians of ${runs} runs.\n`);
    printTable([
      ["scene", "tasks", "longest, ms"],
      ...Object.keys(scenes).map((name) => {
        const longest = median(all.map((results) => Math.max(0, ...results[name])));
        const count = median(all.map((results) => results[name].length));
        return [name, String(count), longest === 0 ? `under ${LIMIT}` : longest.toFixed(0)];
      }),
    ]);
  } finally {
    await browser.close();
    await server.close();
  }
});
