// Builds the page into dist/: installs what it needs, compiles the WebAssembly module, bundles with Vite.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePackages } from "./packages.mjs";
import { sizeTable } from "./sizes.mjs";
import { main, quietly, root, step } from "./terminal.mjs";

export const tool = (name) => join(root, "node_modules", ".bin", name);

/** Installs the npm packages unless those of this very lock file are there. */
export async function ensureModules() {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const stamp = join(root, "node_modules", ".softalign-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  await step("Installing npm packages", () => quietly("npm", ["ci", "--include=dev"]));
  writeFileSync(stamp, lock);
}

/** Configures and builds a CMake preset; extra arguments go to the configuration. */
export async function compile(preset, title, ...options) {
  await step(`Configuring ${title}`, () => quietly("cmake", ["--preset", preset, ...options]));
  await step(`Compiling ${title}`, () => quietly("cmake", ["--build", "--preset", preset]));
}

/** Compiles the module without its tests, which need packages that the page does not. */
export const compileModule = () => compile("wasm", "the WebAssembly module", "-DSOFTALIGN_TESTS=OFF");

export async function bundle() {
  await step("Bundling the page", () => quietly(tool("vite"), ["build", "--config", "web/vite.config.ts"]));
  console.log(sizeTable());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await ensurePackages("page");
    await ensureModules();
    await compileModule();
    await bundle();
    console.log("The page is in dist/: any static server can serve it, from any folder");
  });
}
