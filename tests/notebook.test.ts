// The notebook for a GPU at Colab: it is valid, clean, and calls only what the programs have.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root, run } from "./cli/program.ts";

interface Cell {
  cell_type: string;
  id: string;
  source: string[];
  outputs?: unknown[];
  execution_count?: unknown;
}

const text = readFileSync(join(root, "native/colab.ipynb"), "utf8");
const notebook: { nbformat: number; nbformat_minor: number; cells: Cell[]; metadata: object } = JSON.parse(text);
const code = notebook.cells.filter(({ cell_type }) => cell_type === "code");
const lines = code.flatMap(({ source }) => source.map((line) => line.trimEnd()));
const shell = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));

it("is a notebook of format 4, without outputs", () => {
  expect(notebook).toMatchObject({ nbformat: 4, nbformat_minor: 5, metadata: { accelerator: "GPU" } });
  expect(new Set(notebook.cells.map(({ id }) => id)).size).toBe(notebook.cells.length);
  for (const { cell_type, id } of notebook.cells) {
    expect(["markdown", "code"]).toContain(cell_type);
    expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  }
  for (const { outputs, execution_count } of code)
    expect({ outputs, execution_count }).toEqual({ outputs: [], execution_count: null });
  for (const { cell_type, outputs } of notebook.cells) if (cell_type === "markdown") expect(outputs).toBeUndefined();
});

it("names no place of one machine", () => {
  const absolute = /(^|["'\s=(:])\/(?!\/)\w+|~\/|\b[A-Z]:\\/;
  expect(notebook.cells.flatMap(({ source }) => source).filter((line) => absolute.test(line))).toEqual([]);
});

it("calls commands and flags that the program has", () => {
  const calls = shell.filter((line) => line.startsWith("softalign "));
  expect(calls.map((call) => call.split(" ")[1])).toEqual(
    expect.arrayContaining(["train", "evaluate", "verify", "decode"]),
  );
  for (const call of calls) {
    const [, command = "", ...words] = call.split(" ");
    if (command.startsWith("--")) {
      expect(run(["--help"]).out).toContain(command);
      continue;
    }
    const { code: status, out } = run([command, "--help"]);
    expect(status, call).toBe(0);
    for (const word of words.filter((each) => each.startsWith("--")))
      expect(out, call).toMatch(new RegExp(`^ +(-\\w,)?${word}\\b`, "m"));
    const [, score] = /--score (\S+)/.exec(call) ?? [];
    if (score) expect(/--score (\S+)/.exec(out)?.[1]?.split("|"), call).toContain(score);
  }
});

it("trains dot first, then all", () => {
  const trained = shell.filter((line) => line.startsWith("softalign train "));
  expect(trained.map((line) => /--score dot\b|--all\b/.exec(line)?.[0])).toEqual(["--score dot", "--all"]);
});

it("builds presets and targets that there are", () => {
  const presets = JSON.parse(readFileSync(join(root, "CMakePresets.json"), "utf8"));
  const files = ["native/CMakeLists.txt", "tests/CMakeLists.txt"]
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
  for (const line of shell.filter((each) => each.startsWith("cmake "))) {
    const [, preset] = /--preset (\S+)/.exec(line) ?? [];
    expect(presets[line.includes("--build") ? "buildPresets" : "configurePresets"]).toContainEqual(
      expect.objectContaining({ name: preset }),
    );
    for (const target of /--target (.*)/.exec(line)?.[1]?.split(" ") ?? [])
      expect(files).toMatch(new RegExp(`add_executable\\(${target}\\s`));
  }
});

const ask = (program: string) => {
  const { status, stdout, stderr } = spawnSync("python3", ["-"], { input: program, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
};

it("is Python that compiles", () => {
  const cells = code.map(({ source }) => source.map((line) => (line.startsWith("!") ? "pass\n" : line)).join(""));
  const program = `import json\nfor cell in json.loads(${JSON.stringify(JSON.stringify(cells))}): compile(cell, "cell", "exec")\nprint(1)`;
  expect(ask(program)).toBe(1);
});

it("says what to do about a driver that is older than PyTorch's CUDA, and about what is absent (L73)", () => {
  const check = code.map(({ source }) => source.join("")).find((source) => source.includes("def advice(")) ?? "";
  const functions = check.slice(0, check.indexOf("def found("));
  const cases = [
    ["12.4", "13.0", "12.4"],
    ["11.4", "12.1", null],
    ["12.4", "12.8", "12.8"],
    ["12.10", "12.8", "12.5"],
    ["10.2", "12.8", "12.8"],
    [null, "12.8", "12.8"],
    ["12.8", null, "12.8"],
    ["12.8", "12.8", null],
    ["13.0", "12.8", "13.0"],
  ];
  const said = ask(
    `import json\n${functions}\nprint(json.dumps([advice(*c) for c in json.loads('${JSON.stringify(cases)}')]))`,
  );
  expect(said).toEqual([
    expect.stringMatching(/driver knows CUDA up to 12\.4.*built for 13\.0.*for cu124 \(/),
    expect.stringMatching(/driver knows CUDA up to 11\.4.*built for 12\.1.*for cu118 \(/),
    null,
    null,
    expect.stringContaining("too old for any PyTorch"),
    expect.stringContaining("no GPU driver"),
    expect.stringContaining("CPU alone"),
    expect.stringContaining("nvcc"),
    expect.stringContaining("nvcc is of CUDA 13.0"),
  ]);
});
