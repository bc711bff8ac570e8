// Every sentence and label that the page shows, in one place; the module's own notes and errors come with theirs.
import { decimals, isSpace, visible } from "../draw/characters.ts";
import type { Comparison } from "../draw/compare.ts";

const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
const kilobytes = (bytes: number) => `${Math.round(bytes / 1000).toLocaleString("en")} kB`;

/** How a source character is called in a sentence. */
const reading = (character: string) => (isSpace(character) ? "a space" : `'${character}'`);

/** How an output token is called in a sentence. */
function writing(token: string): string {
  if (token === "<eos>") return "<eos>, the end";
  return isSpace(token) ? "a space" : `'${token}'`;
}

const modelNames: Record<string, string> = {
  dot: "dot attention",
  plain: "plain, no attention",
  yours: "yours",
};

export const messages = {
  title: "Watch a small network read a date",
  lede:
    "Type a date, or up to four with semicolons between them. A small neural network reads the text character by " +
    "character and writes each date in ISO form; the map shows which characters it reads for each one that it writes.",
  description:
    "A sequence-to-sequence model with attention that runs in the browser: type a date and see what it reads.",
  needsScript: "This page runs a neural network in your browser, so it needs JavaScript.",
  waiting:
    "The page’s program has not arrived. If this stays, reload; inside another site, open the page in a tab of its own.",

  // The bar.
  bar: "Text and model",
  textLabel: "Dates to read",
  textReset: "Reset",
  textResetLabel: "Back to 3 March 2021",
  samples: "Test example, K =",
  samplesUnit: "dates",
  sampleButton: (K: number) => String(K),
  sampleButtonLabel: (K: number) => `A random test example with ${plural(K, "date")}`,
  samplePlace: (index: number, count: number) => `${index + 1} of ${count}`,
  samplePrevious: "Previous test example",
  sampleNext: "Next test example",
  modelLabel: "Model",
  modelName: (name: string) => modelNames[name] ?? name,

  // Loading and failing.
  loading: (file: string, loaded: number, total: number) => {
    if (loaded === 0) return `Loading ${file} …`;
    return `Loading ${file}: ${kilobytes(loaded)}${total > 0 ? ` of ${kilobytes(total)}` : ""}`;
  },
  fileNames: { engine: "the engine", dot: "the model with attention", plain: "the model without" },
  notLoaded: "The model could not be loaded.",
  tryAgain: "Try again",
  fileUnreachable: (name: string) => `${name} could not be fetched: no connection, or the server does not allow it.`,
  fileMissing: (name: string, status: number) => `${name} could not be fetched: the server answered ${status}.`,
  fileCutOff: (name: string, loaded: number) =>
    `${name} stopped arriving after ${kilobytes(loaded)}: check the connection and try again.`,
  engineRefused: (reason: string) =>
    `This browser did not start the WebAssembly module; reload the page, and if it stays so, try a newer browser (${reason}).`,
  engineNotOne:
    "What came in place of the WebAssembly module is not one: the server probably sent an error page; check the address.",
  engineStopped: (reason: string) =>
    `The engine stopped on an error that it should not meet: reload the page (${reason}).`,
  engineNotStarted: "The engine has not been started.",
  workerBroken: "The engine's worker stopped: reload the page.",
  superseded: "A newer text took this one's place.",
  failure: (code: string, message: string) => `${code}: ${message}`,

  // The answer.
  answerLabel: (name: string) => `Answer of the model “${name}”`,
  sourceLabel: "The text, character by character",
  becomes: "becomes",
  right: "right",
  wrongDate: (written: boolean, expected: string) => {
    if (expected === "") return "one date too many";
    return written ? `the text says ${expected}` : `missing: the text says ${expected}`;
  },
  verdict: ({ right, wrong, dates, expected }: Comparison & { expected: string | null }) => {
    if (right === null || expected === null) return "No right answer is known for this text.";
    const count = expected.split(" ").length;
    if (right) return count === 1 ? "Right: this is the date that the text says." : `Right: all ${count} dates.`;
    if (count === 1 && dates.length > 1) return "Wrong: the text says only one date.";
    if (count === 1) return `Wrong: the text says ${expected}.`;
    const good = dates.length - wrong;
    const extra = dates.length > count ? `, and ${dates.length - count} too many` : "";
    return `Wrong: ${good === 0 ? "none" : good} of the ${count} dates right${extra}.`;
  },
  logProb: (logProb: number) =>
    `The log probability of the whole answer is ${decimals(logProb, 4).replace("-", "\u2212")} nats.`,
  wroteNothing: "nothing",
  tryThis: (text: string) => `Try “${text}”`,
  notesLabel: "About this text",

  // The map.
  mapTitle: "What it reads at each step",
  mapLabel: (T: number, S: number) =>
    `Attention map: ${plural(T, "row")}, one for each token written; ${plural(S, "column")}, one for each character read. ` +
    "Arrow keys move from cell to cell.",
  mapRole: "attention map",
  mapHint: "Point at a cell, tap it, or press Tab and then the arrow keys.",
  cell: (row: number, token: string, character: string, position: number, alpha: number) =>
    `Row ${row} writes ${writing(token)}, reads ${reading(character)} (position ${position}): alpha = ${decimals(alpha, 3)}`,
  cellMost: (row: number, token: string, character: string, position: number, alpha: number) =>
    `Row ${row} writes ${writing(token)}, reads ${reading(character)} (position ${position}) most: alpha = ${decimals(alpha, 3)}`,
  column: (character: string, position: number) => `Position ${position} is ${reading(character)}`,
  mapStep: "Step through",
  mapStop: "Stop",
  legend: "alpha, the share of each row’s reading",
  legendLabel: "Colour scale of alpha from 0 to 1",
  tableShow: "Show as a table",
  tableHide: "Hide the table",
  tableRegion: "Attention weights as a table",
  tableCaption: (S: number) =>
    `Attention weights alpha: each row is a token written, each column one of the ${plural(S, "character")} read. Each row sums to 1.`,
  tableCorner: "writes \\ reads",
  tableColumn: (character: string, position: number) => `${visible(character)} (${position})`,
  tableRow: (token: string) => visible(token),
  noMap:
    "This model has no attention, so there is no map: all that the decoder ever sees of the text is one vector, " +
    "the encoder’s last state.",
  mapReading: [
    "Each row is one step. The model writes the character on the left; the colours show where in the text it reads " +
      "for that, and a row’s weights sum to 1.",
    "A strong colour says that the state at this position was read, not why.",
  ],
  mapReadingOneWay:
    "A state knows all the characters up to its position and none after it. So a row may read a place or more away " +
    "from the character that you would point at.",

  // The other model.
  otherPlain: "Without attention",
  otherDot: "With attention",
  otherPlainText: "The same text, read by a model that must squeeze it into a single vector before it writes.",
  otherDotText: "The same text, read by the model that may look back at every character.",

  // Probabilities.
  probabilities: "The probability of every character at each step",
  probabilitiesText: (V: number) =>
    `At each step the model spreads a probability of 1 over its ${V} tokens and takes the largest.`,
  probabilityCaption: (V: number) => `Probability of each of the ${V} output tokens at each step; each row sums to 1.`,
  probabilityCorner: "step",
  probabilityRow: (row: number, token: string) => `${row} writes ${visible(token)}`,
  taken: "taken",

  // What the page keeps until after the lab.
  reveal: {
    map: "Show the attention map (Exercise 5 has you plot it)",
    answer: "Show the attention model’s answer (the lab asks you to predict it)",
    plain: "Show the plain model’s answer (Exercise 2 asks you to predict it)",
  },
  revealNote: "Kept until after the lab.",

  // Models.
  modelsTitle: "The models",
  modelLine: (parameters: number, steps: number, budget: number) => {
    const size = `${parameters.toLocaleString("en")} parameters`;
    if (steps === 0) return `${size}; the file does not say how long it was trained.`;
    const share = `${steps.toLocaleString("en")} of ${budget.toLocaleString("en")} steps`;
    return steps < budget ? `${size}; quick-trained: ${share}.` : `${size}; trained for ${share}.`;
  },
  quick: (steps: number, budget: number) =>
    `Quick-trained: ${steps.toLocaleString("en")} of ${budget.toLocaleString("en")} steps, so expect mistakes.`,
  yoursTitle: "Your own weights",
  yoursText:
    "Choose a .safetensors file with the lab’s parameter names, or drop it anywhere on the page. It stays on your computer.",
  yoursChoose: "Choose a file",
  yoursLoaded: (file: string) => `${file} is loaded and used above as the model “yours”.`,
  yoursFailed: "The file was not loaded; the models that were here are still here.",
  yoursDrop: "Drop the weights file to load it",
  modelUnknown: (name: string) => `There is no model “${name}” here, so this is the model with dot attention.`,

  colophon: "Everything runs in this tab; what you type stays here.",
};
