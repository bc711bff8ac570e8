// The unrolled network: what the decoder is fed with and without teacher forcing, and where everything is drawn.
import { describe, expect, it } from "vitest";
import { codePoints } from "../../web/src/draw/characters.ts";
import { decoderSteps, isWrong, prefixOf, readMade, shiftedRight, writeMade } from "../../web/src/draw/decoder-run.ts";
import { feedback, layOutNetwork, stepAt } from "../../web/src/draw/encoder-decoder.ts";
import { openSession, value } from "../wasm/files.ts";

const TARGET = "2021-03-03";
const target = [...codePoints(TARGET), "<eos>"];
const made = { step: 2, token: "7" };

describe("a token that is made", () => {
  it("is read from an attribute and written to it", () => {
    for (const written of ["2:7", "11:-", "1: "]) expect(writeMade(readMade(written)!)).toBe(written);
    for (const wrong of ["", "2", "0:7", "2:x", "2:77", "a:7", ":7", "-1:7", "2:<eos>"]) {
      expect(readMade(wrong)).toBeNull();
    }
  });
});

describe("the decoder", () => {
  it("is fed the correct token under teacher forcing, whatever was predicted", async () => {
    const { module, session } = await openSession();
    const forced = value(session.teacher_force("dot", "3 March 2021", TARGET));
    const [plain, wrong] = [null, made].map((each) => decoderSteps(forced, target, module.target_vocabulary(), each));
    expect(wrong!.map(({ fed }) => fed)).toEqual(["<bos>", ...codePoints(TARGET)]);
    expect(wrong![2]!.fed).toBe("0");
    expect(wrong![1]).toMatchObject({ predicted: "7", own: "0", made: true, correct: "0" });
    expect(wrong!.filter((_, index) => index !== 1)).toEqual(plain!.filter((_, index) => index !== 1));
    expect(plain!.map(({ own }) => own)).toEqual(forced.predicted);
    session.delete();
  });

  it("goes on from its own output without it", async () => {
    const { module, session } = await openSession();
    const { tokens } = value(session.decode("dot", "3 March 2021"));
    expect(prefixOf(tokens, made)).toBe("27");
    const free = value(session.intervene("dot", "3 March 2021", { prefix: prefixOf(tokens, made) }));
    const run = { ...free, tgt_in: shiftedRight(free.tokens) };
    const steps = decoderSteps(run, target, module.target_vocabulary(), made);
    expect(steps.map(({ fed }) => fed)).toEqual(["<bos>", "2", "7", ...free.tokens.slice(2, -1)]);
    expect(steps.map(({ predicted }) => predicted)).toEqual(free.tokens);
    expect(steps[1]).toMatchObject({ predicted: "7", own: "0", made: true });
    expect(isWrong(steps[1]!.predicted, steps[1]!.correct)).toBe(true);
    session.delete();
  });

  it("has no right or wrong beyond the target's end", () => {
    const run = { tokens: ["2", "<eos>"], probabilities: Float32Array.of(0, 1, 1, 0), tgt_in: ["<bos>", "2"] };
    const steps = decoderSteps(run, ["2"], ["<eos>", "2"], null);
    expect(steps.map(({ correct }) => correct)).toEqual(["2", null]);
    expect(isWrong("<eos>", null)).toBe(false);
  });
});

describe("the layout", () => {
  it.each([false, true])("runs along one axis (turned: %s)", (turned) => {
    const layout = layOutNetwork(12, 11, turned);
    const places = [
      ...layout.drawn.map((_, k) => layout.encoder(k)),
      ...Array.from({ length: 11 }, (_, t) => layout.decoder(t + 1)),
    ];
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(new Set(places).size).toBe(23);
    const length = turned ? layout.height : layout.width;
    expect(places.at(-1)!).toBeLessThan(length);
    expect(turned ? layout.width : layout.height).toBeLessThanOrEqual(336);
    const { x, y } = layout.at(10, 20);
    expect([x, y]).toEqual(turned ? [20, 10] : [10, 20]);
    expect(feedback(layout, 1, layout.predicts)).toMatch(/^M[\d.]+,[\d.]+C/);
  });

  it("fits the showcase into the page's column", () => {
    expect(layOutNetwork(12, 11, false).width).toBeLessThanOrEqual(1017);
  });

  it("finds the step at a place, and the encoder before them all", () => {
    for (const turned of [false, true]) {
      const layout = layOutNetwork(30, 22, turned);
      for (const t of [1, 9, 22]) {
        const { x, y } = layout.at(layout.decoder(t), 5);
        expect(stepAt(layout, 22, x, y)).toBe(t);
      }
      expect(stepAt(layout, 22, 0, 0)).toBe(0);
      expect(stepAt(layout, 22, 1e5, 1e5)).toBe(22);
    }
  });

  it("leaves the middle of a long text out and says how much", () => {
    const { drawn, leftOut, encoder } = layOutNetwork(400, 11, false);
    expect(drawn).toHaveLength(120);
    expect(leftOut).toBe(280);
    expect([drawn[0], drawn[59], drawn[60], drawn[119]]).toEqual([0, 59, 340, 399]);
    expect(encoder(60) - encoder(59)).toBe(2 * (encoder(1) - encoder(0)));
    expect(layOutNetwork(120, 11, false).leftOut).toBe(0);
  });
});
