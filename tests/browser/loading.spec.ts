// What the page fetches until its first map is alive, which build of the module it takes, and when it gives a worker up.
import { readFileSync } from "node:fs";
import { budgets, firstMapFiles } from "../../.setup/sizes.mjs";
import { expect, Reader, test } from "./fixtures.ts";

const kind = (path: string) =>
  path
    .replace(/^.*\//, "")
    .replace(/-[\w-]{8}\./, ".")
    .replace(/^$/, "index.html");

test("the first live map costs at most 480 kB, and the second model comes after it", async ({ page, site }) => {
  const { url, requests } = await site({ gzip: true });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The second model and the demos' programs are sent for when the first map is there; here they wait a little longer.
  const first = new Set(firstMapFiles().map(({ path }) => path));
  await page.route(/\/assets\//, async (route) => {
    if (!first.has(new URL(route.request().url()).pathname.slice(1))) await held;
    await route.continue();
  });
  await page.goto(url);
  await new Reader(page).ready();
  await page.evaluate(() => document.fonts.ready);
  const needed = requests.filter(({ path }) => path !== "/favicon.ico");
  // The files, and the bytes of each, by which the build states the size of the first map.
  const fetched = needed.map(({ path, bytes }) => `${path.slice(1) || "index.html"} ${bytes}`).sort();
  expect(fetched).toEqual(
    firstMapFiles()
      .map(({ path, bytes }) => `${path} ${bytes}`)
      .sort(),
  );
  const total = needed.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const file of ["index.html", "index.js", "index.css", "worker.js", "softalign.wasm", "dot.safetensors"]) {
    expect(
      needed.filter(({ path }) => kind(path) === file),
      file,
    ).toHaveLength(1);
  }
  expect(total, fetched.join("\n")).toBeLessThanOrEqual(budgets.firstMap);
  release();
  await expect.poll(() => requests.some(({ path }) => kind(path) === "plain.safetensors")).toBe(true);
});

test("@slow where the browser has no SIMD, the other build comes and says the same (L37)", async ({ page, site }) => {
  const text = "July 24, 2041; February 14, 1914";
  const read = async () => {
    const { url, requests } = await site();
    await page.goto(url);
    const reader = new Reader(page);
    await reader.ready();
    const reading = await reader.read(text);
    const answer = await reader.answer.textContent();
    await expect(page.locator("sa-page")).toHaveAttribute("data-engine", "worker");
    return {
      reading,
      answer,
      modules: requests.map(({ path }) => kind(path)).filter((name) => name.endsWith(".wasm")),
    };
  };
  const simd = await read();
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  const scalar = await read();
  expect(simd.modules).toEqual(["softalign.wasm"]);
  expect(scalar.modules).toEqual(["softalign-scalar.wasm"]);
  expect(scalar.answer).toBe(simd.answer);
  expect(scalar.reading).toEqual(simd.reading);
  expect(simd.reading.alpha.length).toBeGreaterThan(0);
});

test("a worker that keeps silent is given up, and the page reads by itself", async ({ page, site }) => {
  const { url } = await site();
  await page.clock.install();
  await page.route(/\/worker[^/]*\.js$/, (route) =>
    route.fulfill({ contentType: "text/javascript", body: "self.onmessage = () => {};" }),
  );
  const asked = page.waitForResponse(/\.wasm$/);
  await page.goto(url);
  await (await asked).finished();
  await page.clock.runFor(9_000);
  await expect(page.locator(".loading li").first()).toBeVisible();
  await page.clock.runFor(2_000);
  await new Reader(page).ready();
  await expect(page.locator("sa-page")).toHaveAttribute("data-engine", "page");
});

test("@slow a module of another build is refused with a sentence to act on (L48)", async ({ page, site }) => {
  const { url } = await site();
  const bytes = readFileSync("build/wasm/softalign.wasm");
  await page.route(/\.wasm$/, (route) => route.fulfill({ body: renamedImport(bytes) }));
  await page.goto(url);
  await expect(page.getByRole("alert")).toContainText("reload the page");
  await expect(page.getByRole("alert")).toContainText("NO_ENGINE");
});

/** The module with its first import renamed, as a build with other imports would have it. */
function renamedImport(module: Buffer): Buffer {
  const other = Buffer.from(module);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(Uint8Array.from(module)));
  const { module: from = "", name = "" } = imports[0] ?? {};
  const entry = Buffer.from([from.length, ...Buffer.from(from), name.length, ...Buffer.from(name)]);
  const at = other.indexOf(entry);
  expect(at).toBeGreaterThan(0);
  other.write("?".repeat(name.length), at + entry.length - name.length);
  return other;
}
