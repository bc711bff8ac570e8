// The state in the page's address: what is read, what is written, and that the two agree.
import { describe, expect, it } from "vitest";
import { type Address, LONGEST_TEXT, readAddress, SHOWCASE, writeAddress } from "../../web/src/page/address.ts";

const usual: Omit<Address, "labBefore"> = { text: SHOWCASE, sample: null, model: "dot", beside: "plain", cell: null };

describe("the address", () => {
  it("starts with the showcase and the attention model", () => {
    expect(readAddress("")).toEqual({ ...usual, labBefore: false });
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
      for (const [model, beside] of [
        ["dot", "plain"],
        ["plain", "dot"],
        ["plain", "additive"],
        ["general", "dot"],
      ] as const) {
        const address = { ...usual, text, model, beside };
        expect(readAddress(writeAddress("?lab=before", address))).toEqual({ ...address, labBefore: true });
      }
    }
  });

  it("leaves out what is at its default and keeps what it does not know", () => {
    expect(writeAddress("?text=x&model=plain&beside=general&cell=2-3", usual)).toBe("");
    expect(writeAddress("?theme=a&text=x", usual)).toBe("?theme=a");
  });

  it("does not take up a text too long to be read, which a server might refuse on the next visit", () => {
    const longest = "3".repeat(LONGEST_TEXT);
    expect(readAddress(writeAddress("", { ...usual, text: longest })).text).toBe(longest);
    expect(writeAddress("?text=4+May+2010", { ...usual, text: `${longest}3` })).toBe("?text=4+May+2010");
  });

  it("names a test example instead of spelling out its text", () => {
    const sample = { K: 2, index: 69 };
    const query = writeAddress("?text=x&lab=before", { ...usual, text: "whatever it says", sample });
    expect(query).toBe("?lab=before&sample=2-70");
    expect(readAddress(query)).toMatchObject({ text: SHOWCASE, sample });
    expect(writeAddress(query, { ...usual, text: "4 May 2010" })).toBe("?lab=before&text=4+May+2010");
  });

  it("leaves out a test example that does not exist, or that a text stands beside", () => {
    for (const query of ["5-1", "0-1", "2-0", "2-501", "2", "2-x", "-1", ""]) {
      expect(readAddress(`?sample=${query}`).sample).toBeNull();
    }
    expect(readAddress("?sample=2-70&text=x")).toMatchObject({ sample: null, text: "x" });
  });

  it("holds the cell on show, counted from 1 as on the map", () => {
    const query = writeAddress("", { ...usual, cell: { t: 4, i: 8 } });
    expect(query).toBe("?cell=5-9");
    expect(readAddress(query).cell).toEqual({ t: 4, i: 8 });
    for (const cell of ["0-1", "1-0", "1", "a-b", "-1-2", "1000-1", "1-2-3", ""]) {
      expect(readAddress(`?cell=${cell}`).cell, cell).toBeNull();
    }
  });

  it("leaves out the model beside where it is the usual one", () => {
    for (const [model, beside, query] of [
      ["dot", "plain", ""],
      ["dot", "general", "?beside=general"],
      ["plain", "dot", "?model=plain"],
      ["additive", "dot", "?model=additive&beside=dot"],
    ] as const) {
      expect(writeAddress("", { ...usual, model, beside })).toBe(query);
    }
  });
});
