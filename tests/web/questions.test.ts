// Questions: answers are read as people write them, every check has a right answer among its own, and a reason.
import { describe, expect, it } from "vitest";
import { isRight, numberOf, type Check } from "../../web/src/demos/questions.ts";
import { checks, glossary, predictions } from "../../web/src/page/messages.ts";
import { readdirSync, readFileSync } from "node:fs";

it.each([
  ["2.71", 2.71],
  [" 2,71 ", 2.71],
  ["", null],
  ["two", null],
  ["Infinity", null],
])("%j is %j", (written, value) => expect(numberOf(written)).toBe(value));

describe.each(Object.entries(checks as Record<string, Check>))("check %s", (_, check) => {
  it("takes its right answer and no other, and says why", () => {
    expect(isRight(check, String(check.right))).toBe(true);
    expect(check.why.length).toBeGreaterThan(40);
    if (check.kind === "choice") {
      const others = Object.keys(check.options).filter((name) => name !== check.right);
      expect(check.options[check.right]).toBeDefined();
      expect(others.length).toBeGreaterThan(0);
      for (const other of others) expect(isRight(check, other)).toBe(false);
    } else {
      expect(isRight(check, String(check.right + 2 * check.tolerance + 0.01))).toBe(false);
      expect(isRight(check, "")).toBe(false);
    }
  });
});

describe("the sections", () => {
  const text = readdirSync("web/sections")
    .map((name) => readFileSync(`web/sections/${name}`, "utf8"))
    .join("\n");
  const used = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();

  it("ask every question of the lists, and no other", () => {
    expect(used(/<sa-check [^>]*question="([^"]+)"/g)).toEqual(Object.keys(checks).sort());
    expect(used(/<sa-prediction [^>]*question="([^"]+)"/g)).toEqual(Object.keys(predictions).sort());
  });
  it("explain every term of the glossary, and no other", () => {
    const named = [...text.matchAll(/<sa-term(?: name="([^"]*)")?>([^<]*)</g)].map(([, name, word]) => name ?? word);
    expect([...new Set(named)].sort()).toEqual(Object.keys(glossary).sort());
  });
  it("give every element a name of its own for the address", () => {
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
