// Which characters of an answer are right: date by date, character by character, against what the text says.
import { codePoints } from "./characters.ts";

export interface ComparedDate {
  /** The characters written for this date and whether each is right; null when there is nothing to compare with. */
  characters: { text: string; right: boolean | null }[];
  /** The date that the text says; "" when the answer holds a date too many, null when nothing is known. */
  expected: string | null;
  right: boolean | null;
}

export interface Comparison {
  dates: ComparedDate[];
  /** Whole answer right; null when there is nothing to compare with. */
  right: boolean | null;
  wrong: number;
}

function compareDate(written: string, expected: string | null): ComparedDate {
  const truth = expected === null ? null : codePoints(expected);
  const characters = codePoints(written).map((text, k) => ({ text, right: truth && truth[k] === text }));
  // Past the last true date even an empty piece, after a trailing space, is one too many.
  return { characters, expected, right: expected === null ? null : expected !== "" && written === expected };
}

/** Compares an answer with the expected one, both dates joined by single spaces. */
export function compare(output: string, expected: string | null): Comparison {
  const written = output.split(" ");
  const truths = expected?.split(" ") ?? null;
  const count = Math.max(written.length, truths?.length ?? 0);
  const dates = Array.from({ length: count }, (_, k) =>
    compareDate(written[k] ?? "", truths === null ? null : (truths[k] ?? "")),
  );
  const right = expected === null ? null : output === expected;
  return { dates, right, wrong: dates.filter((date) => date.right === false).length };
}
