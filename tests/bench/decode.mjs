// `npm run bench:decode`: one decode of the dot model by the module, by tuned JavaScript in the same page, and natively.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { main, root, Stop } from "../../.setup/terminal.mjs";
import { compile, inPage } from "./browser.mjs";
import { figure, machine, median, printTable, readCounts } from "./report.mjs";

const rows = {
  native: "native",
  bare: "module: decode_test, outputs alone",
  module: "module: Session.decode, its objects included",
  tuned: "tuned JavaScript",
};

/** The native contestant: a program that decodes what it is told, as often as it is told. */
function startNative() {
  const file = join(root, "build/native/tests/decode_bench");
  const program = spawn(file, [join(root, "models/dot.safetensors")], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  return {
    async run({ source }, count) {
      program.stdin.write(`${count}\t${source}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Stop("The native program ended");
      const [milliseconds, output] = value.split("\t");
      return { milliseconds: Number(milliseconds), output };
    },
    close: () => program.stdin.end(),
  };
}

/** Every contestant must write the same. */
async function checkOutputs(page, native, subject) {
  for (const name of ["module", "tuned"]) {
    const output = await page.evaluate(([name, subject]) => globalThis.bench.output(name, subject), [name, subject]);
    if (output !== subject.output) throw new Stop(`${rows[name]} reads "${subject.source}" as "${output}"`);
  }
  const { output } = await native.run(subject, 1);
  if (output !== subject.output) throw new Stop(`${rows.native} reads "${subject.source}" as "${output}"`);
}

/** Milliseconds a decode of each contestant: medians of samples that take turns. */
async function measure(page, native, subject, { samples, decodes }) {
  const times = Object.fromEntries(Object.keys(rows).map((name) => [name, []]));
  for (let sample = 0; sample < samples; sample++) {
    for (const name of Object.keys(rows)) {
      const arguments_ = [name, subject, decodes];
      const milliseconds =
        name === "native"
          ? (await native.run(subject, decodes)).milliseconds
          : await page.evaluate(([name, subject, count]) => globalThis.bench.time(name, subject, count), arguments_);
      times[name].push(milliseconds);
    }
  }
  const medians = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
  // Of neighbours in time, so that what else the machine does weighs on both.
  return { ...medians, ratio: median(times.tuned.map((tuned, sample) => tuned / times.module[sample])) };
}

await main(async () => {
  const counts = readCounts({ samples: 9, decodes: 50 });
  await compile("native", "decode_bench");
  await inPage(async (page, version) => {
    const native = startNative();
    const subjects = await page.evaluate(() => globalThis.bench.open());
    const columns = [];
    for (const subject of subjects) {
      await checkOutputs(page, native, subject);
      columns.push(await measure(page, native, subject, counts));
    }
    native.close();
    console.log(`\nGreedy decoding of the dot model, ms a decode. Chromium ${version}; ${machine()}.`);
    console.log(`Medians of ${counts.samples} samples of ${counts.decodes} decodes, contestants taking turns.\n`);
    printTable([
      ["", ...subjects.map(({ source, output }) => `${source.length} -> ${output.length + 1} characters`)],
      ...Object.entries(rows).map(([name, title]) => [title, ...columns.map((column) => figure(column[name]))]),
      [
        "tuned JavaScript / Session.decode, of neighbouring samples",
        ...columns.map(({ ratio }) => `${ratio.toFixed(1)} times`),
      ],
    ]);
  });
});
