// Measured here: what each model's answers to the whole test split are worth, counted on the visitor's computer.
import { html, nothing } from "lit";
import { decimals } from "../draw/characters.ts";
import type { Measured } from "../engine/measure.ts";
import { BUCKETS, SPLIT_SIZE } from "../engine/protocol.ts";
import type { Actions } from "./app.ts";
import { shipped } from "../engine/files.ts";
import { messages } from "./messages.ts";
import { kept } from "./stage.ts";
import { measuredKept, type State } from "./state.ts";

export function measured(state: State, actions: Actions) {
  const keep = measuredKept(state);
  return html`<section class="measured">
    <h2>${messages.measuredTitle}</h2>
    <p>${messages.measuredText(SPLIT_SIZE)}</p>
    ${keep ? kept(keep, actions) : [controls(state, actions), table(state)]}
  </section>`;
}

function controls(state: State, actions: Actions) {
  const { measuring, models, model, measuringTrouble } = state;
  // One button for both, so that the focus stays on it.
  const press = (event: SubmitEvent) => {
    event.preventDefault();
    if (measuring) {
      measuring.abort.abort();
      return;
    }
    const chosen = new FormData(event.target as HTMLFormElement).get("measured-model");
    if (typeof chosen === "string") void actions.measure(chosen);
  };
  return html`<form class="measure" @submit=${press}>
      <label for="measured-model">${messages.measureLabel}</label>
      <select id="measured-model" name="measured-model" ?disabled=${models.size === 0}>
        ${[...new Set([...shipped, ...models.keys()])].map((name) => html`<option value=${name} ?selected=${name === model}>${messages.modelName(name)}</option>`)}
      </select>
      <button ?disabled=${models.size === 0}>${measuring ? messages.measureStop : messages.measureStart}</button>
    </form>
    <div role="status" class="measuring">
      ${
        measuring
          ? html`<label>
              <progress max=${measuring.total} .value=${measuring.done}></progress>
              ${messages.measureProgress(measuring.done, measuring.total)}
            </label>`
          : nothing
      }
      ${measuringTrouble ? html`<p class="alert">${messages.failure(measuringTrouble.code, measuringTrouble.message)}</p>` : nothing}
    </div>`;
}

function table({ measured }: State) {
  if (measured.size === 0) return nothing;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${messages.measuredCaption}>
    <table>
      <caption class="unseen">${messages.measuredCaption}</caption>
      <thead>
        <tr>
          <th scope="col">${messages.measuredModel}</th>
          ${BUCKETS.map((K) => html`<th scope="col">${messages.measuredColumn(K)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${[...measured].map(([name, result]) => row(name, result))}
      </tbody>
    </table>
  </div>`;
}

function row(name: string, result: Measured) {
  const n = result.n.reduce((sum, count) => sum + count, 0);
  return html`<tr>
    <th scope="row">
      ${messages.modelName(name)} <span class="how">${messages.measuredIn(n, result.seconds, result.workers)}</span>
    </th>
    ${BUCKETS.map((_, k) => {
      const share = result.exact_match[k] ?? 0;
      const dates = result.per_date[k] ?? [];
      return html`<td>
        <span class="share">${decimals(share, 3)}</span>
        <svg class="rate" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
          <rect class="of" width="100" height="8" /><rect class="part" width=${100 * share} height="8" />
        </svg>
        ${dates.length > 1 ? html`<span class="how">${messages.measuredDates(dates)}</span>` : nothing}
      </td>`;
    })}
  </tr>`;
}
