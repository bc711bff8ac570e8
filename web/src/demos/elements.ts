// The table of the demos: every element, what it shows, and the attributes that are its state; all else is made from it.
import { type Attributes, choice, number, text } from "./attributes.ts";

export interface DemoElement {
  says: string;
  attributes: Attributes;
}

const SHOWCASE = "3 March 2021";
const ATTENDING = ["dot", "general", "additive"] as const;
const MODELS = [...ATTENDING, "plain"] as const;

const source = text(SHOWCASE, 400, "the source that the model reads");
const lab = choice(
  "after",
  ["after", "before"],
  "before: what the course keeps until after its lab stays behind a click",
);
const model = text("dot", 40, "the model, by the name of its weights file");

export const elements = {
  "sa-factors": {
    says: "Eq. 1, factor by factor: the probability of every token that a model writes",
    attributes: { text: source, model, step: number(0, 0, 127, 1, "the factor on show, from 0"), lab },
  },
  "sa-encoder-decoder": {
    says: "the unrolled network, drawn with the source’s own characters, step by step (Eq. 2-4)",
    attributes: {
      text: source,
      model,
      step: number(1, 0, 127, 1, "the decoder’s step on show, from 1; 0 is the encoder’s end"),
      forcing: choice("on", ["on", "off"], "teacher forcing: on feeds the correct token before, off the model’s own"),
      wrong: text("", 8, "a step from 1 and a token, as in 2:7: what the model is made to predict there"),
      lab,
    },
  },
  "sa-token-loss": {
    says: "the loss of every target token, its sum and its mean (Eq. 5), trained beside untrained",
    attributes: { text: source, model, seed: number(0, 0, 999, 1, "of the untrained model"), lab },
  },
  "sa-bottleneck-meter": {
    says: "exact match by number of dates, measured here over the 2,000 test sources for two models",
    attributes: {
      model: text("plain", 40, "the first model"),
      beside: text("dot", 40, "the second model"),
      shows: choice("exact", ["exact", "dates", "form"], "whole outputs, single dates, or the shape of the output"),
      lab,
    },
  },
  "sa-path-length": {
    says: "what a longer source costs: values carried and steps between first source and last target token",
    attributes: {
      S: number(12, 1, 400, 1, "source tokens"),
      T: number(11, 1, 128, 1, "target tokens, <eos> included"),
      attention: choice("off", ["off", "on"], "whether the decoder may look back at every state"),
    },
  },
  "sa-query-dial": {
    says: "turn the query: scores, weights and context of five placed states, or of a model’s real ones in its plane",
    attributes: {
      view: choice(
        "placed",
        ["placed", "model"],
        "placed: five states put by hand; model: the real states of the text",
      ),
      angle: number(20, 0, 360, 1, "direction of the placed query in degrees"),
      length: number(1.5, 0, 3, 0.1, "length of the placed query"),
      text: source,
      model,
      step: number(0, 0, 127, 1, "the real query on show, by its step from 0"),
      queries: choice("on", ["on", "off"], "whether the real queries are drawn; off, the states fill the plane"),
      lab,
    },
  },
  "sa-worked-attention": {
    says: "the attention step worked with small numbers that can be changed (Eq. 6 and 7)",
    attributes: {
      example: choice(
        "scores",
        ["scores", "shifted", "far", "equal", "vectors", "padded"],
        "which of the worked examples; a changed one keeps its name",
      ),
      numbers: text(
        "",
        160,
        "the changed numbers of the example, separated by spaces: the scores, or the query and then the states; empty for the example’s own",
      ),
      padding: number(-1, -1, 5, 1, "how many positions at the end are padding; -1 for as many as the example has"),
    },
  },
  "sa-attention-step": {
    says: "one cell of a real map unfolded: score, exponential, sum, weight, and its part of the context",
    attributes: {
      text: source,
      model,
      cell: text("", 7, "row and column from 1, as in 3-11; empty for where the first row reads most"),
      lab,
    },
  },
  "sa-alignment": {
    says: "the map with the fields of the dates laid over it, and hit rates measured on the test split",
    attributes: {
      text: source,
      model,
      fields: choice("on", ["on", "off"], "whether year, month and day are laid over the map"),
      tol: number(1, 0, 2, 1, "positions after the span that still count as a hit"),
      cell: text("", 7, "a cell to keep on show, row and column from 1"),
      lab,
    },
  },
} as const satisfies Record<string, DemoElement>;

export type DemoName = keyof typeof elements;

/** What the other elements of a page take: a question to answer before or after, and a term of the glossary. */
export const helpers = {
  "sa-prediction": {
    says: "a question to answer before the demo shows: the guess is remembered and stands beside the result",
    attributes: {
      question: text("", 40, "its name in the list of predictions"),
      guess: text("", 40, "what was guessed; empty until then"),
    },
  },
  "sa-check": {
    says: "a question to check oneself: the answer, and why, after one was given",
    attributes: { question: text("", 40, "its name in the list of checks"), answer: text("", 40, "what was answered") },
  },
  "sa-term": {
    says: "a word with its meaning at a click",
    attributes: { name: text("", 40, "its name in the glossary; the element’s text where empty") },
  },
} as const satisfies Record<string, DemoElement>;

export { ATTENDING, MODELS, SHOWCASE };
