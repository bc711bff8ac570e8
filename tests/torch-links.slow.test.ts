// A LibTorch of the other std::string layout ends the configure step with one sentence, not the link with a page of symbols.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, "build/native/CMakeCache.txt");
const torch = existsSync(cache) ? /^Torch_DIR:PATH=(\/.*)$/m.exec(readFileSync(cache, "utf8"))?.[1] : undefined;
const folder = mkdtempSync(join(tmpdir(), "softalign-links-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The same LibTorch, whose CMake files say that it has the other layout.
it("a LibTorch of the other C++ ABI is found out before anything is compiled (L70)", () => {
  if (!torch) return expect(process.env.CI, "CI has LibTorch").not.toBe("true");
  const old = "-D_GLIBCXX_USE_CXX11_ABI=0";
  writeFileSync(
    join(folder, "TorchConfig.cmake"),
    `include("${torch}/TorchConfig.cmake")
       set(TORCH_CXX_FLAGS "${old}")
       set_property(TARGET torch PROPERTY INTERFACE_COMPILE_OPTIONS "${old}")\n`,
  );
  const build = join(folder, "build");
  const args = ["-S", root, "-B", build, "-G", "Ninja", "-DSOFTALIGN_TESTS=ON", `-DTorch_DIR=${folder}`];
  const { status, stderr } = spawnSync("cmake", args, { encoding: "utf8" });
  expect(status).not.toBe(0);
  const said = stderr.replace(/\s+/g, " ");
  expect(said).toContain("built for the other std::string layout (old or new C++ ABI)");
  expect(said.match(/CMake Error/g)?.length).toBe(1);
  const log = join(build, "native/torch_links.log");
  expect(readFileSync(log, "utf8")).toMatch(/undefined reference to .*GetExceptionString/);
}, 300_000);
