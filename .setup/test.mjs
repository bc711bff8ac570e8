// `npm test`: installs what is missing, builds, runs every quick suite; --all adds the slow ones, --slow runs only those.
import { bundle, compile, ensureModules } from "./build.mjs";
import { ensurePackages } from "./packages.mjs";
import { quickSuites, slowSuites } from "./suites.mjs";
import { main, Stop, seconds } from "./terminal.mjs";

const builds = {
  native: () => compile("native", "the command line and its tests"),
  wasm: () => compile("wasm", "the WebAssembly module and its tests"),
  sanitize: () => compile("sanitize", "the core with sanitizers"),
  page: bundle,
};

function chosenSuites() {
  const flags = process.argv.slice(2);
  const unknown = flags.find((flag) => flag !== "--all" && flag !== "--slow");
  if (unknown) throw new Stop(`Unknown option "${unknown}": --all adds the slow suites, --slow runs only those`);
  if (flags.includes("--slow")) return slowSuites;
  return flags.includes("--all") ? [...quickSuites, ...slowSuites] : quickSuites;
}

/** Builds what the suites need, each thing once; returns the names of those that failed. */
async function buildAll(suites) {
  const failed = new Set();
  for (const name of Object.keys(builds).filter((name) => suites.some(({ needs }) => needs.includes(name)))) {
    try {
      await builds[name]();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      console.error(error.message);
      failed.add(name);
    }
  }
  return failed;
}

async function runSuite({ title, needs, run, mayBeEmpty }, broken) {
  const begin = Date.now();
  const lacking = needs.filter((name) => broken.has(name));
  if (lacking.length > 0) return { title, passed: 0, failed: 1, time: "", note: `not built: ${lacking.join(", ")}` };
  console.log(`\n── ${title}`);
  const count = await run();
  if (!mayBeEmpty && count.passed + count.failed === 0 && !count.note) {
    Object.assign(count, { failed: 1, note: "no test ran" });
  }
  return { title, time: seconds(begin), ...count };
}

function printSummary(rows, begin) {
  const width = Math.max(...rows.map(({ title }) => title.length));
  console.log(`\n${"suite".padEnd(width)}  passed  failed      time`);
  for (const { title, passed, failed, time, note } of rows) {
    const numbers = `${String(passed).padStart(6)}  ${String(failed).padStart(6)}  ${time.padStart(8)}`;
    console.log(`${title.padEnd(width)}  ${numbers}${note ? `  ${note}` : ""}`);
  }
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  console.log(`\nAll in ${seconds(begin)}, building included`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed");
}

await main(async () => {
  const begin = Date.now();
  const suites = chosenSuites();
  await ensurePackages("tests");
  await ensureModules();
  const broken = await buildAll(suites);
  const rows = [];
  for (const suite of suites) rows.push(await runSuite(suite, broken));
  const told = rows.filter(({ passed, failed, note }) => passed + failed > 0 || note);
  return printSummary(told, begin) > 0 ? 1 : 0;
});
