// What the benches share when they read their options and print: positive numbers, medians, tables.
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Stop } from "../../.setup/terminal.mjs";

/** Reads `--name NUMBER` options; `defaults` names them all. */
export function readCounts(defaults) {
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: "string" }]));
  const usage = `options: ${Object.entries(defaults)
    .map(([name, count]) => `--${name} ${count}`)
    .join(" ")}`;
  let values = {};
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    throw new Stop(`${error.message}\n${usage}`);
  }
  const counts = { ...defaults };
  for (const [name, text] of Object.entries(values)) {
    counts[name] = Number(text);
    if (!Number.isInteger(counts[name]) || counts[name] < 1)
      throw new Stop(`--${name} takes a positive number\n${usage}`);
  }
  return counts;
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Three significant digits. */
export const figure = (number) => (number >= 100 ? number.toFixed(0) : number.toPrecision(3));

/** Rows of [title, ...cells], the first of them the heads. */
export function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    const cells = row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[column])));
    console.log(`  ${cells.join("   ")}`.trimEnd());
  }
}

export const machine = () => `${cpus()[0].model.trim()}, ${cpus().length} threads`;
