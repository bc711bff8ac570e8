// The fixed colour ramps from 0 to 1: perceptually even, one for light and one for dark, with readable label colours.

type Oklab = readonly [L: number, a: number, b: number];

/** A ramp end in OKLCH: lightness 0..1, chroma, hue in degrees. */
interface Oklch {
  L: number;
  C: number;
  H: number;
}

const BLACK_INK = "#1d1a16";
const WHITE_INK = "#fffdf8";
/** Smallest contrast of a printed number with its cell (WCAG AA for text). */
export const LABEL_CONTRAST = 4.5;
const SAMPLES = 512;

const oklab = ({ L, C, H }: Oklch): Oklab => {
  const angle = (H * Math.PI) / 180;
  return [L, C * Math.cos(angle), C * Math.sin(angle)];
};

const clamp = (x: number) => Math.min(1, Math.max(0, x));
const mix = (from: number, to: number, t: number) => from + (to - from) * t;

/** OKLab to gamma-encoded sRGB bytes. */
function bytes([L, a, b]: Oklab): [number, number, number] {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((x) => {
    const encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
    return Math.round(255 * clamp(encoded));
  }) as [number, number, number];
}

const hex = (rgb: readonly number[]) => `#${rgb.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

function relativeLuminance(rgb: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((byte) => {
    const x = byte / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const parse = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** WCAG contrast ratio of two #rrggbb colours. */
export function contrast(one: string, other: string): number {
  const [high, low] = [relativeLuminance(parse(one)), relativeLuminance(parse(other))].sort((x, y) => y - x);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** Euclidean distance in OKLab, the measure in which the ramp's steps are equal. */
export const distance = (p: Oklab, q: Oklab) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);

/** A curve of colours from `zero` to `one`, walked at constant speed in OKLab. */
export class Ramp {
  readonly #path: Oklab[] = [];
  readonly #travelled: number[] = [0];

  /**
   * `lift` bows the curve outwards, so that its middle is a colour and not a grey; `turn` below 1 takes the hue of
   * `one` early, while the chroma is still near that of `zero`.
   */
  constructor(zero: Oklch, one: Oklch, lift: number, turn = 1) {
    for (let k = 0; k <= SAMPLES; ++k) {
      const t = k / SAMPLES;
      const C = mix(zero.C, one.C, t) + lift * 4 * t * (1 - t);
      this.#path.push(oklab({ L: mix(zero.L, one.L, t), C, H: mix(zero.H, one.H, t ** turn) }));
    }
    for (let k = 1; k <= SAMPLES; ++k) {
      const step = distance(this.#path[k - 1] as Oklab, this.#path[k] as Oklab);
      this.#travelled.push((this.#travelled[k - 1] as number) + step);
    }
  }

  /** The colour of a weight; anything outside 0..1 takes the colour of the nearer end. */
  at(weight: number): Oklab {
    const goal = clamp(weight) * (this.#travelled[SAMPLES] as number);
    let low = 0;
    let high = SAMPLES;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#travelled[middle] as number) <= goal) low = middle;
      else high = middle;
    }
    const [from, to] = [this.#path[low] as Oklab, this.#path[high] as Oklab];
    const length = (this.#travelled[high] as number) - (this.#travelled[low] as number);
    const t = length > 0 ? (goal - (this.#travelled[low] as number)) / length : 0;
    return [mix(from[0], to[0], t), mix(from[1], to[1], t), mix(from[2], to[2], t)];
  }

  colour(weight: number): string {
    return hex(bytes(this.at(weight)));
  }

  /** The ink for a number printed on that colour: the first of four that reaches the contrast. */
  label(weight: number): string {
    const ground = this.colour(weight);
    const inks = [BLACK_INK, WHITE_INK, "#000000", "#ffffff"];
    const best = (p: string, q: string) => (contrast(ground, p) >= contrast(ground, q) ? p : q);
    return inks.find((ink) => contrast(ground, ink) >= LABEL_CONTRAST) ?? inks.reduce(best);
  }
}

/** The same ramp on a light and on a dark page; `light-dark()` lets the page's colour scheme choose. */
export class ThemedRamp {
  constructor(
    readonly light: Ramp,
    readonly dark: Ramp,
  ) {}

  colour(weight: number): string {
    return `light-dark(${this.light.colour(weight)}, ${this.dark.colour(weight)})`;
  }

  label(weight: number): string {
    return `light-dark(${this.light.label(weight)}, ${this.dark.label(weight)})`;
  }
}

/** Both ramps start at the page's own background, `--sa-paper`. */
const PAPER_LIGHT = { L: 0.98, C: 0.006, H: 85 };
const PAPER_DARK = { L: 0.21, C: 0.007, H: 70 };

export const attentionRamp = new ThemedRamp(
  new Ramp(PAPER_LIGHT, { L: 0.4, C: 0.12, H: 36 }, 0.06),
  new Ramp(PAPER_DARK, { L: 0.9, C: 0.11, H: 88 }, 0.055),
);

export const probabilityRamp = new ThemedRamp(
  new Ramp(PAPER_LIGHT, { L: 0.42, C: 0.075, H: 175 }, 0.03, 0.2),
  new Ramp(PAPER_DARK, { L: 0.9, C: 0.09, H: 172 }, 0.03, 0.2),
);
