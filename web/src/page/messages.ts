// Every sentence and label that the page shows, in one place; the module's own notes and errors come with theirs.
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
const reading = (character: string) => (isSpace(character) ? "a space" : `'${character}'`);

/** How an output token is called in a sentence. */
function writing(token: string): string {
  if (token === "<eos>") return "<eos>, the end";
  return isSpace(token) ? "a space" : `'${token}'`;
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
  measuredTitle: "Measured here",
  measuredText: (n: number) =>
    `The ${n.toLocaleString("en")} sources of the test split, through a model, on this computer and now: what share of its ` +
    "answers is right as a whole, for each number of dates\u00a0K.",
  measureLabel: "Model to measure",
  measureStart: "Measure",
  measureStop: "Cancel",
  measureProgress: (done: number, total: number) =>
    `${done.toLocaleString("en")} of ${total.toLocaleString("en")} sources`,
  measuredCaption: "Exact match by K, measured on this computer",
  measuredModel: "model",
  measuredColumn: (K: number) => `K = ${K}`,
  measuredIn: (n: number, seconds: number, workers: number) =>
    `n = ${n.toLocaleString("en")}, ${decimals(seconds, seconds < 10 ? 2 : 1)} s, ${workers === 0 ? "no worker" : plural(workers, "worker")}`,
  measuredDates: (rates: readonly number[]) => `date by date ${rates.map((rate) => decimals(rate, 3)).join(", ")}`,

  // Every demo.
  demoStarts: "the demo",
  demoReset: "Reset",
  figureTools: "Reset and save this figure",
  saveAs: "Save as",
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
  right: "Right.",
  wrong: (given: string, right: string) => `Not “${given}”. The answer: ${right}.`,
  sharePlace: "0 to 1",
  lackChoice: "Choose one first.",
  lackNumber: "A number is needed, such as 2.5.",
  lackShares: "Every field needs a number from 0 to 1.",
};

export const predictions = {
  "exact-match": {
    kind: "shares",
    prompt:
      "Without attention, the model was trained on 100,000 texts, as many with one date as with two, three or four. What share of " +
      "unseen texts does it get right as a whole, for K dates?",
    labels: ["K = 1", "K = 2", "K = 3", "K = 4"],
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
    prompt: "The scores (2, 0, 0) give the weights (.79, .11, .11). And the scores (12, 10, 10)?",
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
    prompt: "Are the weights for (20, 0, 0) more or less peaked than (.79, .11, .11)?",
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
  budget: (steps: number, d_h: number) =>
    `Both were trained for ${steps.toLocaleString("en")} steps on the same batches, with the same optimiser and d_h = ${d_h}. ` +
    "With more steps or a larger vector the numbers of either would rise.",
  otherBudget: "The budgets of these two differ, so compare with care.",
  marks: "A dashed line is your guess, a ring what the course’s own run recorded.",
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
    unit: "values",
  },
  steps: {
    title: "Steps from the first source token to the last target token",
    problem: "Can the gradient travel so far? This is optimisation.",
    unit: "steps",
  },
  doubled: (now: number, twice: number, unit: string) =>
    `S: ${now.toLocaleString("en")} ${unit}. 2S: ${twice.toLocaleString("en")} ${unit}${now === twice ? ", no change" : ""}.`,
  how: (T: number) => `T = ${T} target tokens. Counted by the equations, not measured.`,
};

// Section 4: what the planes of states share, the dial, the worked numbers, one cell of a map.

const list = (numbers: ArrayLike<number>, digits: number) =>
  `(${Array.from(numbers, (x) => rounded(x, digits)).join(", ")})`;

export const plane = {
  context: "context",
  state: "state",
  score: "score",
  weight: "weight \u03b1",
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
  heaviest: (sum: number, S: number) =>
    S > 5 ? `The five largest of ${S} weights; together ${rounded(sum, 3)}.` : `All ${plural(S, "weight")}.`,
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
  cost: (S: number, T: number) =>
    `This map took S × T = ${S} × ${T} = ${(S * T).toLocaleString("en")} scores, one for each pair of a character and a step. Without attention there is none to compute.`,
};
