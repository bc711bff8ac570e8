// Every sentence and label that the page shows, in one place; the module's own notes and errors come with theirs.
import type { AlignmentCount } from "../draw/alignment.ts";
import { decimals, isSpace, rounded, visible } from "../draw/characters.ts";
import type { Comparison } from "../draw/compare.ts";
import type { Point } from "../draw/plane.ts";
import type { Check, Prediction } from "../demos/questions.ts";
import type { Example } from "../draw/worked.ts";
import type { ModelInfo } from "../engine/protocol.ts";

const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
const thousands = (bytes: number) => Math.round(bytes / 1000).toLocaleString("en");
const kilobytes = (bytes: number) => `${thousands(bytes)} kB`;

/** How a source character is called in a sentence. */
const reading = (character: string) => (isSpace(character) ? "a space" : `‘${character}’`);

/** How an output token is called in a sentence. */
function writing(token: string): string {
  if (token === "<eos>") return "<eos>, the end";
  return isSpace(token) ? "a space" : `‘${token}’`;
}

const modelNames: Record<string, string> = {
  dot: "dot attention",
  bahdanau: "Bahdanau’s order, both directions",
  "plain-reversed": "plain, source reversed",
  general: "general attention",
  additive: "additive attention",
  plain: "plain, no attention",
  yours: "yours",
};

export const messages = {
  title: "Watch a small network read a date",
  lede:
    "Type a date, or up to four with semicolons between them. A small neural network writes them in ISO form, and the " +
    "map shows which characters it reads for each one that it writes.",
  description:
    "A sequence-to-sequence model with attention that runs in the browser: type a date and see what it reads.",
  needsScript: "This page runs a neural network in your browser, so it needs JavaScript.",
  waiting:
    "The page’s program has not arrived. If this stays, reload; inside another site, open the page in a tab of its own.",

  contents: "Contents",
  present: "Present alone",
  presentLeave: "Leave the presentation",
  presentUnknown: (name: string, names: readonly string[]) =>
    `There is no demo \u201c${name}\u201d. There are: ${names.join(", ")}.`,

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
  besideLabel: "beside",
  modelName: (name: string) => modelNames[name] ?? name,

  // Loading and failing.
  loading: (what: string) => `Loading ${what}`,
  arriving: (what: string, loaded: number, total: number) => {
    if (loaded === 0) return `${what} …`;
    return total > 0 ? `${what}: ${thousands(loaded)} of ${kilobytes(total)}` : `${what}: ${kilobytes(loaded)}`;
  },
  engineName: "the engine",
  notLoaded: "The model could not be loaded.",
  tryAgain: "Try again",
  failure: (code: string, message: string) => `${code}: ${message}`,

  // The answer.
  stillHint: "A still picture, drawn from the model when this page was built.",
  stillMeanwhile: "Until it is here: a still picture of what the model with dot attention reads in “3 March 2021”.",
  stillInstead: "So this is a still picture of what the model with dot attention reads in “3 March 2021”.",
  stillTable: "The same numbers as a table",
  stillLabel: (source: string, output: string) =>
    `Attention map of ${source}: the model writes ${output} and reads the characters shaded in each row.`,
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
  mapTitleOf: (name: string) => `What ${modelNames[name] ?? name} reads at each step`,
  mapLabel: (T: number, S: number) =>
    `Attention map: ${plural(T, "row")}, one for each token written; ${plural(S, "column")}, one for each character read. ` +
    "Arrow keys move from cell to cell.",
  mapRole: "attention map",
  mapHint: "Point at a cell, or press Tab and then the arrow keys. A click, a tap or Enter keeps it.",
  cell: (row: number, token: string, character: string, position: number, alpha: number) =>
    `Row ${row} writes ${writing(token)}, reads ${reading(character)} (position ${position}): α = ${decimals(alpha, 3)}`,
  cellMost: (row: number, token: string, character: string, position: number, alpha: number) =>
    `Row ${row} writes ${writing(token)}, reads ${reading(character)} (position ${position}) most: α = ${decimals(alpha, 3)}`,
  column: (character: string, position: number) => `Position ${position} is ${reading(character)}`,
  mapStep: "Step through",
  mapStop: "Stop",
  legend: "α, the share of each row’s reading",
  legendLabel: "Colour scale of alpha from 0 to 1",
  tableShow: "Show as a table",
  tableHide: "Hide the table",
  tableRegion: "Attention weights as a table",
  tableCaption: (S: number) =>
    `Attention weights α: each row is a token written, each column one of the ${plural(S, "character")} read. Each row sums to 1.`,
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

  // The explanation of a cell.
  explanationTitle: "How this weight comes about",
  keepCell: "Keep",
  explainedCell: (row: number, token: string, character: string, position: number) =>
    `row ${row} writes ${writing(token)}, reads ${reading(character)} (position\u00a0${position})`,
  scoreStep: (equation: number) => `Score (Eq. ${equation})`,
  scoreMeaning: {
    none: "",
    dot: "The decoder’s state times the encoder’s, number by number, all added up.",
    general: "As the dot product, with a learned matrix between the two states.",
    additive: "A small network of one layer looks at both states together.",
  } satisfies Record<ModelInfo["score"], string>,
  exponentialStep: "Exponential",
  exponentialMeaning: "The row’s largest score is taken off first: the weights stay the same, and nothing overflows.",
  sumStep: (S: number) => `Sum of all ${S}`,
  weightStep: "Weight (Eq. 6)",
  rowTitle: (row: number) => `All of row ${row}`,
  rowLabel: (row: number) =>
    `Three rows of bars, one bar for each character: score, exponential and weight in row ${row}. The table beside the map holds the weights.`,
  rowScore: "score",
  rowExponential: "exponential, 0 to 1",
  rowWeight: "weight, 0 to 1",
  partTitle: "Its part of what is read (Eq. 7)",
  partLabel: (d_h: number) =>
    `Two rows of ${d_h} bars at one scale: this position’s part of the average, and the whole average.`,
  partOf: "this position’s part",
  partWhole: "the whole average, the sum of all parts",
  partShare: (percent: string) =>
    `Measured along the average, this part makes up ${percent.replace("-", "\u2212")}\u00a0% of its length.`,

  // The second model.
  carries: (name: string) =>
    name === "plain" ? "What the model without attention carries" : `What ${modelNames[name] ?? name} carries`,
  carriesVector: (S: number, d_h: number) =>
    `All that reaches the decoder from these ${plural(S, "character")} is one vector of ${d_h} numbers, the encoder’s last ` +
    `state. A longer text has to fit into the same ${d_h}.`,
  carriesMemory: (S: number, d_h: number) =>
    `The decoder may look back at every state at every step: ${S} × ${d_h} = ${(S * d_h).toLocaleString("en")} numbers for these ` +
    `${plural(S, "character")}, and more for a longer text.`,
  tryTwo: "Give both models two dates",
  why: (right: number, K: number, S: number, d_h: number) =>
    `The model without attention has ${right === 0 ? "none" : right} of the ${K} dates right; it carries the whole text in ` +
    `one vector of ${d_h} numbers, while the model with attention can look back at all ${S} states, one for each character.`,

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
    measured: "Measure exact match by K (Exercise 2 asks you to predict it)",
    map: "Show the attention map (Exercise 5 has you plot it)",
    answer: "Show the attention model’s answer (the lab asks you to predict it)",
    plain: "Show the plain model’s answer (Exercise 2 asks you to predict it)",
  },
  revealNote: "Kept until after the lab.",

  // Measured here.
  measureStop: "Cancel",
  measuredCaption: "Exact match by K, measured on this computer",
  measuredModel: "model",
  measuredColumn: (K: number) => `K = ${K}`,
  measuredIn: (n: number, seconds: number, workers: number) =>
    `n = ${n.toLocaleString("en")}, ${decimals(seconds, seconds < 10 ? 2 : 1)} s, ${workers === 0 ? "no worker" : plural(workers, "worker")}`,
  measuredDates: (rates: readonly number[]) => `date by date ${rates.map((rate) => decimals(rate, 3)).join(", ")}`,

  // Every demo.
  standIn: (shown: string, chosen: string) =>
    `Shown: ${messages.modelName(shown)}, since ${messages.modelName(chosen).split(",")[0]} has no map.`,
  demoStarts: "the demo",
  demoReset: "Reset",
  figureTools: "Reset and save this figure",
  saveAs: "Save as",
  figureCaption: (says: string, text: string | undefined, models: readonly string[]) => {
    const parts = [
      ...(text === undefined ? [] : [`Text: ${text}.`]),
      ...(models.length === 0 ? [] : [`${models.length === 1 ? "Model" : "Models"}: ${models.join(", ")}.`]),
    ];
    return [`${says.charAt(0).toUpperCase()}${says.slice(1)}.`, ...parts, "softalign"].join(" ");
  },
  noFigure: "there is no drawing at the moment",
  notSaved: (kind: string, reason: string) => `The ${kind} was not saved: ${reason}.`,

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
  modelUnknown: (name: string, instead: string) => `There is no model “${name}” here; this is ${instead}.`,

  colophon: "Everything runs in this tab; what you type stays here.",
};

// Questions before and after a demo, and the glossary.

export const questions = {
  predict: "Predict first",
  guess: "That is my guess",
  guessed: (guess: string) => `Your guess: ${guess}`,
  now: "Now see what happens below.",
  result: "Result:",
  change: "Change the guess",
  check: "Check yourself",
  answer: "Answer",
  solution: "The answer",
  right: "Right.",
  wrong: (given: string, right: string) => `Not “${given}”. The answer: ${right}.`,
  sharePlace: "0 to 1",
  lackChoice: "Choose one first.",
  lackNumber: "A number is needed, such as 2.5.",
  lackShares: "Every field needs a number from 0 to 1.",
};

export const predictions = {
  "field-rate": {
    kind: "number",
    prompt:
      "The model writes the digits of a year, a month or a day. For what share of all digits does the largest weight lie inside that " +
      "very field of the text, with nothing added?",
    unit: "(from 0 to 1)",
  },
  "exact-match": {
    kind: "shares",
    prompt:
      "Without attention, the model was trained on 100,000 texts, as many with one date as with two, three or four. What share of " +
      "unseen texts does it get right as a whole, for K dates?",
    labels: ["K = 1", "K = 2", "K = 3", "K = 4"],
  },
  "untrained-loss": {
    kind: "number",
    prompt:
      "A model whose weights have just been drawn at random scores a target, one of 15 tokens at each step. What is its mean loss " +
      "per token, in nats?",
    unit: "nats",
  },
  length: {
    kind: "choice",
    prompt:
      "Of the five states the query points nearest to the first. Its length is doubled and its direction kept. What happens to the five weights?",
    options: {
      peaked: "They get more peaked",
      flatter: "They get flatter",
      same: "They stay the same: the direction decides",
    },
  },
} satisfies Record<string, Prediction>;

export const checks = {
  factors: {
    kind: "number",
    prompt: "A model scores the target 2021-03-03, character by character. How many probabilities does Eq. 1 multiply?",
    unit: "factors",
    right: 11,
    tolerance: 0,
    why: "Ten characters, and <eos> after them: the model has to predict the end as well, or it would not know when to stop.",
  },
  "input-at-3": {
    kind: "choice",
    prompt:
      "In training with teacher forcing, 7 comes out at step 2 instead of the second character of 2021-03-03. What goes into the " +
      "decoder at step 3?",
    options: {
      wrong: "The embedding of 7",
      correct: "The embedding of 0",
      next: "The embedding of 2",
    },
    right: "correct",
    why:
      "The token before step 3 is y_2, and teacher forcing feeds the correct one, whatever was predicted. So all the inputs are " +
      "known from the start, and a single forward pass gives all eleven losses.",
  },
  "untrained-sum": {
    kind: "number",
    prompt:
      "An untrained model scores 2021-03-03 and <eos>, with 15 target tokens to choose from. What is the loss of Eq. 5, the sum?",
    unit: "nats",
    right: 29.8,
    tolerance: 0.6,
    why: "Eleven factors, each close to 1/15: 11 \u00d7 ln 15 = 11 \u00d7 2.71 = 29.8 nats. A longer target would cost more.",
  },
  "untrained-mean": {
    kind: "number",
    prompt: "And the mean, which the lab prints?",
    unit: "nats per token",
    right: 2.71,
    tolerance: 0.05,
    why: "The sum divided by the eleven tokens: ln 15 = 2.71. It does not grow with the target, so it can be checked for any batch.",
  },
  "first-to-know": {
    kind: "number",
    prompt:
      "The text is 12 May 2020, and the encoder reads from the left. Which is the first position, counted from 1, whose state can " +
      "know which month it is?",
    unit: "",
    right: 6,
    tolerance: 0,
    why:
      "The state of position 6 has read “12 May”. One character earlier it is “12 Ma”, which March begins with as well. So rows that " +
      "write the month have reason to read the y or what follows it. The M is in the field, too, but its state knows only that a month with M has begun.",
  },
  "twice-values": {
    kind: "choice",
    prompt:
      "The source grows from S to 2S, the target stays as it is. How many values does the vector that carries the source to a decoder " +
      "without attention have then?",
    options: { same: "As many as before", twice: "Twice as many", squared: "Four times as many" },
    right: "same",
    why:
      "The vector is the encoder’s last state, and that has d_h entries for any source. So twice the information must fit into " +
      "the same space: the problem of capacity. A larger d_h would help here, and do nothing for the path.",
  },
  "twice-steps": {
    kind: "choice",
    prompt: "And the recurrent steps between the first source token and the last target token?",
    options: { same: "Still S + T", source: "2S + T", both: "2S + 2T" },
    right: "source",
    why:
      "Only the encoder’s part of the path grows, by S steps. The gradient that tells the encoder how to store the first token passes " +
      "through all of them: the problem of optimisation. Gates shorten nothing but weaken the gradient less; they leave the capacity as it is.",
  },
  shifted: {
    kind: "choice",
    prompt: "You saw the scores (2, 0, 0) become the weights (0.79, 0.11, 0.11). What becomes of (12, 10, 10)?",
    options: {
      same: "The same weights",
      flatter: "Flatter ones: 12 is only a little more than 10",
      peaked: "More peaked ones: the scores are larger",
    },
    right: "same",
    why:
      "Ten added to each score multiplies every exponential in Eq. 6 by the same number, above and below the line. It cancels, so " +
      "only the differences between scores count.",
  },
  far: {
    kind: "choice",
    prompt: "And (20, 0, 0): set beside (0.79, 0.11, 0.11), what are its weights like?",
    options: { more: "More peaked", less: "Less peaked", same: "Neither: the order of the scores is the same" },
    right: "more",
    why:
      "The gap decides. The first weight was e² ≈ 7 times each of the others; at a gap of 20 it is e²⁰, about 500 million " +
      "times, and nothing is left for them that three decimals would show.",
  },
  equal: {
    kind: "choice",
    prompt: "All S scores are equal. What is the context?",
    options: {
      zero: "0: no state stands out",
      mean: "The plain average of the states",
      last: "The last state, as without attention",
    },
    right: "mean",
    why:
      "Equal scores give every position the weight 1/S, whatever the scores are, so Eq. 7 is the ordinary mean: an average that does not know the " +
      "order of the text. Attention chooses only once training has moved the scores apart.",
  },
} satisfies Record<string, Check>;

export const glossary = {
  transduction: "Turning one sequence into another, which may be longer or shorter and in another order.",
  embedding: "The vector of numbers that stands for a token inside a network. It is learned with the weights.",
  encoder: "The network that reads the source and turns it into states.",
  decoder: "The network that writes the target, token by token.",
  gru: "Gated recurrent unit: a recurrent cell that decides for every entry of its state how much of the old one to keep.",
  vocabulary: "The list of all tokens that a model knows.",
  logit: "A number for each token before the softmax: the larger, the likelier.",
  "teacher forcing": "Feeding the decoder the correct token before, and not the one that it predicted itself.",
  nat: "The unit of a natural logarithm. A loss of 1 nat is a probability of 1/e, about 0.37.",
  "soft alignment":
    "Which source positions belong to each target position, told by shares that sum to 1 instead of by single links.",
  seq2seq:
    "Sequence to sequence: a model that reads one sequence and writes another, of a length and order of its own.",
  "hidden state": "The vector in which a recurrent network keeps what it has read so far.",
  gradient:
    "How the loss changes with a weight. Training follows it downhill; over many steps it can shrink to almost nothing.",
  "exact match": "The share of outputs that equal the right answer in every character.",
  capacity: "How much a vector of fixed size can hold.",
  softmax:
    "Turns any list of numbers into positive ones that sum to 1: the exponential of each, divided by the sum of all of them.",
  query: "The vector that is compared with every state; here the decoder’s state.",
  padding: "Filler at the end of the shorter texts of a batch, so that all have the same length.",
  context: "The weighted average of the encoder’s states that one step of the decoder reads.",
} satisfies Record<string, string>;

// The demos, a block each.

export const bottleneckMeter = {
  first: "Measure",
  second: "beside",
  start: (n: number) => `Measure on ${n.toLocaleString("en")} texts`,
  pause: "Pause",
  resume: "Go on",
  shows: "What to show",
  showsWhat: { exact: "whole outputs right", dates: "date by date", form: "well-formed outputs" },
  progress: (model: string, done: number, total: number, held: boolean) =>
    `${model}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")} texts${held ? ", paused" : ""}`,
  chart: (shows: "exact" | "dates" | "form") =>
    ({
      exact: "Bars: the share of outputs that are right as a whole, for 1 to 4 dates and each model.",
      dates:
        "Bars: the share of outputs whose first, second, third and fourth date is right, for 1 to 4 dates and each model.",
      form: "Bars: the share of outputs that are the right number of ISO dates, right or wrong, for 1 to 4 dates and each model.",
    })[shows],
  empty: "Nothing measured yet",
  equalBudget: "Equal budget.",
  budget: (steps: number) =>
    `Both were trained for ${steps.toLocaleString("en")} steps on the same batches, with the same optimiser and`,
  more: "With more steps or a larger vector the numbers of either would rise.",
  otherBudget: "The budgets of these two differ, so compare with care.",
  yourGuess: "your guess",
  course: "the course’s run",
  reversed: "The model with the source reversed reads each text from its end.",
  wellFormed: (share: number) => `well formed ${decimals(share, 3)}`,
  recorded: (share: number) => `the course: ${decimals(share, 3)}`,
  result: (exact: readonly number[]) =>
    `measured ${exact.map((share, k) => `K = ${k + 1}: ${decimals(share, 3)}`).join(", ")}.`,
};

export const failures = {
  label: (model: string) => `What ${model} got wrong`,
  title: (model: string) => `Wrong answers of ${model}:`,
  count: (K: number, count: number) => `K = ${K}: ${count}`,
  source: "reads",
  target: "should write",
  output: "writes",
  nothing: "nothing",
  wrong: "(wrong)",
  previous: "The wrong answer before",
  next: "The next wrong answer",
  place: (place: number, count: number) => `${place} of ${count}`,
  read: "Take this text up above",
};

export const pathLength = {
  source: "Source tokens",
  attention: "with attention",
  values: {
    title: "Values that reach the decoder",
    problem: "Does the source still fit? This is capacity.",
    unit: "value",
  },
  steps: {
    title: "Steps from the first source token to the last target token",
    problem: "Can the gradient travel so far? This is optimisation.",
    unit: "step",
  },
  doubled: (now: number, twice: number, unit: string) =>
    `S: ${plural(now, unit)}. 2S: ${plural(twice, unit)}${now === twice ? ", no change" : ""}.`,
  how: (T: number) => `T = ${T} target tokens. Counted by the equations, not measured.`,
};

// The demos of sections 1 and 2.

/** How a token is called in a sentence about states and inputs. */
function naming(token: string): string {
  if (token === "-") return "the hyphen";
  return isSpace(token) ? "the space" : token;
}

export const factors = {
  still: (source: string, output: string, T: number) =>
    `The ${T} factors of Eq. 1 for ${source}, whose target is ${output}: a bar and a number for each token, and their product.`,
  lengths: (S: number, written: number, T: number, finished: boolean) =>
    finished
      ? `${plural(S, "character")} in, ${plural(written, "character")} out. With <eos>, the end, that is S\u00a0=\u00a0${S} and T\u00a0=\u00a0${T}: ${plural(T, "factor")}.`
      : `${plural(S, "character")} in, ${plural(written, "character")} out and no end in sight: S = ${S}, and the model was stopped at T = ${T}.`,
  dates: (K: number) =>
    K === 0 ? "No form of a date that the grammar knows, so K is not known." : `K\u00a0=\u00a0${plural(K, "date")}.`,
  move: (year: string, from: number, to: number) => {
    const span = (at: number) => `${at + 1}\u2013${at + 4}`;
    const places = `The year ${year} is at ${span(from)} in the source and at ${span(to)} in the target`;
    if (from === to) return `${places}; what follows it does not line up.`;
    if (to === 0) return `${places}: it goes to the front.`;
    return `${places}, after other characters than before.`;
  },
  listLabel: (T: number) =>
    `The ${plural(T, "factor")} of Eq. 1, one for each token. Arrow keys go from factor to factor.`,
  stripLabel: "Source and target; what the chosen factor is conditioned on is filled.",
  factor: "factor",
  product: "product",
  row: (t: number, token: string, factor: string) => `Factor ${t}: ${writing(token)}, ${factor}`,
  conditions: (t: number, T: number, before: number) => {
    const so = before === 0 ? "nothing written yet" : `the ${plural(before, "token")} written so far`;
    return `Factor ${t} of ${T}: given the whole source and ${so}.`;
  },
  runnersUp: "Next after it",
  end: "All factors together: ",
  endProduct: (T: number) => `, the product of all ${T}, and `,
  endSum: " nats, the sum of their logarithms.",
};

export const encoderDecoder = {
  label: (S: number, T: number, step: number) =>
    `The unrolled network: ${plural(S, "encoder state")} over the characters of the source, ${plural(T, "decoder state")} over ` +
    `what is fed and what is predicted; ${step === 0 ? "the encoder has read the source" : `step ${step} of the decoder is on show`}.`,
  regionLabel: "The network, step by step. Arrow keys go from step to step.",
  reads: "reads",
  state: "state",
  predicts: "predicts",
  correct: (fed: boolean) => (fed ? "correct, is fed" : "correct"),
  attention: "attention, section 4",
  bothEnds: "both ends",
  back: "Step back",
  next: "Next step",
  stepOf: (step: number, T: number) => (step === 0 ? "the encoder\u2019s end" : `step ${step} of ${T}`),
  forcing: "teacher forcing",
  makeStep: "At step",
  makeToken: "make it predict",
  makeNone: "what it predicts",
  more: (before: boolean, count: number, turned: boolean) =>
    before ? `${turned ? "\u2191" : "\u2190"} ${count} more` : `${count} more ${turned ? "\u2193" : "\u2192"}`,
  makeQuick: (step: number, token: string) => `Make it predict ${token} at step ${step}`,
  encoderEnd: (S: number, d_h: number, bothEnds: boolean) =>
    `The encoder has read ${plural(S, "character")}${bothEnds ? " in both directions" : ""}. Its last ${bothEnds ? "states make" : "state becomes"} ` +
    `the one that the decoder begins with, ${d_h} numbers.`,
  input: (t: number, fed: string) => `At step ${t} the decoder\u2019s input is the embedding of ${naming(fed)}`,
  inputStart: ", the start token.",
  inputWhy: (t: number, forced: boolean, predicted: string, correct: string | null) => {
    if (forced)
      return predicted === correct
        ? `, the correct token of step ${t}.`
        : `, the correct token of step ${t}, although ${naming(predicted)} was predicted there.`;
    return correct === null || predicted === correct
      ? `, its own prediction of step ${t}.`
      : `, its own prediction of step ${t}, although ${naming(correct)} is correct.`;
  },
  predictsNow: (predicted: string, probability: string) => `It predicts ${naming(predicted)}: P ${probability}.`,
  madeNow: (predicted: string, own: string, probability: string) =>
    `It is made to predict ${naming(predicted)}; by itself it would predict ${naming(own)}: P ${probability}.`,
  targetNow: (correct: string) => `The target has ${naming(correct)} here.`,
  forcedRun: (T: number) =>
    `All ${plural(T, "input")} are known before the first prediction, so one pass gives all ${plural(T, "loss", "losses")}.`,
  forcedMade: (step: number) => `What was predicted at step ${step} changes nothing after it.`,
  freeRun: (output: string) => `Fed with its own output, it writes ${output}.`,
  freeMade: (step: number, output: string, before: string) =>
    `From step ${step} on it goes on from the wrong token: it writes ${output} instead of ${before}.`,
  target: (target: string) => `The target is ${target}, as the grammar reads your text.`,
  targetOwn: (target: string) =>
    `The grammar has no reading of this text, so the target here is the model\u2019s own answer, ${target}.`,
  targetNone:
    "The model writes nothing for this text and the grammar has no reading of it, so there is no target to feed.",
  attends:
    "This model has attention, too, drawn lightly as the dotted line: its decoder may look back. In Figure 1 the arrow from the " +
    "encoder\u2019s last state is the only path; choose the model \u201cplain\u201d to see that one alone.",
  reversed: "This model\u2019s encoder reads the source from its end.",
  leftOut: (count: number) => `${plural(count, "state")} in the middle are not drawn.`,
  code: "In code, as in the lab: tgt_in and tgt_out",
  codeText: (T: number) =>
    `Both hold T = ${T} tokens. tgt_in is what the decoder is fed, tgt_out what its predictions are compared with; column t belongs to step t.`,
};

export const tokenLoss = {
  label: (T: number) =>
    `The loss of each of the ${plural(T, "target token")}, in nats: a bar and a number for each model.`,
  even: "ln 15",
  trained: (model: string) => `trained: ${modelNames[model] ?? model}`,
  untrained: (seed: number) => `untrained, seed ${seed}`,
  guess: (V: number) => `an even guess, ln ${V} each`,
  first: "What an untrained model’s loss is: guess first, or",
  showIt: "show it",
  seed: "Seed of the untrained model",
  another: "Another seed",
  sums: "Loss of the target: summed over its tokens as in Eq. 5, and their mean",
  nats: "nats",
  sum: (T: number) => `sum of ${T}`,
  mean: "mean",
  amount: (loss: number) => {
    if (loss > 0 && loss < 0.00005) return "< 0.0001";
    return decimals(Math.max(loss, 0), loss < 1 ? 4 : 2);
  },
  why: (V: number, T: number) =>
    `The untrained model has no reason to prefer one token, so each costs it about as much as an even guess among ${V} would: ` +
    `\u2212log(1/${V}) = ln ${V} \u2248 ${decimals(Math.log(V), 2)} nats, and ${plural(T, "token")} cost ${decimals(T * Math.log(V), 1)}.`,
  forced:
    "Under teacher forcing, with the target that the grammar reads in your text. Both models have the same shape.",
  ownTarget:
    "Under teacher forcing. The grammar has no reading of this text, so the target is what the trained model writes itself, and its loss says little.",
  noTarget:
    "The model writes nothing for this text and the grammar has no reading of it, so there is no target to score.",
  result: (mean: number, sum: number, T: number) =>
    `${decimals(mean, 2)} nats a token, summed over ${T}: ${decimals(sum, 1)}.`,
};

// Section 4: what the planes of states share, the dial, the worked numbers, one cell of a map.

const list = (numbers: ArrayLike<number>, digits: number) =>
  `(${Array.from(numbers, (x) => rounded(x, digits)).join(", ")})`;

export const plane = {
  context: "context",
  state: "state",
  score: "score",
  weight: "weight \u03b1",
  masked: "masked",
  doubled: (from: number, to: number, before: ArrayLike<number>, after: ArrayLike<number>) => {
    const [low, high] = [before, after].map((weights) => ({
      most: rounded(Math.max(...Array.from(weights)), 3),
      least: rounded(Math.min(...Array.from(weights)), 3),
    }));
    return (
      `more peaked. From length ${rounded(from, 1)} to ${rounded(to, 1)} the largest weight went from ${low?.most} to ${high?.most}, ` +
      `the smallest from ${low?.least} to ${high?.least}.`
    );
  },
};

export const queryDial = {
  views: "Which states to look at",
  view: { placed: "Five placed states", model: "The model’s own" },
  changing: "Coming …",
  angle: "Direction of the query",
  degrees: (angle: number) => `${angle}°`,
  length: "Length of the query",
  double: "Double the length",
  none: "Length 0",
  plane: "Plane with five states as arrows from 0, the query, and the context inside the hull of the states",
  handle: "Tip of the query",
  handleKeys: "Left and right arrow turn it, up and down change its length. It can be dragged, too.",
  handleValue: (angle: number, length: number) => `${angle} degrees, length ${rounded(length, 1)}`,
  weights: (alpha: readonly number[]) => `Scores and weights of the five states; the weights are ${list(alpha, 3)}`,
  outlined: (length: number) => `Dashed: the weights at length ${rounded(length, 1)}, before it was lengthened.`,
  placed: (alpha: readonly number[], [x, y]: Point, inside: boolean) => {
    const most = Math.max(...alpha);
    const even = most - Math.min(...alpha) < 1e-6;
    const weights = even
      ? "All scores are equal, so each state gets 1/5 and the context is the plain mean of the states."
      : `Most weight, ${rounded(most, 3)}, goes to state ${alpha.indexOf(most) + 1}.`;
    return `${weights} Context: (${rounded(x, 2)}, ${rounded(y, 2)}), ${inside ? "inside the hull" : "on the hull’s edge"} of the five states.`;
  },
  illustration:
    "An illustration with placed states: these five were put by hand and come from no model. The scores, weights and context are computed here as you turn.",
  step: "Step",
  stepOf: (t: number, T: number) => `${t} of ${T}`,
  previous: "Previous",
  next: "Next",
  noPlane: (plain: boolean) =>
    plain
      ? "This model has no attention: no query, no weights, no context to draw."
      : "No plane was fitted to this model, so its states cannot be drawn. Choose one of the models that came with the page.",
  heaviestLabel: (t: number) => `The states with the largest weights at step ${t}`,
  heaviest: (model: string, sum: number, S: number) =>
    S > 5
      ? `The five largest of ${S} weights of ${messages.modelName(model)}; together ${rounded(sum, 3)}.`
      : `All ${plural(S, "weight")} of ${messages.modelName(model)}.`,
  real: (
    t: number,
    token: string,
    { character, place, alpha }: { character: string; place: number; alpha: number },
    inside: boolean,
  ) =>
    `Step ${t} writes ${writing(token)}: most weight, ${rounded(alpha, 3)}, goes to the state after ${reading(character)} (position ${place}). ` +
    `The context lies ${inside ? "inside the hull" : "on the edge of the hull"} of the states.`,
  realPlane: (S: number, t: number) =>
    `The plane of the model with its ${plural(S, "state")}, the query of step ${t} and its context; the numbers are in the CSV file.`,
  queries: "Draw the queries",
  keyState: "state of a character, larger and darker with its weight",
  keyQuery: "query of this step; small: of the other steps",
  compared: ({ name, score }: ModelInfo) =>
    ({
      none: "",
      dot: `Drawn is what ${messages.modelName(name)} compares: the states of encoder and decoder as they are.`,
      general: `Drawn is what ${messages.modelName(name)} compares: the encoder’s states times W_a, and the decoder’s as they are.`,
      additive: `Drawn is what ${messages.modelName(name)} compares: the encoder’s states times W_k, and the decoder’s times W_q.`,
    })[score],
  share: ([one, two]: readonly number[], d: number) =>
    `This plane shows ${rounded(100 * ((one ?? 0) + (two ?? 0)), 0)}\u00a0% of their variance (${rounded(100 * (one ?? 0), 0)}\u00a0% across, ` +
    `${rounded(100 * (two ?? 0), 0)}\u00a0% upwards; each axis is stretched to fill its side), so two dots side by side here may be far apart. The scores are not measured in it: they are computed in all ${d} dimensions.`,
};

export const workedAttention = {
  examples: "Examples; every number can be changed",
  example: {
    scores: "(2, 0, 0)",
    shifted: "(12, 10, 10)",
    far: "(20, 0, 0)",
    equal: "equal scores",
    vectors: "with vectors",
    padded: "with padding",
  } satisfies Record<Example, string>,
  caption: "The attention step, worked: a row for each part of it, a column for each position",
  position: "position",
  pad: "padding",
  sum: "sum",
  query: "query",
  queryEntry: (k: number) => `Query, entry ${k}`,
  state: "state",
  stateEntry: (i: number, k: number) => `State ${i}, entry ${k}`,
  score: "score",
  scoreEntry: (i: number) => `Score ${i}`,
  product: (x: number, y: number) => [x, y].map((entry) => (entry < 0 ? `(\u2212${-entry})` : entry)).join("·"),
  masked: "masked: \u2212\u221e",
  exponential: "exp(score)",
  tooLarge: "does not fit",
  largestOff:
    "The second line of exponentials has the largest score taken off first, as the model computes them, so that none is ever too large. The weights are the same.",
  weight: "weight \u03b1",
  part: "weight × state",
  add: "Add a position",
  remove: "Remove the last",
  padding: "Padding at the end",
  paddingOf: (k: number, S: number) =>
    k === 0 ? "none" : k === 1 ? `position ${S}` : `positions ${S - k + 1} to ${S}`,
  notNumber: ({ name, typed, last }: { name: string; typed: string; last: number }) =>
    `${name}: ${typed.trim() === "" ? "nothing" : `“${typed}”`} is not a number from \u2212999 to 999. The working goes on with ${String(last).replace("-", "\u2212")}.`,
  weights: (alpha: readonly string[]) => `Weights: (${alpha.join(", ")}).`,
  weightsLabel: "Scores and weights as bars",
  plane: "The states as arrows, the query and the context",
  remark: {
    scores: "The largest score takes most; the others still count.",
    shifted:
      "Ten more on every score multiplies every exponential by the same factor, and the sum with them: the weights of (2, 0, 0). Only differences between scores matter.",
    far: "The gap is ten times as wide, and the first exponential is now almost half a billion times the others.",
    equal:
      "Nothing stands out, so each position gets the same weight, 1/S, and the context is the plain mean of the states.",
    vectors:
      "The context is mostly state 1, which points the way of the query, but not that state alone: all are in it.",
    padded: "The padded position has no part; the other weights rise so that the row still sums to 1.",
  } satisfies Record<Example, string>,
  one: "The largest weight rounds to 1 here: a 32-bit number has no room for how little is missing.",
};

export const attentionStep = {
  still: (text: string) => `The five largest weights of the first row of the map of “${text}”, with their scores.`,
  noAttention: "This model has no attention, so there is no weight to unfold.",
  cost: (model: string, S: number, T: number) =>
    `This map of ${messages.modelName(model)} took S × T = ${S} × ${T} = ${(S * T).toLocaleString("en")} scores, one for each pair of a character and a step. Without attention there is none to compute.`,
};

// The map with its fields laid over it, and how often attention looks into them.

const outOf = (part: number, whole: number, what: string) => `${part} of ${plural(whole, what)}`;
export const alignment = {
  fieldName: { year: "year", month: "month", day: "day" },
  fieldShort: (field: "year" | "month" | "day", date: number) => `${field} ${date}`,
  fieldReach: "still counts",
  fieldInside: "reads inside",
  fieldOutside: "outside",
  fieldWords: (field: "year" | "month" | "day", date: number, from: number, to: number, inside: boolean) =>
    `It belongs to the ${field} of date ${date}, ${from === to ? `position ${from}` : `positions ${from} to ${to}`}; ` +
    `the largest weight lies ${inside ? "inside" : "outside"}.`,
  still: (text: string) =>
    `Attention of the dot model on ${text}, with the fields of the date outlined in the rows that write them.`,
  stillCaption: (text: string) =>
    `${text}, read by the dot model: outlined in each row is the field that it writes, and a full dot says that its largest weight lies inside.`,
  presets: "Texts to try",
  fields: "fields laid over the map",
  tol: "Positions after a field that still count",
  /** `told`: whether it says how many are read inside their field, which is asked about. */
  count: ({ rows, sharp, digits, inDate, inField }: AlignmentCount, model: string, tol: number, told: boolean) =>
    `In this map of ${messages.modelName(model)} ${outOf(sharp, rows, "row")} ${sharp === 1 ? "has" : "have"} more than 0.99 on one position` +
    (digits === 0
      ? "."
      : `; ${outOf(inDate, digits, "digit")} ${inDate === 1 ? "is" : "are"} read inside their date${told ? `, ${inField} inside their field` : ""} (tol ${tol}).`),
  noFields:
    "No fields are laid over this map: the grammar does not understand all of this text, so it cannot tell where its years, months and days stand.",
  noAttention: (model: string) => `${model} has no attention, so there is no map to read.`,
  ratesTitle: "Over the whole test split",
  ratesText: (model: string, n: number) =>
    `The same count for ${messages.modelName(model)} and every digit of ${n.toLocaleString("en")} texts that the model was not trained on, each digit written after the right ones.`,
  start: (n: number) => `Measure hit rates on ${n.toLocaleString("en")} texts`,
  again: "Measure hit rates again",
  pause: "Pause",
  resume: "Go on",
  progress: (done: number, total: number, held: boolean) =>
    `${done.toLocaleString("en")} of ${total.toLocaleString("en")} texts${held ? ", paused" : ""}`,
  chart: (tol: number) =>
    `Bars: for 1 to 4 dates, the share of digits whose largest weight lies inside their date, and inside their field, at tol ${tol}; dashed lines: what positions drawn at random would reach.`,
  empty: "Nothing measured yet",
  inDate: "inside the date (alignment_hit_rate)",
  inField: "inside the field (field_hit_rate)",
  vacuous: "says nothing: one date fills its text",
  chance: "by chance",
  vacuousNote:
    "At K = 1 the date is the whole text, so every weight lies inside it whatever the model does; only the field tells anything there.",
  measured: (model: string, how: string) => `Measured here for ${model}: ${how}.`,
  numbers: "The numbers",
  caption: (tol: number) => `Hit rates at tol ${tol}`,
  rate: "rate",
  all: "all",
  result: (shares: readonly number[]) =>
    `measured here ${shares.map((share, tol) => (tol === 0 ? `${decimals(share, 3)} with nothing added` : `${decimals(share, 3)} with ${plural(tol, "position")} more`)).join(", ")}.`,
};
