// `npm run bench:train`: one training step of the trainer beside the lab's loop, of the same batches, taking turns.
import { join } from "node:path";
import { main, quietly, root, Stop, step } from "../../.setup/terminal.mjs";
import { compile } from "./browser.mjs";
import { figure, machine, median, printTable, readCounts } from "./report.mjs";

const rows = {
  "lab 1": "the lab's loop, one thread",
  "lab 2": "the lab's loop, two threads",
  "ours 1": "softalign, one worker",
  "ours 2": "softalign, two workers",
};

/** Times by contestant, and the loss that each had after the same steps. */
async function measure(score, { rounds, steps }) {
  const program = join(root, "build/native/tests/train_bench");
  const text = await step(`Training with the ${score} score`, () =>
    quietly(program, [score, rounds, steps].map(String)),
  );
  const times = Object.fromEntries(Object.keys(rows).map((name) => [name, []]));
  const losses = {};
  for (const line of text.trim().split("\n")) {
    const [name, ...numbers] = line.split("\t");
    if (name === "loss") losses[numbers[0]] = Number(numbers[1]);
    else times[name].push(Number(numbers[0]));
  }
  const spread = Math.max(...Object.values(losses)) - Math.min(...Object.values(losses));
  if (!(spread < 0.02)) throw new Stop(`They do not learn the same: ${JSON.stringify(losses)}`);
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

await main(async () => {
  const counts = readCounts({ rounds: 7, steps: 10 });
  await compile("native", "train_bench");
  const scores = ["dot", "additive"];
  const columns = [];
  for (const score of scores) columns.push(await measure(score, counts));
  const times = (slow, fast) =>
    columns.map((column) => `${(Math.min(...slow.map((name) => column[name])) / column[fast]).toFixed(2)} times`);
  console.log(`\nA training step of batch 128 in ms. ${machine()}.`);
  console.log(
    `Medians of ${counts.rounds} rounds of ${counts.steps} steps on the same batches, contestants taking turns.\n`,
  );
  printTable([
    ["", ...scores],
    ...Object.entries(rows).map(([name, title]) => [title, ...columns.map((column) => figure(column[name]))]),
    ["lab's best / one worker", ...times(["lab 1", "lab 2"], "ours 1")],
    ["lab's best / two workers", ...times(["lab 1", "lab 2"], "ours 2")],
  ]);
});
