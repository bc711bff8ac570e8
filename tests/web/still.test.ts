// The picture that the page is served with: the very numbers of the model, and markup that no text can break.
import { describe, expect, it } from "vitest";
import { attentionRamp } from "../../web/src/draw/ramp.ts";
import { stillStage } from "../../web/src/draw/still.ts";
import { still } from "../../web/static-page.ts";
import { openSession, value } from "../wasm/files.ts";

const texts = (markup: string, pattern: RegExp) => [...markup.matchAll(pattern)].map(([, text]) => text);

describe("the still picture", () => {
  it("shows what the shipped model answers and reads", async () => {
    const markup = await still({ wasm: "build/wasm", models: "models", sections: "web/sections" });
    const { session } = await openSession();
    const { output, alpha, source } = value(session.decode("dot", "3 March 2021"));
    const weights = [...(alpha ?? [])];
    expect(weights.length).toBeGreaterThan(100);
    expect(texts(markup, /<output[^>]*>([^<]*)</g)).toEqual([output]);
    expect(texts(markup, /<td>([^<]*)</g)).toEqual(weights.map((weight) => weight.toFixed(3)));
    expect(texts(markup, /class="weight"[^>]*>([^<]*)</g)).toEqual(
      weights.filter((weight) => weight >= 0.1).map((weight) => weight.toFixed(2)),
    );
    expect(texts(markup, /<rect x="[^"]*%"[^>]*fill="([^"]*)"/g)).toEqual(
      weights.map((weight) => attentionRamp.colour(weight)),
    );
    expect(texts(markup, /class="column[^>]*>([^<]*)</g).join("")).toBe(source.join("").replaceAll(" ", "\u2423"));
    session.delete();
  });

  it("holds any character as text", () => {
    const source = [...'<&">'];
    const decoding = { source, positions: [0, 1, 2, 3], tokens: ["<eos>"], output: "", alpha: new Float32Array(4) };
    const markup = stillStage({ ...decoding, model: "<b>" } as Parameters<typeof stillStage>[0]);
    expect(markup).not.toMatch(/<b>|<eos>|<&/);
    expect(markup).toContain("&lt;b&gt;");
    expect(markup).not.toMatch(/style=|<script|\son\w+=/);
  });

  it("is refused for a model without attention", () => {
    const plain = { source: ["3"], positions: [0], tokens: ["2"], output: "2", alpha: null, model: "plain" };
    expect(() => stillStage(plain as unknown as Parameters<typeof stillStage>[0])).toThrow(/attention/);
  });
});
