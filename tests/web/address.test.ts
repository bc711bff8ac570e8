// The state in the page's address: what is read, what is written, and that the two agree.
import { describe, expect, it } from "vitest";
import { LONGEST_TEXT, readAddress, SHOWCASE, writeAddress } from "../../web/src/page/address.ts";

describe("the address", () => {
  it("starts with the showcase and the attention model", () => {
    expect(readAddress("")).toEqual({ text: SHOWCASE, sample: null, model: "dot", labBefore: false });
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
        const address = { text, sample: null, model };
        expect(readAddress(writeAddress("?lab=before", address))).toEqual({ ...address, labBefore: true });
      }
    }
  });

  it("leaves out what is at its default and keeps what it does not know", () => {
    expect(writeAddress("?text=x&model=plain", { text: SHOWCASE, sample: null, model: "dot" })).toBe("");
    expect(writeAddress("?theme=a&text=x", { text: SHOWCASE, sample: null, model: "dot" })).toBe("?theme=a");
  });

  it("does not take up a text too long to be read, which a server might refuse on the next visit", () => {
    const longest = "3".repeat(LONGEST_TEXT);
    expect(readAddress(writeAddress("", { text: longest, sample: null, model: "dot" })).text).toBe(longest);
    expect(writeAddress("?text=4+May+2010", { text: `${longest}3`, sample: null, model: "dot" })).toBe(
      "?text=4+May+2010",
    );
  });

  it("names a test example instead of spelling out its text", () => {
    const sample = { K: 2, index: 69 };
    const query = writeAddress("?text=x&lab=before", { text: "whatever it says", sample, model: "dot" });
    expect(query).toBe("?lab=before&sample=2-70");
    expect(readAddress(query)).toMatchObject({ text: SHOWCASE, sample });
    expect(writeAddress(query, { text: "4 May 2010", sample: null, model: "dot" })).toBe("?lab=before&text=4+May+2010");
  });

  it("leaves out a test example that does not exist, or that a text stands beside", () => {
    for (const query of ["5-1", "0-1", "2-0", "2-501", "2", "2-x", "-1", ""]) {
      expect(readAddress(`?sample=${query}`).sample).toBeNull();
    }
    expect(readAddress("?sample=2-70&text=x")).toMatchObject({ sample: null, text: "x" });
  });
});
