// How single characters and tokens are shown and named: spaces made visible, control tokens kept as they are.

/** One string per code point. */
export const codePoints = (text: string): string[] => Array.from(text);

export const isSpace = (character: string) => /^\s$/u.test(character);

/** The glyph for a character on an axis: a space is an open box. */
export const visible = (character: string) => (isSpace(character) ? "\u2423" : character);

/** A number with a fixed count of decimals. */
export const decimals = (x: number, digits: number) => x.toFixed(digits);
