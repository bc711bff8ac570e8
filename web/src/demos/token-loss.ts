// sa-token-loss: the loss of every target token (Eq. 5), its sum and its mean, of the chosen model and of an untrained one.
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { targetOf } from "../draw/decoder-run.ts";
import { evenLoss, lossChart } from "../draw/token-loss.ts";
import { lossFigure, lossKey } from "../draw/token-loss-figure.ts";
import type { Decoding, TeacherForced } from "../engine/protocol.ts";
import { tokenLoss as messages } from "../page/messages.ts";
import { Demo, demoProperties } from "./demo.ts";
import { ResultEvent } from "./events.ts";
import { Guess } from "./guesses.ts";
import { keptAnswer } from "./kept.ts";

interface Shown {
  decoding: Decoding;
  /** Null where there is no target. */
  losses: { trained: TeacherForced; untrained: TeacherForced } | null;
  seed: number;
  V: number;
}

/** The name of the untrained model in the engine; the next seed takes its place, so that they do not pile up. */
const UNTRAINED = "untrained";
const SEEDS = 1000;
const QUESTION = "untrained-loss";

export class TokenLoss extends Demo<Shown> {
  static override properties = demoProperties("sa-token-loss", { wanted: { state: true } });
  declare text: string;
  declare model: string;
  declare seed: number;
  /** Shown without a guess, at the press of a button. */
  declare wanted: boolean;
  readonly element = "sa-token-loss";
  protected readonly inputs = ["text", "model", "seed"];
  #guess = new Guess(this, QUESTION);

  constructor() {
    super();
    this.wanted = false;
  }

  protected async ask(): Promise<Shown> {
    const { model, text, seed } = this;
    const { client } = this.models;
    await this.models.want(model);
    const decoding = await client.decode(model, text, this.asker);
    const target = targetOf(decoding);
    const V = this.models.info?.target_vocabulary.length ?? 0;
    if (target === "") return { decoding, losses: null, seed, V };
    // Asked in one go, so that no other untrained model comes in between.
    const [, untrained, trained] = await Promise.all([
      client.untrained(UNTRAINED, model, seed),
      client.teacherForce(UNTRAINED, text, target),
      client.teacherForce(model, text, target),
    ]);
    return { decoding, losses: { trained, untrained }, seed, V };
  }

  protected show(shown: Shown) {
    const { decoding, losses } = shown;
    if (!losses) return html`<p>${messages.noTarget}</p>`;
    const kept = keptAnswer(this.model, decoding);
    if (!kept) return this.#all(shown, losses, true);
    // Where the grammar reads the text, only what the trained model makes of it is kept back.
    const known = decoding.expected !== null;
    let whole: TemplateResult | undefined;
    const box = this.keep(kept, () => {
      whole = this.#all(shown, losses, true);
      return whole;
    });
    return whole ?? html`${known ? this.#all(shown, losses, false) : nothing}${box}`;
  }

  /** Whether the untrained model's loss, which is asked about, may show. */
  get #guessed() {
    return this.wanted || this.#guess.value !== "";
  }

  protected rows({ losses }: Shown) {
    const trained = losses?.trained;
    const untrained = this.#guessed ? losses?.untrained : undefined;
    return [
      ["t", "token", "trained", "untrained"],
      ...(trained?.tokens ?? []).map((token, t) => [t + 1, token, trained?.loss[t] ?? "", untrained?.loss[t] ?? ""]),
      ["", "sum", trained?.sum ?? "", untrained?.sum ?? ""],
      ["", "mean", trained?.mean ?? "", untrained?.mean ?? ""],
    ];
  }

  protected override updated(changed: PropertyValues) {
    const untrained = this.shown?.losses?.untrained;
    if (!changed.has("shown") || !untrained) return;
    const { mean, sum, tokens } = untrained;
    this.dispatchEvent(new ResultEvent(QUESTION, messages.result(mean, sum, tokens.length)));
  }

  /** `open`: the trained model's losses may show. */
  #all({ decoding, seed, V }: Shown, { trained, untrained }: NonNullable<Shown["losses"]>, open: boolean) {
    const { tokens } = untrained;
    const asked = this.#guessed;
    if (!open && !asked) return this.#ask();
    const losses = { trained: open ? trained.loss : null, untrained: asked ? untrained.loss : null };
    const kinds = [
      ...(open ? [{ name: "trained" as const, label: messages.trained(this.model) }] : []),
      ...(asked ? [{ name: "untrained" as const, label: messages.untrained(seed) }] : []),
    ];
    return html`${asked ? this.#seeds() : this.#ask()}
      <div class="both">
        <div>${lossKey(kinds)}<div class="figure scroll" tabindex="0" role="group" aria-label=${messages.label(tokens.length)}>${lossFigure(lossChart(tokens, losses, V))}</div></div>
        <div class="side">
          ${this.#sums(open ? trained : null, asked ? untrained : null, V, seed)}
          ${asked ? html`<p>${messages.why(V, tokens.length)}</p>` : nothing}
          <p class="note">${decoding.expected === null ? messages.ownTarget : messages.forced}</p>
        </div>
      </div>`;
  }

  /** In place of what is asked about, until there is a guess. */
  #ask() {
    return html`<p class="first">${messages.first} <button @click=${() => (this.wanted = true)}>${messages.showIt}</button></p>`;
  }

  #seeds() {
    return html`<div class="controls">
      <label>
        ${messages.seed}
        <input type="number" name="seed" min="0" max=${SEEDS - 1} .value=${String(this.seed)} @change=${this.#onSeed} />
      </label>
      <button @click=${() => this.change({ seed: (this.seed + 1) % SEEDS })}>${messages.another}</button>
    </div>`;
  }

  #sums(trained: TeacherForced | null, untrained: TeacherForced | null, V: number, seed: number) {
    const T = (trained ?? untrained)?.tokens.length ?? 0;
    const row = (name: string, sum: number, mean: number, dress = "") =>
      html`<tr class=${dress}><th scope="row">${name}</th><td class="number">${messages.amount(sum)}</td><td class="number">${messages.amount(mean)}</td></tr>`;
    return html`<div class="scroll"><table>
      <caption class="unseen">${messages.sums}</caption>
      <thead><tr><th scope="col">${messages.nats}</th><th scope="col" class="number">${messages.sum(T)}</th><th scope="col" class="number">${messages.mean}</th></tr></thead>
      <tbody>
        ${trained ? row(messages.trained(this.model), trained.sum, trained.mean, "trained") : nothing}
        ${untrained ? [row(messages.untrained(seed), untrained.sum, untrained.mean, "untrained"), row(messages.guess(V), T * evenLoss(V), evenLoss(V))] : nothing}
      </tbody>
    </table></div>`;
  }

  #onSeed = (event: Event) => {
    const seed = (event.target as HTMLInputElement).valueAsNumber;
    if (Number.isInteger(seed) && seed >= 0 && seed < SEEDS) this.change({ seed });
  };

  static override styles = [
    ...Demo.styles,
    css`
      .both {
        display: grid;
        grid-template-columns: minmax(0, auto) minmax(0, 1fr);
        gap: 1rem 3rem;
        align-items: start;
      }
      .figure {
        max-height: 27rem;
        overflow-y: auto;
      }
      .key {
        margin: 0 0 0.5rem;
      }
      .number {
        white-space: nowrap;
      }
      .side {
        display: grid;
        gap: 0.9rem;
        max-width: 32rem;
      }
      @media print {
        .figure {
          max-height: none;
        }
      }
      @media (max-width: 46rem) {
        .both {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];
}
