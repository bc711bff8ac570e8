// `npm run bench:bulk`: the page's measurement of the dot model on the 2,000 test sources, by its own pool of workers.
import { main } from "../../.setup/terminal.mjs";
import { inPage } from "./browser.mjs";
import { figure, machine, median, printTable, readCounts } from "./report.mjs";

await main(async () => {
  const { samples, workers } = readCounts({ samples: 5, workers: 2 });
  await inPage(async (page, version) => {
    const runs = [];
    for (let sample = 0; sample < samples; sample++) {
      runs.push(await page.evaluate((workers) => globalThis.bench.measure(workers), workers));
    }
    const seconds = median(runs.map((run) => run.seconds));
    const [{ n, exact_match }] = runs;
    const sources = n.reduce((sum, count) => sum + count, 0);
    console.log(`\nThe dot model on the test split, in the page. Chromium ${version}; ${machine()}.`);
    console.log(`Median of ${samples} runs, each from starting its workers to the result.\n`);
    printTable([
      ["sources", "workers", "seconds", "sources a second"],
      [String(sources), String(runs[0].workers), figure(seconds), figure(sources / seconds)],
    ]);
    console.log(`\n  exact match at K = 1..4: ${exact_match.map((share) => share.toFixed(3)).join(" ")}`);
  });
});
