// Weights files, good and bad, through the module: bad ones are refused with a reason and change nothing.
import type { Session } from "@wasm/softalign.mjs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Header, join, openSession, rewritten, split, value, weightsOf } from "./files.ts";

let session: Session;
let before: unknown;
const reading = () => value(session.decode("dot", "July 24, 2041; February 14, 1914"));

beforeEach(async () => {
  ({ session } = await openSession());
  before = reading();
});
afterEach(() => session.delete());

/** Offers a bad file under the name of a loaded model; the session must keep what it had. */
function refused(file: Uint8Array): { code: string; message: string } {
  const outcome = session.load("dot", file);
  expect(reading()).toEqual(before);
  if (!("error" in outcome)) throw new Error("the file was accepted");
  return outcome.error;
}

describe("refused, with the old weights in place", () => {
  it("a shape that its bytes cannot hold (L63)", () => {
    const file = join({ w: { dtype: "F32", shape: [1000, 1000], data_offsets: [0, 4] } }, new Uint8Array(4));
    const { code, message } = refused(file);
    expect(code).toBe("BAD_WEIGHTS");
    expect(message).toMatch(/w/);
    expect(message.replaceAll(",", "")).toMatch(/4000000/);
    expect(message).toMatch(/\b4\b/);
  });

  it("an unknown type with offsets that do not fit (L64)", () => {
    const file = join('{"w":{"dtype":"F64","shape":[4],"data_offsets":[0,16]}}', new Uint8Array(16));
    const { code, message } = refused(file);
    expect(code).toBe("BAD_WEIGHTS");
    expect(message).toContain("F64");
  });

  it("a file without W_c, naming all that is missing and all that is extra (L66)", () => {
    const { header, data } = split(weightsOf("dot"));
    const renamed = Object.fromEntries(
      Object.entries(header).map(([name, entry]) => [name.replace("W_c.", "W_z."), entry]),
    ) as Header;
    const { code, message } = refused(join(renamed, data));
    expect(code).toBe("WRONG_MODEL");
    for (const name of ["W_c.weight", "W_c.bias", "W_z.weight", "W_z.bias"]) expect(message).toContain(name);
  });

  it.each([
    ["a zip of torch.save", [0x50, 0x4b, 0x03, 0x04, ...new Array(60).fill(0)], /\.pt|torch/i],
    ["a pickle", [0x80, 0x02, ...new Array(60).fill(0x41)], /pickle|torch/i],
    ["a web page", [...new TextEncoder().encode("<!DOCTYPE html><html></html>")], /html|web page/i],
  ])("%s, with how to convert (L67)", (_, start, words) => {
    const { code, message } = refused(new Uint8Array(start));
    expect(code).toBe("BAD_WEIGHTS");
    expect(message).toMatch(words);
  });

  it("a file cut at any byte, saying how much is missing (L68)", () => {
    const file = weightsOf("dot");
    const header = 8 + Number(new DataView(file.buffer).getBigUint64(0, true));
    for (const cut of [header, header + 1, 100_000, file.length - 1]) {
      const { code, message } = refused(file.subarray(0, cut));
      expect(code).toBe("BAD_WEIGHTS");
      expect(message).toMatch(/ends early/);
      expect(message.replaceAll(",", "")).toContain(`${cut} of ${file.length}`);
    }
    for (const cut of [0, 1, 7, 8, 9, header - 1]) expect(refused(file.subarray(0, cut)).code).toBe("BAD_WEIGHTS");
  });

  it("a weight that is not a number", () => {
    const { header } = split(weightsOf("dot"));
    const file = rewritten(session, "dot", header, "F32");
    file.set([0, 0, 0xc0, 0x7f], file.length - 4);
    const { code, message } = refused(file);
    expect(code).toBe("NOT_FINITE");
    expect(message).toMatch(/\w+\.\w+/);
  });
});

describe("accepted", () => {
  it("F32 and BF16 copies without metadata (L65)", () => {
    const { header } = split(weightsOf("dot"));
    const info = value(session.load("f32", rewritten(session, "dot", header, "F32")));
    expect(info).toMatchObject({ score: "dot", parameters: 161135, steps: 0 });
    const text = "July 24, 2041; February 14, 1914";
    expect(value(session.decode("f32", text)).alpha).toEqual(reading().alpha);
    value(session.load("bf16", rewritten(session, "dot", header, "BF16")));
    expect(value(session.decode("bf16", text)).tokens.length).toBeGreaterThan(0);
  });

  it("an empty metadata object (L69)", () => {
    const { header, data } = split(weightsOf("dot"));
    const info = value(session.load("empty", join({ ...header, __metadata__: {} } as unknown as Header, data)));
    expect(info).toMatchObject({ score: "dot", steps: 0 });
    expect(value(session.decode("empty", "3 March 2021")).output).toBe(
      value(session.decode("dot", "3 March 2021")).output,
    );
  });
});
