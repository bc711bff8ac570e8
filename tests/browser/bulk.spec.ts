// Measuring a model on the 2,000 test sources: in workers of its own, or on the page; the numbers are the manifest's.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { createServer, type ViteDevServer } from "vite";
import type { EngineClient } from "../../web/src/engine/client.ts";
import type { Measurement } from "../../web/src/engine/protocol.ts";
import { expect, test } from "./fixtures.ts";

/** What the tests find on the blank page: a client with its models, and the workers that live. */
interface Bench {
  client: EngineClient;
  workers: Set<Worker>;
}

declare global {
  interface Window {
    bench: Bench;
  }
}

type ByK<T> = Record<"1" | "2" | "3" | "4", T>;

/** The measurement that a model's manifest records. */
function recorded(name: string): Measurement {
  const { evaluation } = JSON.parse(readFileSync(`models/${name}.json`, "utf8"));
  const byK = <T>(values: ByK<T>): T[] => [values["1"], values["2"], values["3"], values["4"]];
  const { n, exact_match, per_date, well_formed } = evaluation;
  return {
    n: byK<number>(n),
    exact_match: byK<number>(exact_match),
    per_date: byK<number[]>(per_date),
    well_formed: byK<number>(well_formed),
  };
}

let server: ViteDevServer;
let address: string;

test.beforeAll(async () => {
  const configFile = fileURLToPath(new URL("../../web/vite.config.ts", import.meta.url));
  server = await createServer({ configFile, server: { port: 0, host: "127.0.0.1" }, logLevel: "silent" });
  await server.listen();
  address = server.resolvedUrls?.local[0] ?? "";
});
test.afterAll(() => server.close());

/** A blank page with a started client; without `workers` the page may make none. */
async function openBench(page: Page, { workers = true }: { workers?: boolean } = {}) {
  await page.route("**/blank.html", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>bench</title>" }),
  );
  await page.goto(`${address}blank.html`);
  const files = `/@fs${fileURLToPath(new URL("../..", import.meta.url))}`;
  await page.evaluate(
    async ({ files, workers }) => {
      const living = new Set<Worker>();
      const Original = Worker;
      window.Worker = class extends Original {
        constructor(url: string | URL, options?: WorkerOptions) {
          if (!workers) throw new DOMException("no worker here", "SecurityError");
          super(url, options);
          living.add(this);
        }
        override terminate() {
          living.delete(this);
          super.terminate();
        }
      };
      const source = "/src/engine/client.ts";
      const { EngineClient } = await import(source);
      const bytes = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());
      const client: EngineClient = new EngineClient();
      await client.start(bytes(`${files}build/wasm/softalign.wasm`));
      for (const name of ["dot", "plain"]) await client.load(name, await bytes(`${files}models/${name}.safetensors`));
      window.bench = { client, workers: living };
    },
    { files, workers },
  );
}

for (const name of ["dot", "plain"]) {
  test(`${name} measured by workers equals its manifest`, async ({ page }) => {
    await openBench(page);
    const { measured, progress } = await page.evaluate(async (name) => {
      const progress: { done: number; total: number; n: number[]; right: number[] }[] = [];
      const onProgress = (now: (typeof progress)[number]) => progress.push(now);
      return { measured: await window.bench.client.measure(name, { onProgress }), progress };
    }, name);
    const { seconds, workers, outputs, right, ...measurement } = measured;
    expect(measurement).toEqual(recorded(name));
    expect(outputs).toHaveLength(2000);
    expect(workers).toBeGreaterThanOrEqual(2);
    expect(seconds).toBeGreaterThan(0);
    const rightOf = measurement.exact_match.map((share) => Math.round(share * 500));
    expect(progress.at(-1)).toEqual({ done: 2000, total: 2000, n: [500, 500, 500, 500], right: rightOf });
    expect(Object.values(right).reduce((sum, flag) => sum + flag)).toBe(rightOf.reduce((sum, each) => sum + each));
    // All four bars fill together.
    for (const { n } of progress) expect(Math.max(...n) - Math.min(...n)).toBeLessThanOrEqual(50 * workers);
    expect(progress.length).toBeGreaterThanOrEqual(20);
    expect(progress.every(({ done }, k) => done > (progress[k - 1]?.done ?? 0))).toBe(true);
  });
}

test("where no worker can be made the page measures by itself, giving the thread back meanwhile", async ({ page }) => {
  await openBench(page, { workers: false });
  const { measured, turns, kind } = await page.evaluate(async () => {
    const { client } = window.bench;
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setTimeout(count);
    };
    let timer = setTimeout(count);
    const measured = await client.measure("plain");
    clearTimeout(timer);
    return { measured, turns, kind: client.kind };
  });
  const { seconds, workers, outputs, right, ...measurement } = measured;
  expect(kind).toBe("page");
  expect(workers).toBe(0);
  expect(measurement).toEqual(recorded("plain"));
  expect(turns).toBeGreaterThan(20);
});

test("while a model is measured the page answers; a cancelled measurement ends at once; no worker is left", async ({
  page,
}) => {
  await openBench(page);
  const outcome = await page.evaluate(async () => {
    const { client, workers } = window.bench;
    const before = workers.size;
    let done = 0;
    const measuring = client.measure("dot", {
      onProgress: (now) => {
        done = now.done;
      },
    });
    const { output } = await client.decode("dot", "13 Jul 1914");
    const doneAtAnswer = done;
    await measuring;
    const codes: string[] = [];
    for (let k = 0; k < 6; ++k) {
      const stop = new AbortController();
      const onProgress = () => stop.abort();
      if (k === 0) stop.abort();
      const { signal } = stop;
      codes.push(
        await client.measure("plain", { onProgress, signal }).then(
          () => "measured",
          ({ code }) => code,
        ),
      );
    }
    // One that waits for its turn is cancelled without one.
    const waiting = new AbortController();
    const first = client.measure("plain");
    const second = client.measure("plain", { signal: waiting.signal });
    waiting.abort();
    const secondEnd = await second.then(
      () => "measured",
      ({ code }) => code,
    );
    await first;
    return { output, doneAtAnswer, codes, secondEnd, before, after: workers.size };
  });
  expect(outcome).toMatchObject({ output: "1914-07-13", codes: Array(6).fill("CANCELLED"), secondEnd: "CANCELLED" });
  expect(outcome.doneAtAnswer).toBeLessThan(2000);
  expect(outcome.after).toBe(outcome.before);
  expect(outcome.before).toBe(1);
});

test("a client that is closed while it starts leaves no worker", async ({ page }) => {
  await openBench(page);
  const outcome = await page.evaluate(async () => {
    const { client, workers } = window.bench;
    const [alive, started] = [workers.size, client.start(new Promise(() => {}))];
    const restarted = workers.size;
    client.close();
    const call = await client.decode("dot", "3 March 2021").catch(({ code }) => code);
    void started;
    return { alive, restarted, call, after: workers.size };
  });
  expect(outcome).toEqual({ alive: 1, restarted: 1, call: "NO_ENGINE", after: 0 });
});
