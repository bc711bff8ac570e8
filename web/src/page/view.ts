// How the page looks for a given state: the bar, the answer with its map, the other model, and what lies below.
import { html, nothing, type TemplateResult } from "lit";
import type { Decoding, ModelInfo } from "../engine/protocol.ts";
import { SHOWCASE } from "./address.ts";
import type { Actions } from "./app.ts";
import { files, type FileName } from "./files.ts";
import { messages } from "./messages.ts";
import { answerKept, FULL_STEPS, type Kept, mapKept, otherModel, type State, type Trouble } from "./state.ts";

/** From this many source characters on, the map takes the whole width and its neighbour moves below. */
const WIDE_FROM = 30;
const ECHO_LIMIT = 100;

export function view(state: State, actions: Actions) {
  return html`
    <div class="sticky">
      ${bar(state, actions)} ${tools(state, actions)}
    </div>
    ${state.failure && !state.models.has("dot") ? failed(state, state.failure, actions) : stage(state, actions)}
    ${models(state, actions)}
    <footer><p>${messages.colophon}</p></footer>
    ${state.dragging ? html`<div class="drop">${messages.yoursDrop}</div>` : nothing}
  `;
}

function bar(state: State, actions: Actions) {
  return html`<div class="bar">
    <label for="text" class="unseen">${messages.textLabel}</label>
    <input
      id="text"
      type="text"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      .value=${state.text}
      @input=${(event: InputEvent) => actions.type((event.target as HTMLInputElement).value)}
    />
    <button class="quiet" aria-label=${messages.textResetLabel} ?disabled=${state.text === SHOWCASE} @click=${() => actions.reset()}>
      ${messages.textReset}
    </button>
  </div>`;
}

function tools(state: State, actions: Actions) {
  return html`<div class="tools">
    <sa-sample-picker .sample=${state.sample} ?disabled=${!state.models.has("dot")}></sa-sample-picker>
    <span class="model">
      <label for="model">${messages.modelLabel}</label>
      <select id="model" @change=${(event: Event) => actions.choose((event.target as HTMLSelectElement).value)}>
        ${[...new Set([...state.models.keys(), state.model])].map(
          (name) => html`<option value=${name} ?selected=${name === state.model}>${messages.modelName(name)}</option>`,
        )}
      </select>
    </span>
  </div>`;
}

/** The text alone, where there is no reading of it yet; a text too long to be read is too long to be spelled out. */
function echo({ text }: State) {
  return text.length > ECHO_LIMIT ? nothing : html`<sa-source-echo .text=${text}></sa-source-echo>`;
}

function failed(state: State, failure: Trouble, actions: Actions) {
  return html`<section class="stage">
    ${echo(state)}
    <div role="alert" class="alert">
      <p>${messages.notLoaded}</p>
      <p>${messages.failure(failure.code, failure.message)}</p>
    </div>
    <button @click=${() => void actions.open()}>${messages.tryAgain}</button>
  </section>`;
}

function stage(state: State, actions: Actions) {
  const reading = state.readings.get(state.model);
  if (!reading) return loading(state);
  if ("trouble" in reading) return noReading(state, reading.trouble, actions);
  const { decoding, text } = reading;
  const wide = decoding.source.length >= WIDE_FROM;
  return html`
    <section class="stage" aria-label=${messages.answerLabel(messages.modelName(state.model))}>
      <div class="line ${wide ? "long" : ""}">
        <sa-source-echo
          .text=${text}
          .notes=${decoding.notes}
          .positions=${decoding.positions}
          .position=${state.point.i === null ? null : (decoding.positions[state.point.i] ?? null)}
        ></sa-source-echo>
        <span class="becomes">${messages.becomes}</span>
        ${answer(state, state.model, decoding, actions)}
      </div>
      ${notes(state, decoding)}
      <div class="figure ${wide ? "wide" : ""}">
        <div class="map">
          <h2>${messages.mapTitle}</h2>
          ${map(state, decoding, actions)}
        </div>
        <div class="margin">${other(state, actions)} ${decoding.alpha && !mapKept(state) ? howToRead(state.models.get(state.model)) : nothing}</div>
      </div>
      ${probabilities(state, decoding)}
    </section>
  `;
}

function loading(state: State) {
  const rows = Object.keys(files) as FileName[];
  return html`<section class="stage">
    ${echo(state)}
    <ul class="loading" role="status">
      ${rows.map((name) => {
        const progress = state.progress[name];
        return progress
          ? html`<li>${messages.loading(messages.fileNames[name], progress.loaded, progress.total)}</li>`
          : nothing;
      })}
    </ul>
  </section>`;
}

function noReading(state: State, trouble: Trouble, actions: Actions) {
  return html`<section class="stage">
    ${echo(state)}
    <p class="alert" role="status" data-code=${trouble.code}>${trouble.message}</p>
    <button @click=${() => actions.reset()}>${messages.tryThis(SHOWCASE)}</button>
  </section>`;
}

/** A button in the place of a result that is kept until after the lab. */
function kept(what: Kept, actions: Actions) {
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
    .point=${model === state.model ? state.point : { t: null, i: null }}
  ></sa-answer>`;
}

function notes(state: State, decoding: Decoding) {
  const info = state.models.get(state.model);
  const sentences = decoding.notes.map((note) => html`<li data-code=${note.code}>${note.message}</li>`);
  if (state.unknownModel) sentences.unshift(html`<li>${messages.modelUnknown(state.unknownModel)}</li>`);
  if (info && info.steps > 0 && info.steps < FULL_STEPS) {
    sentences.push(html`<li class="quick">${messages.quick(info.steps, FULL_STEPS)}</li>`);
  }
  return html`<ul class="notes" aria-label=${messages.notesLabel} aria-live="polite">${sentences}</ul>`;
}

function map(state: State, decoding: Decoding, actions: Actions) {
  const keep = mapKept(state);
  if (!decoding.alpha) return html`<p class="prose">${messages.noMap}</p>`;
  if (keep) return kept(keep, actions);
  return html`<sa-attention-map .data=${decoding} .point=${state.point}></sa-attention-map>`;
}

function howToRead(info: ModelInfo | undefined) {
  const oneWay = info?.encoder === "uni" ? [messages.mapReadingOneWay] : [];
  return html`<div class="aside">${[...messages.mapReading, ...oneWay].map((text) => html`<p>${text}</p>`)}</div>`;
}

/** The same text through the other model, so that the two can be told apart at a glance. */
function other(state: State, actions: Actions) {
  const name = otherModel(state.model);
  const reading = state.readings.get(name);
  const plain = name === "plain";
  let body: TemplateResult | typeof nothing = nothing;
  if (state.otherTrouble)
    body = html`<p class="alert">${messages.failure(state.otherTrouble.code, state.otherTrouble.message)}</p>`;
  else if (reading && "decoding" in reading) body = answer(state, name, reading.decoding, actions);
  return html`<div class="other">
    <h2>${plain ? messages.otherPlain : messages.otherDot}</h2>
    <p>${plain ? messages.otherPlainText : messages.otherDotText}</p>
    ${body}
  </div>`;
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

function modelLine(name: string, info: ModelInfo) {
  return html`<dt>${messages.modelName(name)}</dt>
    <dd>${messages.modelLine(info.parameters, info.steps, FULL_STEPS)}</dd>`;
}

function models(state: State, actions: Actions) {
  const take = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) void actions.take(file);
    // So that the same file can be chosen again after it was mended.
    input.value = "";
  };
  return html`<section class="models">
    <h2>${messages.modelsTitle}</h2>
    <dl>
      ${[...state.models].map(([name, info]) => modelLine(name, info))}
    </dl>
    <h3>${messages.yoursTitle}</h3>
    <p>${messages.yoursText}</p>
    <label class="file">
      ${messages.yoursChoose}
      <input type="file" accept=".safetensors" @change=${take} />
    </label>
    <div role="status">${ownFile(state)}</div>
  </section>`;
}

function ownFile({ own }: State) {
  if (!own) return nothing;
  if (!own.trouble) return html`<p>${messages.yoursLoaded(own.file)}</p>`;
  return html`<div class="alert">
    <p>${messages.yoursFailed}</p>
    <pre>${messages.failure(own.trouble.code, own.trouble.message)}</pre>
  </div>`;
}
