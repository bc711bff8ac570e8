// State in attributes: what they can say is read and written back as it is, and anything else counts as the usual value.
import { describe, expect, it } from "vitest";
import { choice, number, readValue, text, writeValue } from "../../web/src/demos/attributes.ts";
import { elements, helpers } from "../../web/src/demos/elements.ts";

describe("a number", () => {
  const length = number(1.5, 0, 3, 0.1, "");
  it.each([
    ["2.3", 2.3],
    ["2.34", 2.3],
    ["-1", 0],
    ["99", 3],
    ["0", 0],
    ["", 1.5],
    [" ", 1.5],
    ["1e999", 1.5],
    ["NaN", 1.5],
    ["many", 1.5],
    [null, 1.5],
  ])("written %j is %d", (written, value) => expect(readValue(length, written)).toBe(value));
});

it("a choice is one of its own, a text as long as it may be, in code points", () => {
  const theme = choice("off", ["off", "on"], "");
  expect([readValue(theme, "on"), readValue(theme, "ON"), readValue(theme, null)]).toEqual(["on", "off", "off"]);
  const short = text("", 3, "");
  expect(readValue(short, "\u{1f4c5}\u{1f4c5}\u{1f4c5}\u{1f4c5}")).toBe("\u{1f4c5}\u{1f4c5}\u{1f4c5}");
});

describe.each(Object.entries({ ...elements, ...helpers }))("%s", (_, { says, attributes }) => {
  it("says what it and each attribute is, in names that HTML can carry", () => {
    expect(says).toMatch(/\w/);
    for (const [name, attribute] of Object.entries(attributes)) {
      expect(attribute.says, name).toMatch(/\w/);
      expect(name).toMatch(/^[A-Za-z]+$/);
    }
  });
  it("reads back what it writes, and writes nothing for the usual value", () => {
    for (const attribute of Object.values(attributes)) {
      expect(writeValue(attribute, attribute.usual)).toBeNull();
      expect(readValue(attribute, String(attribute.usual))).toBe(attribute.usual);
    }
  });
});
