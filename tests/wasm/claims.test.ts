// Numbers that the page states in its text are those of the module and of the weights (L20).
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BUCKET_SIZE, BUCKETS } from "../../web/src/engine/protocol.ts";
import { LONGEST_TEXT, SHOWCASE } from "../../web/src/page/address.ts";
import { messages } from "../../web/src/page/messages.ts";
import { FULL_STEPS } from "../../web/src/page/state.ts";
import { openSession, split, value, weightsOf } from "./files.ts";

describe("what the page says", () => {
  it("the test split has as many examples as the picker offers", async () => {
    const { session } = await openSession();
    for (const K of BUCKETS) {
      expect(value(session.sample(K, BUCKET_SIZE - 1))).toMatchObject({ K, index: BUCKET_SIZE - 1 });
      expect(session.sample(K, BUCKET_SIZE)).toHaveProperty("error");
    }
    expect(session.sample(BUCKETS.length + 1, 0)).toHaveProperty("error");
    session.delete();
  });

  it("the longest text that the address takes is the longest that is read", async () => {
    const { module, session } = await openSession();
    expect(LONGEST_TEXT).toBe(module.source_limit());
    session.delete();
  });

  it("the text that it starts with is a date in a trained form", async () => {
    const { session } = await openSession();
    expect(value(session.decode("dot", SHOWCASE))).toMatchObject({ K: 1, expected: "2021-03-03", notes: [] });
    session.delete();
  });

  it.each(["dot", "plain"])("the steps and size of %s are those of its file", async (name) => {
    const { session } = await openSession();
    const info = value(session.load(name, weightsOf(name)));
    const { header } = split(weightsOf(name));
    expect(String(info.steps)).toBe(header.__metadata__?.["softalign.steps"]);
    const { __metadata__, ...tensors } = header;
    const count = Object.values(tensors).reduce((sum, { shape }) => sum + shape.reduce((size, n) => size * n, 1), 0);
    expect(info.parameters).toBe(count);
    const line = messages.modelLine(info.parameters, info.steps, FULL_STEPS);
    expect(line).toContain(count.toLocaleString("en"));
    expect(line.includes("quick-trained")).toBe(info.steps < 4000);
    session.delete();
  });
});

describe("what the sections say", () => {
  it("the runs of section 3 are those of the manifests", () => {
    const text = readFileSync("web/sections/3-bottleneck.html", "utf8").replace(/\s+/g, " ");
    const exact = (name: string) => {
      const { evaluation } = JSON.parse(readFileSync(`models/${name}.json`, "utf8"));
      return (evaluation.exact_match[1] as number).toFixed(3);
    };
    expect(text).toContain(
      `the one in this page reached ${exact("plain")}, the other, from another seed, ${exact("plain-seed-1")}`,
    );
  });
});
