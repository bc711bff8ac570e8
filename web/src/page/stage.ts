// The stage: the text, what both models make of it, their maps, and the explanation of one cell.
import { html, nothing } from "lit";
import { compare } from "../draw/compare.ts";
import type { Kept } from "../demos/demo.ts";
import type { Progress } from "../engine/fetch.ts";
import { ENGINE, type Trouble } from "../engine/models.ts";
import type { Decoding } from "../engine/protocol.ts";
import { NOWHERE, samePlace } from "../widgets/base.ts";
import { SHOWCASE } from "./address.ts";
import type { Actions } from "./app.ts";
import { NOTES } from "./bar.ts";
import { messages } from "./messages.ts";
import { answerKept, decodingOf, FULL_STEPS, mapKept, type State } from "./state.ts";

/** From this many source characters on, a map takes the whole width and the explanation moves below. */
const WIDE_FROM = 60;
/** Up to this many, two maps fit beside each other on a wide screen. */
const PAIR_UP_TO = 16;
/** A longer text is set smaller. */
const LONG_FROM = 30;
const ECHO_LIMIT = 100;
/** Where so many vectors are drawn that they would be taller, they are drawn thinner. */
const TALLEST = 96;
const TWO_DATES = "July 24, 2041; February 14, 1914";

export function stage(state: State, actions: Actions) {
  const trouble = state.failure ?? state.missing.get(state.model);
  if (trouble && !state.models.has(state.model)) return failed(state, trouble, actions);
  const reading = state.readings.get(state.model);
  if (!reading) return loading(state, actions);
  if ("trouble" in reading) return noReading(state, reading.trouble, actions);
  return live(state, reading.text, reading.decoding, actions);
}

function live(state: State, text: string, decoding: Decoding, actions: Actions) {
  const S = decoding.source.length;
  return html`<section class="stage live" aria-label=${messages.answerLabel(messages.modelName(state.model))}>
    <div class="line ${S >= LONG_FROM ? "long" : ""}">
      <sa-source-echo
        .text=${text}
        .notes=${decoding.notes}
        .positions=${decoding.positions}
        .position=${state.point.i === null ? null : (decoding.positions[state.point.i] ?? null)}
      ></sa-source-echo>
      <div class="answers">
        <div class="answer first">${by(state.model)} ${answer(state, state.model, decoding, actions)}</div>
        <div class="answer other">${by(state.beside)} ${besideAnswer(state, actions)}</div>
      </div>
    </div>
    <div class="under">${why(state, text, decoding, actions)} ${notes(state, decoding)}</div>
    ${figure(state, decoding, actions)} ${probabilities(state, decoding)}
  </section>`;
}

const by = (model: string) => html`<span class="by">${messages.modelName(model)}</span>`;

/** The text alone, where there is no reading of it yet; a text too long to be read is too long to be spelled out. */
function echo({ text }: State) {
  return text.length > ECHO_LIMIT ? nothing : html`<sa-source-echo .text=${text}></sa-source-echo>`;
}

const arriving = (what: string, { loaded, total }: Progress) => messages.arriving(what, loaded, total);

/** What is on its way, and how much of it has come. */
function arrivals({ progress, models }: State) {
  const names = [ENGINE, ...progress.keys()].filter((name, k, all) => all.indexOf(name) === k && !models.has(name));
  return names.flatMap((name) => {
    const [what, part] = [name === ENGINE ? messages.engineName : messages.modelName(name), progress.get(name)];
    return part ? [arriving(what, part)] : [];
  });
}

/** The page as it was served, with what is on its way in the place of the hint. */
function loading(state: State, actions: Actions) {
  const { line, map } = actions.still;
  return html`<section class="stage">
    ${line} ${notes(state, null)}
    <div class="figure">
      <div class="map hero">
        <h2>${messages.mapTitle}</h2>
        <div class="loading hint" role="status">
          <ul>
            ${arrivals(state).map((text, k) => html`<li>${k === 0 ? messages.loading(text) : text}</li>`)}
          </ul>
        </div>
        ${state.labBefore ? nothing : map}
      </div>
    </div>
  </section>`;
}

function failed(state: State, trouble: Trouble, actions: Actions) {
  return html`<section class="stage">
    ${echo(state)}
    <div role="alert" class="alert">
      <p>${messages.notLoaded}</p>
      <p>${messages.failure(trouble.code, trouble.message)}</p>
    </div>
    <button @click=${() => void actions.open()}>${messages.tryAgain}</button>
    ${
      state.labBefore || !actions.still.map
        ? nothing
        : html`<div class="figure"><div class="map hero"><p class="hint">${messages.stillInstead}</p>${actions.still.map}</div></div>`
    }
  </section>`;
}

function noReading(state: State, trouble: Trouble, actions: Actions) {
  return html`<section class="stage">
    ${echo(state)}
    <p class="alert" role="status" id=${NOTES} data-code=${trouble.code}>${trouble.message}</p>
    <button @click=${() => actions.reset()}>${messages.tryThis(SHOWCASE)}</button>
  </section>`;
}

/** A button in the place of a result that is kept until after the lab. */
export function kept(what: Kept, actions: Actions) {
  return html`<div class="kept">
    <p>${messages.revealNote}</p>
    <button @click=${() => actions.reveal(what)}>${messages.reveal[what]}</button>
  </div>`;
}

function answer(state: State, model: string, decoding: Decoding, actions: Actions) {
  const keep = answerKept(state, model);
  if (keep) return kept(keep, actions);
  return html`<sa-answer
    .model=${model}
    .output=${decoding.output}
    .expected=${decoding.expected}
    .point=${model === state.model || decoding.alpha ? state.point : NOWHERE}
  ></sa-answer>`;
}

/** The other model's answer, or how far it has come, or why it is not here. */
function besideAnswer(state: State, actions: Actions) {
  const { beside } = state;
  const trouble = state.missing.get(beside);
  if (trouble) return html`<p class="alert">${messages.failure(trouble.code, trouble.message)}</p>`;
  const decoding = decodingOf(state, beside);
  if (decoding) return answer(state, beside, decoding, actions);
  const progress = state.progress.get(beside) ?? { loaded: 0, total: 0 };
  return html`<p class="loading" role="status">${messages.loading(arriving(messages.modelName(beside), progress))}</p>`;
}

/** Why attention helps, where the two answers in sight show it; with one date, the way to a text that may. */
function why(state: State, text: string, { K, source }: Decoding, actions: Actions) {
  const names = [state.model, state.beside];
  const plain = names.find((name) => state.models.get(name)?.score === "none");
  if (plain === undefined) return nothing;
  if (K === 1) return html`<button @click=${() => actions.suggest(TWO_DATES)}>${messages.tryTwo}</button>`;
  const inSight = (name: string) => {
    const decoding = decodingOf(state, name);
    const shown = decoding && state.readings.get(name)?.text === text && !answerKept(state, name);
    return shown ? { alpha: decoding.alpha, ...compare(decoding.output, decoding.expected) } : null;
  };
  const attending = inSight(state.model === plain ? state.beside : state.model);
  const right = inSight(plain)?.dates.filter((date) => date.right).length ?? K;
  if (K < 2 || !attending?.alpha || !attending.right || right >= K) return nothing;
  return html`<p class="why">${messages.why(right, K, source.length, state.models.get(plain)?.d_h ?? 0)}</p>`;
}

function notes(state: State, decoding: Decoding | null) {
  const info = state.models.get(state.model);
  const sentences = (decoding?.notes ?? []).map((note) => html`<li data-code=${note.code}>${note.message}</li>`);
  for (const name of state.unknownModels) {
    sentences.unshift(html`<li>${messages.modelUnknown(name, messages.modelName(state.model))}</li>`);
  }
  if (!decoding && state.text !== SHOWCASE && !state.labBefore) {
    sentences.push(html`<li class="quick">${messages.stillMeanwhile}</li>`);
  }
  if (info && info.steps > 0 && info.steps < FULL_STEPS) {
    sentences.push(html`<li class="quick">${messages.quick(info.steps, FULL_STEPS)}</li>`);
  }
  return html`<ul class="notes" id=${NOTES} aria-label=${messages.notesLabel} aria-live="polite">${sentences}</ul>`;
}

function figure(state: State, decoding: Decoding, actions: Actions) {
  const S = decoding.source.length;
  const second = decodingOf(state, state.beside);
  const pair = decoding.alpha && second?.alpha && !mapKept(state);
  const shape = S >= WIDE_FROM ? "wide" : pair && S <= PAIR_UP_TO ? "pair" : "";
  return html`<div class="figure ${shape}">
    <div class="map hero">
      <h2>${pair ? messages.mapTitleOf(state.model) : messages.mapTitle}</h2>
      ${map(state, state.model, decoding, actions)}
    </div>
    ${explanation(state)}
    ${
      pair
        ? html`<div class="map second"><h2>${messages.mapTitleOf(state.beside)}</h2>${map(state, state.beside, second, actions)}</div>`
        : nothing
    }
    ${below(state, decoding)}
  </div>`;
}

function map(state: State, model: string, decoding: Decoding, actions: Actions) {
  if (!decoding.alpha) return html`<p class="prose">${messages.noMap}</p>`;
  const keep = mapKept(state);
  if (keep) return kept(keep, actions);
  return html`<sa-attention-map
    model=${model}
    .data=${decoding}
    .point=${state.point}
    .kept=${state.kept}
    .explained=${state.explained?.row.model === model ? state.explained : null}
  ></sa-attention-map>`;
}

function explanation(state: State) {
  const { explained } = state;
  if (!explained || mapKept(state)) return nothing;
  return html`<div class="margin">
    <sa-cell-explanation
      .explained=${explained}
      .kept=${samePlace(state.kept, explained)}
    ></sa-cell-explanation>
  </div>`;
}

/** How to read the map, and what the two models have of the text when they write. */
function below(state: State, decoding: Decoding) {
  const info = state.models.get(state.model);
  const shown = decoding.alpha && !mapKept(state);
  const oneWay = info?.encoder === "uni" ? [messages.mapReadingOneWay] : [];
  return html`<div class="below">
    ${shown ? html`<div class="aside">${[...messages.mapReading, ...oneWay].map((text) => html`<p>${text}</p>`)}</div>` : nothing}
    ${[state.model, state.beside].map((name) => carries(state, name, decoding.source.length))}
  </div>`;
}

function carries(state: State, name: string, S: number) {
  const info = state.models.get(name);
  if (!info) return nothing;
  const plain = info.score === "none";
  const words = plain ? messages.carriesVector : messages.carriesMemory;
  return html`<div>
    <h3>${messages.carries(name)}</h3>
    ${vectors(plain ? 1 : S)}
    <p>${words(S, info.d_h)}</p>
  </div>`;
}

/** So many vectors, a line each. */
function vectors(count: number) {
  const height = Math.min(3 * count, TALLEST);
  const lines = Array.from({ length: count }, (_, k) => `M0 ${3 * k}h100v2h-100z`).join("");
  return html`<svg class="vectors" viewBox="0 0 100 ${3 * count}" height=${height} preserveAspectRatio="none" aria-hidden="true">
    <path d=${lines} />
  </svg>`;
}

function probabilities(state: State, decoding: Decoding) {
  if (answerKept(state, state.model)) return nothing;
  return html`<details class="probabilities">
    <summary>${messages.probabilities}</summary>
    <p class="prose">${messages.probabilitiesText(state.vocabulary.length)} ${messages.logProb(decoding.log_prob)}</p>
    <sa-probability-table
      .data=${decoding}
      .vocabulary=${state.vocabulary}
      .point=${state.point}
    ></sa-probability-table>
  </details>`;
}
