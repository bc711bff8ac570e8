// The page of the benches: bundled as the real one is, served, and opened in headless Chromium.
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { build, loadConfigFromFile, preview } from "vite";
import { chromium as browserPath } from "../../.setup/packages.mjs";
import { quietly, root, Stop, step } from "../../.setup/terminal.mjs";

/** Builds targets of a CMake preset. */
export async function compile(preset, ...targets) {
  await step(`Compiling ${targets.join(", ")}`, async () => {
    await quietly("cmake", ["--preset", preset]);
    await quietly("cmake", ["--build", "--preset", preset, "--target", ...targets]);
  });
}

// Makes the page's clock count in steps of 5 instead of 100 microseconds.
const isolated = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

async function serve() {
  const site = await loadConfigFromFile({ command: "build", mode: "production" }, join(root, "web/vite.config.ts"));
  const { resolve, assetsInclude, worker } = site.config;
  const config = {
    ...{ configFile: false, logLevel: "warn", root: join(root, "tests/bench"), base: "./" },
    ...{ resolve, assetsInclude, worker },
    build: { outDir: join(root, "build/bench"), emptyOutDir: true, assetsInlineLimit: 0 },
    preview: { host: "localhost", port: 4273, headers: isolated },
  };
  await step("Bundling the page of the benches", () => build(config));
  return preview(config);
}

/** Gives the page and the browser's version to `work`; closes both. */
export async function inPage(work) {
  const executablePath = browserPath();
  if (!executablePath) throw new Stop("There is no Chromium here: set CHROMIUM to its path");
  await compile("wasm", "softalign_module");
  const server = await serve();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(String(error)));
    await page.goto(server.resolvedUrls.local[0]);
    await page.waitForFunction(() => "bench" in globalThis);
    return await work(page, browser.version());
  } finally {
    await browser.close();
    await server.close();
  }
}
