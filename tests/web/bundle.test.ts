// What the built page may not hold: anything that a strict host, a static server or a sandboxed frame refuses.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const files = readdirSync("dist", { recursive: true, encoding: "utf8" });
const texts = files.filter((file) => /\.(js|css|html)$/.test(file));
const text = (file: string) => readFileSync(`dist/${file}`, "utf8");
const size = (pattern: RegExp) =>
  files.filter((file) => pattern.test(file)).reduce((sum, file) => sum + readFileSync(`dist/${file}`).length, 0);

describe("dist", () => {
  it.each([
    ["shared memory (L38)", /SharedArrayBuffer/],
    ["code from strings (L42)", /\beval\(|new Function\b/],
    ["storage (L59)", /\b(localStorage|sessionStorage|indexedDB)\b|document\.cookie/],
    ["the module as base64 (L41)", /data:application\/wasm/],
    ["addresses elsewhere", /https?:\/\/(?!www\.w3\.org)/],
  ])("holds no %s", (_, pattern) => {
    expect(texts.length).toBeGreaterThan(2);
    for (const file of texts) expect(text(file), file).not.toMatch(pattern);
  });

  it("has no inline style, script or handler in its page", () => {
    expect(text("index.html")).not.toMatch(/\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)/);
  });

  it("keeps both builds of the module, every model that it offers, their probes and the fonts in files of their own", () => {
    const modules = files.filter((file) => file.endsWith(".wasm")).map((file) => file.replace(/-[\w-]{8}\.wasm$/, ""));
    expect(modules.sort()).toEqual(["assets/softalign", "assets/softalign-scalar"]);
    for (const [pattern, count] of [
      [/\/(dot|plain|general|additive|bahdanau|plain-reversed)-[\w-]{8}\.safetensors$/, 6],
      [/\/(dot|plain|general|additive)\.probe-[\w-]{8}\.safetensors$/, 4],
      [/\.safetensors$/, 10],
      [/\.woff2$/, 3],
    ] as const) {
      expect(files.filter((file) => pattern.test(file))).toHaveLength(count);
    }
    for (const file of texts) expect(text(file), file).not.toMatch(/;base64,[\w+/]{40}/);
    expect(size(/\.woff2$/)).toBeLessThan(60_000);
  });

  it("holds JavaScript that goes with both builds of the module", () => {
    const [simd, scalar] = ["softalign", "softalign-scalar"].map((name) => {
      const script = readFileSync(`build/wasm/${name}.mjs`, "utf8");
      return script.replaceAll(`${name}.wasm`, "module.wasm"); // a default address that nobody uses
    });
    expect(scalar).toBe(simd);
  });

  it("sends the first model's weights on their way with the page", () => {
    const weights = files.find((file) => /dot-[\w-]{8}\.safetensors$/.test(file));
    expect(text("index.html")).toMatch(
      `rel="preload" as="fetch" crossorigin="" fetchpriority="low" href="./${weights}"`,
    );
  });

  it("asks for its files by relative addresses", () => {
    const addresses = [...text("index.html").matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) expect(address).toMatch(/^(\.\/|#[\w-]+$)/);
  });
});

describe("the page's sources", () => {
  const sources = readdirSync("web/src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  it.each([
    ["exponentials of their own", /Math\.exp\b/],
    ["inline styles", /\sstyle=|styleMap|setAttribute\("style"/],
    ["markup from strings", /innerHTML|unsafeHTML|unsafeSVG|insertAdjacentHTML|document\.write/],
  ])("hold no %s", (_, pattern) => {
    expect(sources.length).toBeGreaterThan(20);
    for (const file of sources) expect(readFileSync(`web/src/${file}`, "utf8"), file).not.toMatch(pattern);
  });
});
