// The texts that a measured model got wrong, one at a time, each with what it should have written.
import { html, nothing, type ReactiveControllerHost } from "lit";
import type { Measured } from "../engine/measure.ts";
import { BUCKETS, BUCKET_SIZE } from "../engine/protocol.ts";
import { failures as messages, messages as page } from "../page/messages.ts";

export interface TestSplit {
  sources: readonly string[];
  targets: readonly string[];
}

interface Actions {
  split(): Promise<TestSplit>;
  /** Takes a text up for the whole page. */
  read(text: string): void;
}

export class Failures {
  #split: TestSplit | null = null;
  /** Which failure of a model and K is on show, by both. */
  #places = new Map<string, number>();
  #open = new Map<string, number>();

  constructor(
    readonly host: ReactiveControllerHost,
    readonly actions: Actions,
  ) {}

  /** A button for each K with how many were wrong, and the failure that is on show. */
  list(model: string, measured: Measured | undefined) {
    if (!measured) return nothing;
    const wrong = BUCKETS.map((_, k) =>
      Array.from({ length: BUCKET_SIZE }, (_, i) => k * BUCKET_SIZE + i).filter((i) => measured.right[i] === 0),
    );
    const open = this.#open.get(model);
    return html`<div class="failures" role="group" aria-label=${messages.label(page.modelName(model))}>
      <p class="controls">
        <span>${messages.title(page.modelName(model))}</span>
        ${BUCKETS.map((K, k) => {
          const count = wrong[k]?.length ?? 0;
          const toggle = () => void this.#toggle(model, K);
          return html`<button ?disabled=${count === 0} aria-expanded=${open === K} @click=${toggle}>${messages.count(K, count)}</button>`;
        })}
      </p>
      ${open === undefined ? nothing : this.#failure(model, open, wrong[open - 1] ?? [], measured)}
    </div>`;
  }

  async #toggle(model: string, K: number) {
    if (this.#open.get(model) === K) this.#open.delete(model);
    else {
      this.#split ??= await this.actions.split();
      this.#open.set(model, K);
    }
    this.host.requestUpdate();
  }

  #failure(model: string, K: number, wrong: readonly number[], { outputs }: Measured) {
    const key = `${model} ${K}`;
    const place = Math.min(this.#places.get(key) ?? 0, wrong.length - 1);
    const i = wrong[place];
    if (i === undefined || !this.#split) return nothing;
    const [source = "", target = "", output = ""] = [this.#split.sources[i], this.#split.targets[i], outputs[i]];
    const move = (by: number) => {
      this.#places.set(key, (place + by + wrong.length) % wrong.length);
      this.host.requestUpdate();
    };
    return html`<div class="failure">
      <dl>
        <dt>${messages.source}</dt>
        <dd class="mono source">${source}</dd>
        <dt>${messages.target}</dt>
        <dd class="mono target">${target}</dd>
        <dt>${messages.output}</dt>
        <dd class="mono">${dates(output, target)}</dd>
      </dl>
      <p class="controls">
        <button aria-label=${messages.previous} @click=${() => move(-1)}>←</button>
        <span class="num">${messages.place(place + 1, wrong.length)}</span>
        <button aria-label=${messages.next} @click=${() => move(1)}>→</button>
        <button @click=${() => this.actions.read(source)}>${messages.read}</button>
      </p>
    </div>`;
  }
}

/** The dates of an output, the wrong ones marked and named. */
function dates(output: string, target: string) {
  const right = target.split(" ");
  if (output === "") return messages.nothing;
  return output
    .split(" ")
    .map((date, k) =>
      date === right[k]
        ? html`${date} `
        : html`<s class="wrong">${date}</s><span class="unseen">${messages.wrong}</span> `,
    );
}
