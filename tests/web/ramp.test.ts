// The colour ramps: even, monotone, readable, and the same colour for the same weight.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { attentionRamp, contrast, distance, LABEL_CONTRAST, probabilityRamp } from "../../web/src/draw/ramp.ts";

const ramps = {
  "attention, light": attentionRamp.light,
  "attention, dark": attentionRamp.dark,
  "probability, light": probabilityRamp.light,
  "probability, dark": probabilityRamp.dark,
};
const weights = Array.from({ length: 1001 }, (_, k) => k / 1000);

describe.each(Object.entries(ramps))("ramp %s", (name, ramp) => {
  it("moves away from the background in equal steps", () => {
    const steps = Array.from({ length: 20 }, (_, k) => distance(ramp.at(k / 20), ramp.at((k + 1) / 20)));
    const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
    // The chord of a bowed piece is a little shorter than the piece itself.
    for (const step of steps) expect(Math.abs(step / mean - 1)).toBeLessThan(0.05);
  });

  it("has a lightness that only falls in light and only rises in dark", () => {
    const sign = name.endsWith("dark") ? 1 : -1;
    for (const w of weights.slice(1)) expect(sign * (ramp.at(w)[0] - ramp.at(w - 0.001)[0])).toBeGreaterThan(0);
  });

  it("prints numbers with a contrast of at least 4.5 on every colour (L61)", () => {
    for (const w of weights) expect(contrast(ramp.colour(w), ramp.label(w))).toBeGreaterThanOrEqual(LABEL_CONTRAST);
  });

  it("is fixed to 0..1 (L56)", () => {
    expect(ramp.colour(-0.5)).toBe(ramp.colour(0));
    expect(ramp.colour(1.5)).toBe(ramp.colour(1));
    expect(ramp.colour(0.3)).toBe(ramp.colour(0.3));
    expect(ramp.colour(0.3)).not.toBe(ramp.colour(0.35));
  });
});

/** The light and the dark value of a colour role in tokens.css. */
function role(name: string): [string, string] {
  const tokens = readFileSync("web/src/widgets/tokens.css", "utf8");
  const [, light = "", dark = ""] =
    tokens.match(new RegExp(`--sa-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`)) ?? [];
  return [light, dark];
}

describe("colour roles", () => {
  it("let a weight of 0 vanish into the page and a weight of 1 be the attention colour", () => {
    for (const ramp of [attentionRamp, probabilityRamp]) {
      expect(role("paper")).toEqual([ramp.light.colour(0), ramp.dark.colour(0)]);
    }
    expect(role("attention")).toEqual([attentionRamp.light.colour(1), attentionRamp.dark.colour(1)]);
  });

  it.each(["ink", "muted", "source", "target", "attention", "error"])("%s can be read on the page", (name) => {
    const [paper, text] = [role("paper"), role(name)];
    expect(contrast(paper[0], text[0])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(paper[1], text[1])).toBeGreaterThanOrEqual(4.5);
  });

  it("edges of controls stand out from the page", () => {
    const [paper, edge] = [role("paper"), role("edge")];
    expect(contrast(paper[0], edge[0])).toBeGreaterThanOrEqual(3);
    expect(contrast(paper[1], edge[1])).toBeGreaterThanOrEqual(3);
  });
});
