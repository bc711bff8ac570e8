// Runs commands and says what is going on: one line a step, with the time for anything over a second.
import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A failure whose message is all that the reader needs: printed without a stack. */
export class Stop extends Error {}

export const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** Runs `work` under a title. A terminal sees the seconds count; a log gets a line after one second, then every 30. */
export async function step(title, work) {
  const begin = Date.now();
  const live = process.stdout.isTTY;
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (live) process.stdout.write(`\r  ${title} … ${ticks} s `);
    else if (ticks === 1) console.log(`  ${title} …`);
    else if (ticks % 30 === 0) console.log(`  ${title} … ${ticks} s`);
  }, 1000);
  try {
    const result = await work();
    if (ticks > 0) console.log(`${live ? "\r" : ""}✓ ${title}: ${seconds(begin)}    `);
    return result;
  } catch (error) {
    console.log(`${live && ticks > 0 ? "\r" : ""}✗ ${title}: failed after ${seconds(begin)}`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

function start(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, ...options });
    let output = "";
    child.stdout?.on("data", (chunk) => (output += chunk));
    child.stderr?.on("data", (chunk) => (output += chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code: signal ? 128 : code, output }));
  });
}

/** Runs a command quietly and returns what it printed; when it fails, throws a Stop with the end of that. */
export async function quietly(command, args, env = {}) {
  const options = { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } };
  const { code, output } = await start(command, args, options).catch((error) => ({ code: 127, output: error.message }));
  if (code === 0) return output;
  const tail = output.trimEnd().split("\n").slice(-60).join("\n");
  throw new Stop(`${tail}\n\n\`${[command, ...args].join(" ")}\` ended with code ${code}`);
}

/** Runs a command in the open, its output as it comes, and returns its exit code. */
export async function openly(command, args, env = {}) {
  const options = { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } };
  const { code } = await start(command, args, options).catch((error) => {
    console.error(error.message);
    return { code: 127 };
  });
  return code;
}

/** Runs the main function of a script: a Stop ends it with its sentence, anything else with its stack. */
export async function main(work) {
  try {
    const [major, minor] = process.versions.node.split(".").map(Number);
    if (major < 20 || (major === 20 && minor < 19)) {
      throw new Stop(`This needs Node 20.19 or newer; \`node\` here is ${process.version}`);
    }
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(error instanceof Stop ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
