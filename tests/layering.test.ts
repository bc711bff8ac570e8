// Reads every file of the working tree and the built page and holds them to the rules of layering.ts.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type File, rules, violations } from "./layering.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function listed(): string[] {
  const command = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const names = execFileSync("git", command, { cwd: root, encoding: "utf8" }).split("\0");
  return names.filter((name) => name !== "" && existsSync(join(root, name)));
}

function built(): string[] {
  const names = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" });
  return names.map((name) => `dist/${name}`).filter((name) => /\.(js|html)$/.test(name));
}

const read = (path: string): File => ({ path, text: readFileSync(join(root, path), "utf8") });
const isText = ({ text }: File) => !text.includes("\0");

describe("each rule tells a file that breaks it from one that keeps it", () => {
  test.each(rules)("$says", (rule) => {
    expect(violations(rule.bad, [rule])).not.toEqual([]);
    expect(violations(rule.good, [rule])).toEqual([]);
  });
});

test("the repository keeps the rules", () => {
  const files = listed().map(read).filter(isText);
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => violations(file))).toEqual([]);
});

test("the built page keeps the rules", () => {
  expect(existsSync(join(root, "dist")), "dist/ is there: npm run build makes it").toBe(true);
  const files = built().map(read);
  expect(files.length).toBeGreaterThan(1);
  expect(files.flatMap((file) => violations(file))).toEqual([]);
});
