// Where the page can be put: subfolders, strict policies, sandboxed frames, odd MIME types, and Vite's three ways to serve.
import { fileURLToPath } from "node:url";
import { createServer, preview } from "vite";
import { expect, Reader, test } from "./fixtures.ts";

const POLICY = "script-src 'self' 'wasm-unsafe-eval'";
const STRICT = `default-src 'self'; ${POLICY}; style-src 'self'; base-uri 'none'; object-src 'none'`;
const anyOrigin = { "access-control-allow-origin": "*" };

test("at the root, with a strict policy and without isolation headers (L38, L42)", async ({ page, site }) => {
  const { url, requests } = await site({ headers: { "content-security-policy": STRICT } });
  await page.goto(url);
  await new Reader(page).ready();
  await expect(page.locator("sa-page")).toHaveAttribute("data-engine", "worker");
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
});

const TRUSTED = "require-trusted-types-for 'script'; trusted-types softalign lit-html";
for (const policy of [TRUSTED, `${STRICT}; ${TRUSTED}`]) {
  test(`under Trusted Types, with a worker and without a violation: ${policy}`, async ({ page, site }) => {
    await page.addInitScript(() => {
      const violations: string[] = [];
      Object.assign(globalThis, { violations });
      document.addEventListener("securitypolicyviolation", (event) => {
        violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
      });
    });
    const { url } = await site({ headers: { "content-security-policy": policy } });
    await page.goto(url);
    const reader = new Reader(page);
    await reader.ready();
    await expect(page.locator("sa-page")).toHaveAttribute("data-engine", "worker");
    await reader.read("13 Jul 1914");
    await reader.cell(3, 3).click();
    await expect(reader.explanation).toContainText("Eq. 9");
    await page.locator("sa-bottleneck-meter").scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "Measure on 2,000 texts" }).click();
    await expect(page.locator("sa-bottleneck-meter td .share")).toHaveCount(8, { timeout: 40_000 });
    expect(await page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations)).toEqual([]);
  });
}

for (const [sandbox, policy, engine] of [
  ["allow-scripts allow-same-origin", POLICY, "worker"],
  ["allow-scripts", `${POLICY}; worker-src blob:`, "worker"],
] as const) {
  test(`in a subfolder, in a frame with sandbox="${sandbox}" (L39, L59)`, async ({ page, site }) => {
    const host = `<!doctype html><title>course</title><iframe sandbox="${sandbox}" src="/course/m4/" width="1000" height="800"></iframe>`;
    const { origin, requests } = await site({
      prefix: "/course/m4/",
      headers: { ...anyOrigin, "content-security-policy": policy },
      pages: { "/host": host, "/favicon.ico": "" },
    });
    await page.goto(`${origin}/host`);
    const frame = page.frameLocator("iframe");
    const reader = new Reader(frame);
    await reader.ready();
    await expect(frame.locator("sa-page")).toHaveAttribute("data-engine", engine);
    await reader.read("13 Jul 1914");
    await frame.getByRole("button", { name: "A random test example with 3 dates" }).click();
    await expect(reader.verdict).toHaveText(/Right|Wrong/);
    expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
  });
}

test.describe("where the policy forbids workers", () => {
  test.use({ tolerated: [/Content Security [Pp]olicy|Content-Security-Policy|TrustedScriptURL/] });

  test("in a frame that is its own origin the page reads by itself", async ({ page, site }) => {
    const host = `<!doctype html><title>course</title><iframe sandbox="allow-scripts" src="/" width="1000" height="800"></iframe>`;
    const { origin } = await site({
      headers: { ...anyOrigin, "content-security-policy": POLICY },
      pages: { "/host": host, "/favicon.ico": "" },
    });
    await page.goto(`${origin}/host`);
    const frame = page.frameLocator("iframe");
    const reader = new Reader(frame);
    await reader.ready();
    await expect(frame.locator("sa-page")).toHaveAttribute("data-engine", "page");
    await reader.read("13 Jul 1914");
  });

  test("a page that lists no policy of ours under Trusted Types reads by itself", async ({ page, site }) => {
    const policy = "require-trusted-types-for 'script'; trusted-types lit-html";
    const { url } = await site({ headers: { "content-security-policy": policy } });
    await page.goto(url);
    const reader = new Reader(page);
    await reader.ready();
    await expect(page.locator("sa-page")).toHaveAttribute("data-engine", "page");
    await reader.read("13 Jul 1914");
  });

  test("the page reads by itself", async ({ page, site }) => {
    const { url } = await site({ headers: { "content-security-policy": `${STRICT}; worker-src 'none'` } });
    await page.goto(url);
    const reader = new Reader(page);
    await reader.ready();
    await expect(page.locator("sa-page")).toHaveAttribute("data-engine", "page");
    await reader.read("13 Jul 1914");
  });
});

test("with its files on another origin (L49)", async ({ page, site }) => {
  const { origin, url, requests } = await site({ headers: anyOrigin });
  const html = await (await fetch(url)).text();
  const host = await site({
    prefix: "/nowhere/",
    pages: { "/course": html.replaceAll('="./', `="${url}`), "/favicon.ico": "" },
  });
  await page.goto(`${host.origin}/course`);
  const reader = new Reader(page);
  await reader.ready();
  await expect(page.locator("sa-page")).toHaveAttribute("data-engine", "worker");
  await reader.read("13 Jul 1914");
  expect(origin).not.toBe(host.origin);
  expect([...requests, ...host.requests].filter(({ status }) => status !== 200)).toEqual([]);
});

test("with the wrong MIME type for the module (L36)", async ({ page, site }) => {
  const { url } = await site({ mime: { ".wasm": "application/octet-stream" } });
  await page.goto(url);
  await new Reader(page).ready();
});

test("what is loading is said from the start, the second model only after the first", async ({ page, site }) => {
  const { url } = await site();
  const held = ["dot", "plain"].map((name) => {
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    return { name, send, sent };
  });
  for (const { name, sent } of held) {
    await page.route(new RegExp(`/${name}[^/]*safetensors`), async (route) => {
      await sent;
      await route.continue();
    });
  }
  await page.goto(`${url}?model=plain`);
  await expect(page.locator(".loading li")).toHaveCount(2);
  await expect(page.locator(".loading")).toContainText("Loading the engine");
  await expect(page.locator(".loading")).toContainText("plain, no attention");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("plain");
  held[1]?.send();
  await new Reader(page).ready();
  await expect(page.locator(".other .loading")).toContainText("Loading dot attention");
  held[0]?.send();
  await expect(page.locator(".other .dates")).toHaveText(/\d/);
});

test.describe("when a file does not come", () => {
  test.use({ tolerated: [/status of 404/] });

  test("a page without its program says so", async ({ page, site }) => {
    const { url } = await site({ broken: { ".js": 404 } });
    await page.goto(url);
    await expect(page.getByText("The page’s program has not arrived.")).toBeVisible();
  });

  test("a web page in the module's place is called what it is", async ({ page, site }) => {
    const { url } = await site();
    const body = "<!doctype html><title>not found</title>";
    await page.route(/\.wasm$/, (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto(url);
    await expect(page.getByRole("alert")).toContainText("the server probably sent an error page");
  });

  test("the reason is told, the text stays readable, and a second try can succeed", async ({ page, site }) => {
    const broken: Record<string, number> = { ".wasm": 404 };
    const { url } = await site({ broken });
    await page.goto(url);
    await expect(page.getByRole("alert")).toContainText("The model could not be loaded.");
    await expect(page.getByRole("alert")).toContainText("NO_FILE");
    await expect(page.getByRole("alert")).toContainText("404");
    await expect(page.getByRole("textbox")).toHaveValue("3 March 2021");
    delete broken[".wasm"];
    await page.getByRole("button", { name: "Try again" }).click();
    await new Reader(page).ready();
  });

  test("the attention model answers although the plain one is missing", async ({ page, site }) => {
    const { url } = await site();
    await page.route(/\/plain[^/]*safetensors/, (route) => route.fulfill({ status: 404 }));
    await page.goto(url);
    const reader = new Reader(page);
    await reader.ready();
    await expect(page.locator(".other .alert")).toContainText("404");
    await reader.read("13 Jul 1914");
  });
});

test("built by Vite and served by its preview (L40)", async ({ page }) => {
  const config = fileURLToPath(new URL("../../web/vite.config.ts", import.meta.url));
  const server = await preview({ configFile: config, preview: { port: 0, host: "127.0.0.1" }, logLevel: "silent" });
  await page.goto(server.resolvedUrls?.local[0] ?? "");
  await new Reader(page).ready();
  await server.close();
});

test("served by Vite's development server (L40)", async ({ page }) => {
  const configFile = fileURLToPath(new URL("../../web/vite.config.ts", import.meta.url));
  const server = await createServer({ configFile, server: { port: 0, host: "127.0.0.1" }, logLevel: "silent" });
  await server.listen();
  await page.goto(server.resolvedUrls?.local[0] ?? "");
  await new Reader(page).ready();
  await expect(page.locator("sa-page")).toHaveAttribute("data-engine", "worker");
  await server.close();
});
