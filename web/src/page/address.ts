// The part of the page's state that lives in its address: text or test example, models, the cell on show, the lab.

import { codePoints } from "../draw/characters.ts";
import { BUCKET_SIZE, BUCKETS } from "../engine/protocol.ts";
import type { Cell } from "../widgets/base.ts";

export const SHOWCASE = "3 March 2021";
/** A longer text is refused anyway, and servers refuse addresses that are too long. */
export const LONGEST_TEXT = 400;
export const FIRST_MODEL = "dot";

/** Test example `index` (from 0) of bucket K. */
export interface SamplePlace {
  K: number;
  index: number;
}

export interface Address {
  text: string;
  /** A test example to take the text from; its number in the address counts from 1, as on the page. */
  sample: SamplePlace | null;
  model: string;
  /** The model beside it. */
  beside: string;
  /** The cell kept on show; the address counts rows and columns from 1, as the map does. */
  cell: Cell | null;
  /** Opened with `?lab=before`: results that the course keeps until after its lab stay behind a click. */
  labBefore: boolean;
}

/** The model that stands beside another unless someone chooses. */
export const usualBeside = (model: string) => (model === "plain" ? FIRST_MODEL : "plain");

function readSample(written: string | null): SamplePlace | null {
  const [, K = 0, number = 0] = written?.match(/^(\d)-(\d{1,3})$/)?.map(Number) ?? [];
  const there = BUCKETS.some((bucket) => bucket === K) && number >= 1 && number <= BUCKET_SIZE;
  return there ? { K, index: number - 1 } : null;
}

function readCell(written: string | null): Cell | null {
  const [, row = 0, column = 0] = written?.match(/^(\d{1,3})-(\d{1,3})$/)?.map(Number) ?? [];
  return row >= 1 && column >= 1 ? { t: row - 1, i: column - 1 } : null;
}

export function readAddress(search: string): Address {
  const parameters = new URLSearchParams(search);
  const model = parameters.get("model") ?? FIRST_MODEL;
  return {
    text: parameters.get("text") ?? SHOWCASE,
    sample: parameters.has("text") ? null : readSample(parameters.get("sample")),
    model,
    beside: parameters.get("beside") ?? usualBeside(model),
    cell: readCell(parameters.get("cell")),
    labBefore: parameters.get("lab") === "before",
  };
}

/** The query for a state; what is at its default is left out, what the page does not know or cannot read stays. */
export function writeAddress(search: string, state: Omit<Address, "labBefore">): string {
  const { text, sample, model, beside, cell } = state;
  const parameters = new URLSearchParams(search);
  const set = (name: string, value: string, usual: string) =>
    value === usual ? parameters.delete(name) : parameters.set(name, value);
  if (sample) set("text", SHOWCASE, SHOWCASE);
  else if (codePoints(text).length <= LONGEST_TEXT) set("text", text, SHOWCASE);
  set("sample", sample ? `${sample.K}-${sample.index + 1}` : "", "");
  set("model", model, FIRST_MODEL);
  set("beside", beside, usualBeside(model));
  set("cell", cell ? `${cell.t + 1}-${cell.i + 1}` : "", "");
  const query = parameters.toString();
  return query === "" ? "" : `?${query}`;
}
