// What the page knows at a moment, and the questions that its view asks of that.
import type { Point } from "../widgets/base.ts";
import type { Decoding, ModelInfo } from "../engine/protocol.ts";
import type { Progress } from "../engine/fetch.ts";
import type { SamplePlace } from "./address.ts";
import type { FileName } from "./files.ts";

/** Training steps of the equal budget that every model of the course gets. */
export const FULL_STEPS = 4000;

export interface Trouble {
  code: string;
  message: string;
}

/** The last reading of a model: the text that it was asked about, and a decoding or the reason why there is none. */
export type Reading = { text: string } & ({ decoding: Decoding } | { trouble: Trouble });

/** A result that the course keeps until after its lab. */
export type Kept = "map" | "answer" | "plain";

export interface State {
  text: string;
  /** The model whose reading is the hero. */
  model: string;
  labBefore: boolean;
  /** Results shown on request although the lab is still to come; forgotten when the page closes. */
  revealed: ReadonlySet<Kept>;
  progress: Partial<Record<FileName, Progress>>;
  /** Why the engine or its first model did not come. */
  failure: Trouble | null;
  vocabulary: readonly string[];
  models: ReadonlyMap<string, ModelInfo>;
  readings: ReadonlyMap<string, Reading>;
  sample: SamplePlace | null;
  point: Point;
  /** The last weights file that the visitor chose. */
  own: { file: string; trouble: Trouble | null } | null;
  dragging: boolean;
  /** A model asked for in the address that is not here. */
  unknownModel: string | null;
  /** Why the second model is missing. */
  otherTrouble: Trouble | null;
}

export const decodingOf = (state: State, model: string): Decoding | null => {
  const reading = state.readings.get(model);
  return reading && "decoding" in reading ? reading.decoding : null;
};

/** The model to set beside the hero. */
export const otherModel = (model: string) => (model === "plain" ? "dot" : "plain");

/** A single date: as the grammar reads the text or, where it cannot, as the model wrote. */
const oneDate = ({ K, output }: Pick<Decoding, "K" | "output">) => K === 1 || (K === 0 && !output.includes(" "));

/** What keeps a model's answer out of sight, if anything: with one date the attention model gives nothing away. */
export function answerKept(state: State, model: string): Kept | null {
  if (!state.labBefore) return null;
  const kept: Kept = model === "plain" ? "plain" : "answer";
  const decoding = decodingOf(state, model);
  const givesNothingAway = model !== "plain" && (decoding === null || oneDate(decoding));
  return givesNothingAway || state.revealed.has(kept) ? null : kept;
}

/** What keeps the map out of sight, if anything. */
export const mapKept = (state: State): Kept | null => (state.labBefore && !state.revealed.has("map") ? "map" : null);
