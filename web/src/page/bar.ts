// The bar that stays at the top: the text, test examples, the model and the one beside it.
import { html, nothing } from "lit";
import { codePoints } from "../draw/characters.ts";
import { allUnknown, unknownLetters } from "../draw/unknown.ts";
import { SHOWCASE } from "./address.ts";
import type { Actions } from "./app.ts";
import { shipped } from "../engine/files.ts";
import { messages } from "./messages.ts";
import type { State } from "./state.ts";

export const NOTES = "notes";

export function bar(state: State, actions: Actions) {
  return html`<div class="sticky">
    <div class="bar">
      <label for="text" class="unseen">${messages.textLabel}</label>
      <span class="box">
        ${mirror(state)}
        <input
          id="text"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-describedby=${NOTES}
          .value=${state.text}
          @input=${(event: InputEvent) => actions.type((event.target as HTMLInputElement).value)}
          @scroll=${(event: Event) => follow(event.target as HTMLInputElement)}
        />
      </span>
      <button class="quiet" aria-label=${messages.textResetLabel} ?disabled=${state.text === SHOWCASE} @click=${() => actions.reset()}>
        ${messages.textReset}
      </button>
    </div>
    <div class="tools">
      <sa-sample-picker .sample=${state.sample} ?disabled=${state.vocabulary.length === 0}></sa-sample-picker>
      <span class="models-chosen">
        ${modelChoice("model", messages.modelLabel, state.model, "", state, (name) => actions.choose(name))}
        ${modelChoice("beside", messages.besideLabel, state.beside, state.model, state, (name) => actions.chooseBeside(name))}
      </span>
    </div>
  </div>`;
}

/** Which letters of the text as it stands are unknown; none while its reading is still on the way. */
function unknown({ text, model, readings }: State): boolean[] {
  const reading = readings.get(model);
  if (reading?.text !== text) return [];
  if ("decoding" in reading) return unknownLetters(text, reading.decoding.notes);
  return reading.trouble.code === "EMPTY" ? allUnknown(text) : [];
}

/** The text once more behind the box, itself unseen, so that a line can run under the letters that are unknown. */
function mirror(state: State) {
  const marks = unknown(state);
  if (!marks.includes(true)) return nothing;
  const letters = codePoints(state.text);
  return html`<span class="mirror" aria-hidden="true"
    >${letters.map((letter, k) => (marks[k] ? html`<span class="off">${letter}</span>` : letter))}</span
  >`;
}

/** Keeps the mirror's letters under those of the box when it scrolls. */
export function follow(input: Element) {
  const layer = input.parentElement?.querySelector(".mirror");
  if (layer) layer.scrollLeft = input.scrollLeft;
}

function modelChoice(
  id: string,
  label: string,
  chosen: string,
  without: string,
  { models, vocabulary }: State,
  choose: (name: string) => void,
) {
  const names = [...new Set([...shipped, ...models.keys()])];
  return html`<span class="model">
    <label for=${id}>${label}</label>
    <select
      id=${id}
      ?disabled=${vocabulary.length === 0}
      @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
    >
      ${names.map((name) => html`<option value=${name} .selected=${name === chosen} ?disabled=${name === without}>${name}</option>`)}
    </select>
  </span>`;
}
