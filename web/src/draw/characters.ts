// How single characters, tokens and numbers are shown and named: spaces made visible, control tokens kept as they are.

/** One string per code point. */
export const codePoints = (text: string): string[] => Array.from(text);

export const isSpace = (character: string) => /^\s$/u.test(character);

/** The glyph for a character on an axis: a space is an open box. */
export const visible = (character: string) => (isSpace(character) ? "\u2423" : character);

/** A number with a fixed count of decimals. */
export const decimals = (x: number, digits: number) => x.toFixed(digits);

/** The same for the eye: with a real minus sign, and none before a zero. */
export function rounded(x: number, digits: number): string {
  const written = x.toFixed(digits);
  return Number(written) === 0 ? (0).toFixed(digits) : written.replace("-", "\u2212");
}

/** A number as it is printed: its digits and, where it is very small or large, the power of ten that they count. */
export interface Printed {
  digits: string;
  exponent: number | null;
}

const SIGNIFICANT = 4;
const PLAIN_FROM = 1e-3;
const PLAIN_BELOW = 1e5;

const signed = (digits: string) => digits.replace("-", "\u2212");

/** So many significant digits. */
export function printed(x: number, significant = SIGNIFICANT): Printed {
  const size = Math.abs(x);
  if (x === 0 || (size >= PLAIN_FROM && size < PLAIN_BELOW)) {
    return { digits: signed(x === 0 ? "0" : x.toPrecision(significant)), exponent: null };
  }
  const [digits = "", exponent = "0"] = x.toExponential(significant - 1).split("e");
  return { digits: signed(digits), exponent: Number(exponent) };
}
