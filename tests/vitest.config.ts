// Which TypeScript suites Vitest runs: the page's pure parts, the wasm contract, the command line and the repository checks.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { alias } from "../web/vite.config.ts";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  resolve: { alias },
  assetsInclude: ["**/*.safetensors"],
  test: {
    include: [
      "tests/*.test.ts",
      "tests/web/**/*.test.ts",
      "tests/wasm/**/*.test.ts",
      "tests/cli/**/*.test.ts",
      "tests/bench/*.test.ts",
    ],
    environment: "node",
    testTimeout: 20_000,
  },
});
