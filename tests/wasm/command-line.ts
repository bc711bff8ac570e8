// What the native command line prints for sources; it writes each weight as the shortest text of its float.
import { execFileSync } from "node:child_process";

export const cli = process.env.SOFTALIGN ?? "build/native/native/softalign";

export interface Line {
  source: string;
  output: string;
  log_prob: number;
  alpha: number[][] | null;
}

export function native(model: string, sources: string): Line[] {
  const printed = execFileSync(cli, ["decode", "--model", `models/${model}.safetensors`, "--json", "--stdin"], {
    input: sources,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}
