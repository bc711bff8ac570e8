// Which letters of a text the model does not know, wherever they stand in it.
import type { Note } from "../engine/protocol.ts";
import { codePoints, isSpace } from "./characters.ts";

/** One entry for each code point: whether the model skips it. The notes name each letter once, at its first place. */
export function unknownLetters(text: string, notes: readonly Pick<Note, "code" | "start" | "end">[]): boolean[] {
  const letters = codePoints(text);
  const unknown = new Set(
    notes.filter(({ code }) => code === "UNKNOWN_LETTER").flatMap(({ start, end }) => letters.slice(start, end)),
  );
  return letters.map((letter) => unknown.has(letter));
}

/** The same for a text of which nothing could be read. */
export const allUnknown = (text: string) => codePoints(text).map((letter) => !isSpace(letter));
