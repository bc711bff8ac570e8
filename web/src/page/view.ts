// How the page looks for a given state: the bar and the stage before its text, the models after it.
import { html, nothing } from "lit";
import type { ModelInfo } from "../engine/protocol.ts";
import type { Actions } from "./app.ts";
import { bar } from "./bar.ts";
import { messages } from "./messages.ts";
import { stage } from "./stage.ts";
import { FULL_STEPS, type State } from "./state.ts";

export function view(state: State, actions: Actions) {
  return html`
    ${bar(state, actions)} ${stage(state, actions)}
    ${state.dragging ? html`<div class="drop">${messages.yoursDrop}</div>` : nothing}
  `;
}

/** What follows the page's text. */
export function end(state: State, actions: Actions) {
  return html`<div class="apart">${models(state, actions)}</div>
    <p class="colophon">${messages.colophon}</p>`;
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
