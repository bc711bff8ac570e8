// Flags: each is in --help with its default, and anything else is refused with what is allowed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root, run } from "./program.ts";

const options: Record<string, Record<string, string>> = {
  train: {
    "--score": "dot",
    "--ordering": "luong",
    "--encoder": "uni",
    "--steps": "4000",
    "--quick": "off",
    "--seed": "0",
    "--name": "of its kind, such as dot",
    "--out": "FOLDER/NAME.safetensors",
    "--folder": "models",
    "--force": "off",
    "--dtype": "f16",
    "--snapshots": "off",
    "--log": "none",
    "--checkpoint-every": "100",
    "--resume": "off",
    "--device": "auto",
    "--threads": "the cores, at most 4",
    "--gru": "own",
    "--all": "off",
    "--overfit-one-batch": "off",
  },
  evaluate: {
    "--model": "models/dot.safetensors",
    "--split": "test",
    "--limit": "0",
    "--threads": "all cores",
    "--backend": "eigen",
    "--json": "off",
    "--html": "none",
    "--force": "off",
  },
  decode: {
    "--model": "models/dot.safetensors",
    "--stdin": "off",
    "--beam": "off",
    "--n-best": "1",
    "--plain-values": "off",
    "--tree": "off",
    "--backend": "eigen",
    "--json": "off",
    "--color": "auto",
    "--svg": "none",
    "--force": "off",
  },
  intervene: {
    "--model": "models/dot.safetensors",
    "--row": "all",
    "--one-hot": "off",
    "--uniform": "off",
    "--shift": "off",
    "--temperature": "off",
    "--zero-context": "off",
    "--free-row": "off",
    "--force": "off",
    "--limit": "0",
    "--threads": "all cores",
    "--json": "off",
    "--color": "auto",
  },
  data: { "--split": "test" },
  table: {},
  verify: { "--threads": "all cores" },
  snapshots: { "--model": "models/dot.safetensors", "--measure": "off", "--threads": "all cores", "--json": "off" },
  probe: { "--model": "models/dot.safetensors" },
};
const commands = Object.keys(options);

describe.each(commands)("softalign %s", (command) => {
  const declared = options[command] ?? {};
  const { code, out, err } = run([command, "--help"]);

  it("shows each option once, with its default, and no other option", () => {
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const entries = out
      .slice(out.indexOf("\nOptions:"))
      .split(/\n {2}(?=-)/)
      .slice(1);
    const shown = entries.map((entry) => [entry.match(/--[a-z-]+/)?.[0], entry.match(/\[([^\]]*)\]\s*(\n\n|$)/)?.[1]]);
    expect(Object.fromEntries(shown)).toEqual({ "--help": undefined, ...declared });
    expect(shown.length).toBe(Object.keys(declared).length + 1);
  });

  it("refuses an unknown option and lists those that it has", () => {
    const { code, out, err } = run([command, "--sedd", "3"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`softalign ${command}: unknown argument --sedd`);
    for (const option of Object.keys(declared)) expect(err).toContain(option);
  });
});

it("names every command in --help", () => {
  const { code, out } = run(["--help"]);
  expect(code).toBe(0);
  for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} +[A-Z]`, "m"));
});

it("--version names the version of package.json, and the commit where there is a repository", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const commit = existsSync(join(root, ".git")) ? ", built at commit [0-9a-f]{12}" : "";
  const { code, out, err } = run(["--version"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(new RegExp(`^softalign ${version.replaceAll(".", "\\.")}${commit}\n$`));
  expect(run(["--help"]).out).toContain("--version");
});

it("names the exit codes in --help", () => {
  for (const args of [["--help"], ...commands.map((command) => [command, "--help"])])
    for (const code of [0, 1, 2, 3, 130]) expect(run(args).out).toMatch(new RegExp(`^  ${code} +\\w`, "m"));
});

it.each([[["trian"]], [["--quick"]], [[]]])("%j is no command: all of them are listed", (args) => {
  const { code, out, err } = run(args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  for (const command of commands) expect(err).toContain(command);
});

it.each([
  [["train", "--score", "cosine"], '--score: "cosine" is not one of none, dot, general, additive'],
  [["train", "--ordering", "cho"], '--ordering: "cho" is not one of luong, bahdanau'],
  [["train", "--encoder", "both"], '--encoder: "both" is not one of uni, bi, reversed'],
  [["train", "--overfit-one-batch", "--all"], "--all excludes --overfit-one-batch"],
  [["train", "--overfit-one-batch", "--out", "x.safetensors"], "--out excludes --overfit-one-batch"],
  [["train", "--device", "tpu"], '--device: "tpu" is not one of auto, cpu, cuda'],
  [["train", "--dtype", "bf16"], '--dtype: "bf16" is not one of f16, f32'],
  [["train", "--steps", "0"], '--steps: "0" is not a whole number from 1 to 1000000'],
  [["train", "--steps", "ten"], '--steps: "ten" is not a whole number'],
  [["train", "--threads", "0"], '--threads: "0" is not a whole number from 1 to 256'],
  [["train", "--seed", "-1"], '--seed: "-1" is not a whole number from 0'],
  [["train", "--quick", "--steps", "3"], "--steps excludes --quick"],
  [["train", "--out"], "--out"],
  [["train", "--gru", "mine"], '--gru: "mine" is not one of own, torch'],
  [["train", "--checkpoint-every", "0"], '--checkpoint-every: "0" is not a whole number from 1 to 1000000'],
  [["evaluate", "--split", "dev"], '--split: "dev" is not one of test, train'],
  [["evaluate", "--backend", "wasm"], '--backend: "wasm" is not one of eigen, torch'],
  [["evaluate", "--limit", "-3"], '--limit: "-3" is not a whole number from 0'],
  [["evaluate", "--threads", "0"], '--threads: "0" is not a whole number from 1 to 256'],
  [["verify", "--threads", "many"], '--threads: "many" is not a whole number from 1 to 256'],
  [["data", "--split", "dev"], '--split: "dev" is not one of test, train'],
  [["decode"], "give a text"],
  [["decode", "--color", "red", "x"], '--color: "red" is not one of auto, always, never'],
])("%j is refused", (args, sentence) => {
  const { code, out, err } = run(args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(sentence);
});
