// Every suite that `npm test` runs: what it needs built, how it runs, and how its cases are counted from its report.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { tool } from "./build.mjs";
import { chromium } from "./packages.mjs";
import { openly, quietly, root } from "./terminal.mjs";

const results = (name) => join(root, "build", "results", name);

/** Runs a command that leaves a report in `file` and counts it with `read`; no report means that the suite failed. */
async function reported(file, read, command, args, env) {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const code = await openly(command, args, env);
  let count = { passed: 0, failed: 0 };
  try {
    count = read(readFileSync(file, "utf8"));
  } catch (error) {
    return { passed: 0, failed: 1, note: `no report: ${error.message}` };
  }
  // A runner that fails without a failed case (a leak, a crash at exit) is a failure all the same.
  if (code !== 0 && count.failed === 0) return { ...count, failed: 1, note: `ended with code ${code}` };
  return count;
}

const attribute = (tag, name) => tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1];

/** A CTest report. Suites that ran as one process (`wasm.quick`) left a GoogleTest report with their cases. */
function readCtest(preset, xml) {
  const count = { passed: 0, failed: 0 };
  for (const [tag] of xml.matchAll(/<testcase [^>]*>/g)) {
    const name = attribute(tag, "name");
    const passed = attribute(tag, "status") === "run";
    if (/^[a-z]+\.(quick|slow)$/.test(name)) addGoogleTest(count, preset, name, passed);
    else count[passed ? "passed" : "failed"] += 1;
  }
  return count;
}

function addGoogleTest(count, preset, name, passed) {
  const report = JSON.parse(readFileSync(join(root, "build", preset, "results", `${name}.json`), "utf8"));
  const cases = (report.testsuites ?? []).flatMap(({ testsuite }) => testsuite);
  const good = cases.filter(({ status, result, failures }) => status === "RUN" && result === "COMPLETED" && !failures);
  const bad = cases.length - good.length;
  count.passed += good.length;
  count.failed += passed ? bad : Math.max(bad, 1);
}

function readVitest(text) {
  const { numPassedTests, numTotalTests, testResults } = JSON.parse(text);
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numTotalTests - numPassedTests + broken.length };
}

function readPlaywright(text) {
  const { stats, errors } = JSON.parse(text);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length };
}

function ctest(preset, ...filter) {
  rmSync(join(root, "build", preset, "results"), { recursive: true, force: true });
  const file = results(`${preset}${filter.join("").replaceAll("|", "+")}.xml`);
  const args = ["--preset", preset, "--no-tests=ignore", ...filter, "--output-junit", file];
  return reported(file, (xml) => readCtest(preset, xml), "ctest", args);
}

/** Whether LibTorch was there when the native build was configured. */
async function builtWithTorch() {
  const list = await quietly("ctest", ["--preset", "native", "--show-only=json-v1"]);
  return list.includes('"torch.quick"');
}

async function torch(...filter) {
  if (await builtWithTorch()) return ctest("native", ...filter);
  const note = "LibTorch was not found, so its suites did not run";
  return { passed: 0, failed: process.env.CI === "true" ? 1 : 0, note };
}

const notSlow = "--exclude=**/*.slow.test.ts";

const vitest = (name, ...args) => vitestWith({}, name, ...args);

function vitestWith(env, name, ...args) {
  const file = results(`${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const command = ["run", "--config", "tests/vitest.config.ts", ...reporters, ...args];
  return reported(file, readVitest, tool("vitest"), command, env);
}

function playwright(name, ...args) {
  const browser = chromium();
  if (!browser) return { passed: 0, failed: 1, note: "no Chromium here: set CHROMIUM to its path" };
  const file = results(`${name}.json`);
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, CHROMIUM: browser };
  const command = ["test", "--config", "tests/browser/playwright.config.ts", "--reporter=list,json", ...args];
  return reported(file, readPlaywright, tool("playwright"), command, env);
}

async function single(command, ...args) {
  return (await openly(command, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

// Browser cases for the slow round: those tagged @slow, and the files that try every width, theme, host, payload and detail,
// or measure whole splits.
const slowInBrowser =
  "@slow|(look|hosting|safety|bulk|measured|report|demos|still|explanation|two-models|hold|parity|box)\\.spec";

export const quickSuites = [
  { title: "core, native", needs: ["native"], run: () => ctest("native", "-L", "core.quick") },
  { title: "core, WebAssembly", needs: ["wasm"], run: () => ctest("wasm", "-L", "wasm.quick") },
  { title: "LibTorch", needs: ["native"], run: () => torch("-L", "torch.quick") },
  { title: "command line", needs: ["native"], run: () => vitest("cli", notSlow, "tests/cli/") },
  { title: "lint", needs: [], run: () => single(tool("biome"), "lint", "--error-on-warnings") },
  { title: "types", needs: [], run: () => single(tool("tsc"), "--project", "web/tsconfig.json") },
  {
    title: "page units, wasm contract",
    needs: ["native", "wasm", "page"],
    run: () => vitest("vitest", notSlow, "--exclude=tests/cli/**"),
  },
  {
    title: "browser",
    needs: ["native", "wasm", "page"],
    run: () => playwright("browser", `--grep-invert=${slowInBrowser}`),
  },
];

const sanitized = { SOFTALIGN: join(root, "build/sanitize/native/softalign") };

// Slow rounds may be empty: a suite without slow cases leaves no row.
export const slowSuites = [
  { title: "core, native (slow)", needs: ["native"], run: () => ctest("native", "-L", "core.slow") },
  { title: "core, WebAssembly (slow)", needs: ["wasm"], run: () => ctest("wasm", "-L", "wasm.slow") },
  { title: "LibTorch (slow)", needs: ["native"], run: () => torch("-L", "torch.slow") },
  // What goes over whole splits runs without sanitizers alone: the same lines are met there many times over, and slowly.
  {
    title: "core with sanitizers",
    needs: ["sanitize"],
    run: () => ctest("sanitize", "-E", "CommittedBits|MeasuresSlices|BeamOnModels|LastDaysOfMonths"),
  },
  {
    title: "command line with sanitizers",
    needs: ["sanitize"],
    run: () =>
      vitestWith(
        sanitized,
        "cli-sanitize",
        "tests/cli/decode",
        "tests/cli/beam",
        "tests/cli/intervene",
        "tests/cli/flags",
        "tests/cli/data",
        "tests/cli/table",
      ),
  },
  {
    title: "page units, command line (slow)",
    needs: ["native", "wasm", "page"],
    run: () => vitest("vitest-slow", "--passWithNoTests", ".slow."),
  },
  {
    title: "browser (slow)",
    needs: ["native", "wasm", "page"],
    run: () => playwright("browser-slow", `--grep=${slowInBrowser}`),
  },
].map((suite) => ({ ...suite, mayBeEmpty: suite.needs[0] !== "sanitize" }));
