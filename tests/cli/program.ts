// Runs the command line as its users do: as a process with arguments, streams and signals.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export const root = fileURLToPath(new URL("../..", import.meta.url));
/** SOFTALIGN names another build, such as that with sanitizers. */
export const program = process.env.SOFTALIGN ?? join(root, "build/native/native/softalign");
export const hasTorch = existsSync(join(dirname(program), "softalign-torch"));
export const model = (name: string) => join(root, "models", `${name}.safetensors`);

if (!existsSync(program)) throw new Error(`there is no ${program}: build the preset "native", or set SOFTALIGN`);

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

export interface Surroundings {
  input?: string;
  env?: Record<string, string>;
  cwd?: string;
}

export function run(args: string[], { input = "", env = {}, cwd = root }: Surroundings = {}): Outcome {
  const options = { cwd, input, encoding: "utf8", env: { ...process.env, ...env }, maxBuffer: 1 << 26 } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (error) throw error;
  return { code: status, out: stdout, err: stderr };
}

/** Starts the program; `ended` gives its outcome. */
export function start(
  args: string[],
  env: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<Outcome> } {
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
  return { child, ended };
}

export const jsonLines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
/** A new folder, gone after the file's tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "softalign-"));
  folders.push(folder);
  return folder;
}

/** The path of a new file with these bytes. */
export function temporaryFile(name: string, bytes: Uint8Array | string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

export const bytesOf = (name: string) => readFileSync(model(name));

/** The weights of a model with the first two gates of its encoder in each other's place. */
export function swappedGates(name: string): Buffer {
  const bytes = bytesOf(name);
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + length));
  const [begin, end] = header["enc.weight_hh_l0"].data_offsets;
  const gate = (end - begin) / 3;
  const at = 8 + length + begin;
  const r = Buffer.from(bytes.subarray(at, at + gate));
  bytes.copyWithin(at, at + gate, at + 2 * gate);
  r.copy(bytes, at + gate);
  return bytes;
}
