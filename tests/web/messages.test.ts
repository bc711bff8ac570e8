// The page's sentences: verdicts that fit the case, words for cells, and honest labels for short training.
import { describe, expect, it } from "vitest";
import { compare } from "../../web/src/draw/compare.ts";
import { messages } from "../../web/src/page/messages.ts";

const verdict = (output: string, expected: string | null) =>
  messages.verdict({ ...compare(output, expected), expected });

describe("verdict", () => {
  it.each([
    ["2021-03-03", "2021-03-03", "Right: this is the date that the text says."],
    ["2021-03-03 2021-03-04", "2021-03-03 2021-03-04", "Right: all 2 dates."],
    ["2021-03-04", "2021-03-03", "Wrong: the text says 2021-03-03."],
    ["2021-03-03 1927-06-11", "2021-03-03", "Wrong: the text says only one date."],
    ["2021-03-03 2021-03-05", "2021-03-03 2021-03-04", "Wrong: 1 of the 2 dates right."],
    ["2021-03-05", "2021-03-03 2021-03-04", "Wrong: none of the 2 dates right."],
    ["2021-03-03 2021-03-04 x", "2021-03-03 2021-03-04", "Wrong: 2 of the 2 dates right, and 1 too many."],
    ["2021-03-03", null, "No right answer is known for this text."],
  ])("%s against %s", (output, expected, words) => {
    expect(verdict(output, expected)).toBe(words);
  });
});

describe("words", () => {
  it("name the step, the token, the character, its place and its weight", () => {
    expect(messages.cell(1, "2", "0", 10, 0.9712)).toBe("Row 1 writes ‘2’, reads ‘0’ (position 10): α = 0.971");
    expect(messages.cell(11, "<eos>", " ", 2, 0.5)).toBe(
      "Row 11 writes <eos>, the end, reads a space (position 2): α = 0.500",
    );
  });

  it("call a short training by its name", () => {
    expect(messages.modelLine(161135, 500, 4000)).toBe("161,135 parameters; quick-trained: 500 of 4,000 steps.");
    expect(messages.modelLine(161135, 4000, 4000)).toBe("161,135 parameters; trained for 4,000 of 4,000 steps.");
    expect(messages.modelLine(128239, 0, 4000)).toMatch(/does not say/);
  });
});
