// The part of the page's state that lives in its address: text, model and whether the lab is still to come.

import { codePoints } from "../draw/characters.ts";

export const SHOWCASE = "3 March 2021";
/** A longer text is refused anyway, and servers refuse addresses that are too long. */
export const LONGEST_TEXT = 400;

export interface Address {
  text: string;
  model: string;
  /** Opened with `?lab=before`: results that the course keeps until after its lab stay behind a click. */
  labBefore: boolean;
}

export function readAddress(search: string): Address {
  const parameters = new URLSearchParams(search);
  return {
    text: parameters.get("text") ?? SHOWCASE,
    model: parameters.get("model") ?? "dot",
    labBefore: parameters.get("lab") === "before",
  };
}

/** The query for a state; what is at its default is left out, what the page does not know or cannot read stays. */
export function writeAddress(search: string, { text, model }: Pick<Address, "text" | "model">): string {
  const parameters = new URLSearchParams(search);
  const set = (name: string, value: string, usual: string) =>
    value === usual ? parameters.delete(name) : parameters.set(name, value);
  if (codePoints(text).length <= LONGEST_TEXT) set("text", text, SHOWCASE);
  set("model", model, "dot");
  const query = parameters.toString();
  return query === "" ? "" : `?${query}`;
}
