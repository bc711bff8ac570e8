// What the page knows at a moment, and the questions that its view asks of that.

import type { Progress } from "../engine/fetch.ts";
import type { Trouble } from "../engine/models.ts";
import type { Kept } from "../demos/demo.ts";
import { keptAnswer } from "../demos/kept.ts";
import type { Decoding, ModelInfo } from "../engine/protocol.ts";
import { type Cell, NOWHERE, type Point } from "../widgets/base.ts";
import type { ExplainedCell } from "../widgets/cell-explanation.ts";
import { FIRST_MODEL, readAddress, type SamplePlace, usualBeside } from "./address.ts";

/** Training steps of the equal budget that every model of the course gets. */
export const FULL_STEPS = 4000;
/** The name of a model that the visitor brought. */
export const YOURS = "yours";

/** The last reading of a model: the text that it was asked about, and a decoding or the reason why there is none. */
export type Reading = { text: string } & ({ decoding: Decoding } | { trouble: Trouble });

export interface State {
  text: string;
  /** The model whose map is the hero. */
  model: string;
  /** The model beside it. */
  beside: string;
  labBefore: boolean;
  /** Results shown on request although the lab is still to come; forgotten when the page closes. */
  revealed: ReadonlySet<Kept>;
  /** Bytes of the module and of weights that are on their way, by name. */
  progress: ReadonlyMap<string, Progress>;
  /** Why the engine did not start. */
  failure: Trouble | null;
  /** Why a model's weights did not come. */
  missing: ReadonlyMap<string, Trouble>;
  vocabulary: readonly string[];
  models: ReadonlyMap<string, ModelInfo>;
  readings: ReadonlyMap<string, Reading>;
  sample: SamplePlace | null;
  point: Point;
  /** The cell picked to stay on show. */
  kept: Cell | null;
  /** The cell that is explained, with its row. */
  explained: ExplainedCell | null;
  /** The last weights file that the visitor chose. */
  own: { file: string; trouble: Trouble | null } | null;
  dragging: boolean;
  /** Models asked for in the address that are not here. */
  unknownModels: readonly string[];
}

/** The state that an address asks for; a model that is not `shipped` is named and replaced. */
export function firstState(search: string, shipped: readonly string[]): State {
  const { text, sample, model, beside, cell, labBefore } = readAddress(search);
  const hero = shipped.includes(model) ? model : FIRST_MODEL;
  const second = shipped.includes(beside) && beside !== hero ? beside : usualBeside(hero);
  return {
    text: sample ? "" : text,
    model: hero,
    beside: second,
    labBefore,
    revealed: new Set(),
    progress: new Map(),
    failure: null,
    missing: new Map(),
    vocabulary: [],
    models: new Map(),
    readings: new Map(),
    sample,
    point: NOWHERE,
    kept: cell,
    explained: null,
    own: null,
    dragging: false,
    unknownModels: [...new Set([model, beside])].filter((name) => !shipped.includes(name)),
  };
}

export const decodingOf = (state: State, model: string): Decoding | null => {
  const reading = state.readings.get(model);
  return reading && "decoding" in reading ? reading.decoding : null;
};

const keptBack = (state: State, what: Kept): Kept | null =>
  state.labBefore && !state.revealed.has(what) ? what : null;

/** What keeps a model's answer out of sight, if anything. */
export function answerKept(state: State, model: string): Kept | null {
  const kept = keptAnswer(model, decodingOf(state, model));
  return kept && keptBack(state, kept);
}

/** What keeps the maps out of sight, if anything. */
export const mapKept = (state: State) => keptBack(state, "map");
