// What visitors fetch, packed by gzip -9 as static hosts pack it: printed after each build, held to the budgets by tests.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { root } from "./terminal.mjs";

/** kB is 1,000 bytes. */
export const budgets = { wasm: 60_000, glue: 15_000, firstMap: 480_000 };

/** Bytes over the wire; woff2 is packed already. */
export function packedSize(file) {
  const bytes = readFileSync(file);
  return extname(file) === ".woff2" ? bytes.length : gzipSync(bytes, { level: 9 }).length;
}

/** The module of one build: "softalign", or "softalign-scalar" for browsers without SIMD. */
export const moduleSizes = (name) => ({
  wasm: packedSize(join(root, "build/wasm", `${name}.wasm`)),
  glue: packedSize(join(root, "build/wasm", `${name}.mjs`)),
});

const dist = join(root, "dist");
const textOf = (path) => readFileSync(join(dist, path), "utf8");

/** Files that a file names at once: what a page links to, what a program imports, the fonts of a style sheet. */
function namedBy(path) {
  const patterns = {
    ".html": /(?:src|href)="\.\/([^"]+)"/g,
    ".js": /(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g,
    ".css": /url\(\.\/([^)]+)\)/g,
  };
  const pattern = patterns[extname(path)];
  if (!pattern) return [];
  return [...textOf(path).matchAll(pattern)].map(([, name]) => join(dirname(path), name));
}

/**
 * The files of the built page that its first live map takes, each with its packed size: what the page names, step by
 * step, and the engine's worker and module, which its program asks for. Demos, other models and the scalar module come later.
 */
export function firstMapFiles() {
  const engine = readdirSync(join(dist, "assets")).filter((name) =>
    /^(worker-.*\.js|softalign-(?!scalar).*\.wasm)$/.test(name),
  );
  const files = new Set();
  const waiting = ["index.html", ...engine.map((name) => join("assets", name))];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    files.add(path);
    waiting.push(...namedBy(path));
  }
  return [...files].map((path) => ({ path: path.replaceAll("\\", "/"), bytes: packedSize(join(dist, path)) }));
}

/** The sizes as a table, each with its budget where it has one. */
export function sizeTable() {
  const { wasm, glue } = moduleSizes("softalign");
  const scalar = moduleSizes("softalign-scalar");
  const rows = [
    ["module, WebAssembly", wasm, budgets.wasm],
    ["module, JavaScript", glue, budgets.glue],
    ["without SIMD, WebAssembly", scalar.wasm],
    ["without SIMD, JavaScript", scalar.glue],
    ["first live map, all files", firstMapFiles().reduce((sum, { bytes }) => sum + bytes, 0), budgets.firstMap],
  ];
  const kB = (bytes) => (bytes === undefined ? "" : (bytes / 1000).toFixed(1));
  const line = (title, size, budget) => `${title.padEnd(26)}${size.padStart(8)}${budget.padStart(9)}`.trimEnd();
  return [
    line("kB after gzip -9", "size", "at most"),
    ...rows.map(([title, size, most]) => line(title, kB(size), kB(most))),
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(sizeTable());
