// What visitors fetch, packed by gzip -9 as static hosts pack it: printed after each build, held to the budgets by tests.
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
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

// What comes once the first map is alive, or instead of it: other models, the module without SIMD, the engine for a page
// without workers.
const later = [/^(?!dot-).*\.safetensors$/, /^softalign-scalar-/, /^engine-/];

/** The files of the built page that its first live map takes, each with its packed size. */
export const firstMapFiles = () =>
  readdirSync(join(root, "dist"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !later.some((pattern) => pattern.test(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(join(root, "dist"), file).replaceAll("\\", "/"), bytes: packedSize(file) }));

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
