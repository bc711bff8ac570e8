// The state in the page's address: what is read, what is written, and that the two agree.
import { describe, expect, it } from "vitest";
import { LONGEST_TEXT, readAddress, SHOWCASE, writeAddress } from "../../web/src/page/address.ts";

describe("the address", () => {
  it("starts with the showcase and the attention model", () => {
    expect(readAddress("")).toEqual({ text: SHOWCASE, model: "dot", labBefore: false });
    expect(readAddress("?text=")).toMatchObject({ text: "" });
    expect(readAddress("?lab=before").labBefore).toBe(true);
    expect(readAddress("?lab=after").labBefore).toBe(false);
  });

  it("carries any text there and back", () => {
    for (const text of [
      "",
      "3 März 2021",
      "a&b=c?d#e",
      "<eos>",
      '"><img src=x onerror=alert(1)>',
      "日本 1+1",
      "100%",
    ]) {
      for (const model of ["dot", "plain"]) {
        expect(readAddress(writeAddress("?lab=before", { text, model }))).toEqual({ text, model, labBefore: true });
      }
    }
  });

  it("leaves out what is at its default and keeps what it does not know", () => {
    expect(writeAddress("?text=x&model=plain", { text: SHOWCASE, model: "dot" })).toBe("");
    expect(writeAddress("?theme=a&text=x", { text: SHOWCASE, model: "dot" })).toBe("?theme=a");
  });

  it("does not take up a text too long to be read, which a server might refuse on the next visit", () => {
    const longest = "3".repeat(LONGEST_TEXT);
    expect(readAddress(writeAddress("", { text: longest, model: "dot" })).text).toBe(longest);
    expect(writeAddress("?text=4+May+2010", { text: `${longest}3`, model: "dot" })).toBe("?text=4+May+2010");
  });
});
