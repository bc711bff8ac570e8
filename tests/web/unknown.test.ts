// Letters that the model does not know, as the box and the text's echo underline them.
import { describe, expect, it } from "vitest";
import { allUnknown, unknownLetters } from "../../web/src/draw/unknown.ts";

const note = (start: number, end: number, code: "UNKNOWN_LETTER" | "UNTRAINED_FORM" = "UNKNOWN_LETTER") => ({
  code,
  start,
  end,
});
const marked = (text: string, marks: boolean[]) => Array.from(text).filter((_, k) => marks[k]);

describe("unknownLetters", () => {
  it("marks a letter wherever it stands, although its note names the first place only", () => {
    const text = "3 Määrz 2021 ä";
    expect(marked(text, unknownLetters(text, [note(3, 4), note(6, 7)]))).toEqual(["ä", "ä", "z", "ä"]);
  });

  it("counts code points, and leaves other notes alone", () => {
    const text = "3 🗓 March";
    expect(marked(text, unknownLetters(text, [note(2, 3), note(0, 9, "UNTRAINED_FORM")]))).toEqual(["🗓"]);
    expect(unknownLetters(text, [])).not.toContain(true);
  });

  it("marks all but the spaces of a text that says nothing to the model", () => {
    expect(allUnknown("日 本")).toEqual([true, false, true]);
  });
});
