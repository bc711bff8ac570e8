// sa-encoder-decoder: Figure 1 alive, stepped through with the visitor's own characters, with teacher forcing on or off.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { codePoints, visible } from "../draw/characters.ts";
import {
  type DecoderStep,
  decoderSteps,
  isWrong,
  type Made,
  prefixOf,
  readMade,
  shiftedRight,
  targetOf,
  WRITABLE,
  writeMade,
} from "../draw/decoder-run.ts";
import { type Layout, layOutNetwork, outOfSight, stepAt } from "../draw/encoder-decoder.ts";
import { type Network, networkMarks } from "../draw/encoder-decoder-figure.ts";
import { probabilityText } from "../draw/factors.ts";
import { rem } from "../draw/size.ts";
import type { Decoding, ModelInfo, TeacherForced } from "../engine/protocol.ts";
import { encoderDecoder as messages } from "../page/messages.ts";
import { Demo, demoProperties } from "./demo.ts";
import { encoderDecoderStyles } from "./encoder-decoder-styles.ts";
import { keptAnswer } from "./kept.ts";
import { inSight, placeIn, revealIn, steppedBy } from "./stepping.ts";

interface Shown {
  info: ModelInfo;
  decoding: Decoding;
  /** The target's text; empty where there is none. */
  target: string;
  forced: TeacherForced | null;
  /** What the model writes when it goes on from its own output, with the token that it is made to predict. */
  free: Pick<Decoding, "tokens" | "probabilities" | "output">;
  vocabulary: readonly string[];
}

/** Offered at the press of a button. */
const QUICK: Made = { step: 2, token: "7" };
/** Below this width the picture is turned. */
const LYING_FROM = 620;

export class EncoderDecoder extends Demo<Shown> {
  static override properties = demoProperties("sa-encoder-decoder", {
    narrow: { state: true },
    unseen: { state: true },
  });
  static override styles = [...Demo.styles, ...encoderDecoderStyles];
  declare text: string;
  declare model: string;
  declare step: number;
  declare forcing: "on" | "off";
  declare wrong: string;
  declare narrow: boolean;
  /** States that the scroll box does not show. */
  declare unseen: { before: number; after: number };
  readonly element = "sa-encoder-decoder";
  protected readonly inputs = ["text", "model", "wrong"];
  #layout: Layout | undefined;
  #resizes = new ResizeObserver(([entry]) => {
    if (entry) this.narrow = entry.contentRect.width < LYING_FROM;
  });

  constructor() {
    super();
    this.narrow = false;
    this.unseen = { before: 0, after: 0 };
  }

  override connectedCallback() {
    super.connectedCallback();
    this.#resizes.observe(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#resizes.disconnect();
  }

  protected async ask(): Promise<Shown> {
    const { model, text } = this;
    const { client } = this.models;
    const info = await this.models.want(model);
    const decoding = await client.decode(model, text, this.asker);
    const target = targetOf(decoding);
    const made = readMade(this.wrong);
    const [forced, free] = await Promise.all([
      target === "" ? null : client.teacherForce(model, text, target),
      made && made.step <= decoding.tokens.length
        ? client.intervene(model, text, { prefix: prefixOf(decoding.tokens, made) })
        : decoding,
    ]);
    return { info, decoding, target, forced, free, vocabulary: this.models.info?.target_vocabulary ?? [] };
  }

  protected show(shown: Shown) {
    const kept = keptAnswer(this.model, shown.decoding);
    return kept ? html`${this.keep(kept, () => this.#all(shown))}` : this.#all(shown);
  }

  protected rows(shown: Shown) {
    return [
      ["t", "fed", "predicted", "made", "own", "P(own)", "correct"],
      ...this.#steps(shown).map(({ t, fed, predicted, made, own, probability, correct }) => [
        t,
        fed,
        predicted,
        made ? "yes" : "no",
        own,
        probability,
        correct ?? "",
      ]),
    ];
  }

  protected override updated(changed: PropertyValues) {
    const layout = this.#layout;
    this.#look();
    if (!layout || !(changed.has("step") || changed.has("shown") || changed.has("narrow"))) return;
    const step = Math.min(this.step, this.shown ? this.#steps(this.shown).length : 0);
    const along = step === 0 ? layout.encoder(layout.drawn.length - 1) : layout.decoder(step);
    const axis = layout.turned ? "y" : "x";
    revealIn(this.renderRoot.querySelector(".network"), along - layout.pitch / 2, layout.pitch, axis, layout.pitch * 2);
    this.#look();
  }

  /** Takes note of how many states lie outside the scroll box. */
  #look = () => {
    const [layout, box] = [this.#layout, this.renderRoot.querySelector(".network")];
    if (!layout || !box || !this.shown) return;
    const { before, after } = outOfSight(
      layout,
      this.#steps(this.shown).length,
      ...inSight(box, layout.turned ? "y" : "x"),
    );
    if (before !== this.unseen.before || after !== this.unseen.after) this.unseen = { before, after };
  };

  /** The attribute's wish, where the run has such a step. */
  #made({ forced, decoding }: Shown) {
    const made = readMade(this.wrong);
    const T = this.#isForced(forced) ? forced.tokens.length : decoding.tokens.length;
    return made && made.step <= T ? made : null;
  }

  #isForced(forced: TeacherForced | null): forced is TeacherForced {
    return this.forcing === "on" && forced !== null;
  }

  #steps(shown: Shown): DecoderStep[] {
    const { forced, free, target, vocabulary } = shown;
    const correct = target === "" ? [] : [...codePoints(target), "<eos>"];
    const run = this.#isForced(forced) ? forced : { ...free, tgt_in: shiftedRight(free.tokens) };
    return decoderSteps(run, correct, vocabulary, this.#made(shown));
  }

  #all(shown: Shown): TemplateResult {
    const { info, decoding, forced } = shown;
    const steps = this.#steps(shown);
    const step = Math.min(this.step, steps.length);
    const network: Network = {
      source: info.encoder === "reversed" ? decoding.source.toReversed() : decoding.source,
      steps,
      step,
      forced: this.#isForced(forced),
      attends: info.score !== "none",
      bothEnds: info.encoder === "bi",
    };
    return html`
      ${this.#controls(shown, steps, step)} ${this.#picture(network)}
      <p class="words" aria-live="polite">${this.#words(shown, steps, step)}</p>
      <p>${this.#outcome(shown, steps)}</p>
      <p class="note">${this.#about(shown)}</p>
      ${forced ? this.#code(forced) : nothing}
    `;
  }

  #controls(shown: Shown, steps: DecoderStep[], step: number) {
    const made = this.#made(shown);
    const make = (event: Event) => {
      const token = (event.target as HTMLSelectElement).value;
      this.change({ wrong: token === "" ? "" : writeMade({ step: made?.step ?? Math.max(step, 1), token }) });
    };
    const move = (event: Event) => {
      const to = (event.target as HTMLInputElement).valueAsNumber;
      if (made && to >= 1) this.change({ wrong: writeMade({ step: Math.min(to, steps.length), token: made.token }) });
    };
    return html`<div class="controls">
        <span class="pair">
          <button ?disabled=${step === 0} @click=${() => this.change({ step: step - 1 })}>${messages.back}</button>
          <button ?disabled=${step === steps.length} @click=${() => this.change({ step: step + 1 })}>${messages.next}</button>
        </span>
        <output>${messages.stepOf(step, steps.length)}</output>
        <label>
          <input type="checkbox" name="forcing" .checked=${this.forcing === "on"} @change=${this.#onForcing} />
          ${messages.forcing}
        </label>
      </div>
      <div class="controls">
        <label>
          ${messages.makeStep}
          <input type="number" name="at" min="1" max=${steps.length} .value=${String(made?.step ?? Math.max(step, 1))}
            ?disabled=${made === null} @change=${move} />
        </label>
        <label>
          ${messages.makeToken}
          <select name="token" .value=${made?.token ?? ""} @change=${make}>
            <option value="">${messages.makeNone}</option>
            ${WRITABLE.map((token) => html`<option value=${token} ?selected=${token === made?.token}>${visible(token)}</option>`)}
          </select>
        </label>
        <button @click=${() => this.change({ wrong: writeMade(QUICK), step: QUICK.step + 1 })}>
          ${messages.makeQuick(QUICK.step, QUICK.token)}
        </button>
      </div>`;
  }

  #picture(network: Network) {
    const { source, steps, step } = network;
    const layout = layOutNetwork(source.length, steps.length, this.narrow);
    this.#layout = layout;
    const { width, height, turned } = layout;
    return html`${this.#cue(turned)}
      <div class="network scroll ${turned ? "turned" : ""}" tabindex="0" role="group" aria-label=${messages.regionLabel} @keydown=${this.#onKey} @scroll=${this.#look}>
      <svg class="sa-marks figure" role="img" aria-label=${messages.label(source.length, steps.length, step)}
        viewBox="0 0 ${width} ${height}" width=${rem(width)} height=${rem(height)} @click=${this.#onClick}>
        ${networkMarks(layout, network)}
      </svg>
    </div>`;
  }

  /** What the scroll box leaves out; as high without it, so that nothing moves. */
  #cue(turned: boolean) {
    const { before, after } = this.unseen;
    return html`<p class="cue note num" aria-hidden="true">
      <span>${before > 0 ? messages.more(true, before, turned) : nothing}</span>
      <span>${after > 0 ? messages.more(false, after, turned) : nothing}</span>
    </p>`;
  }

  /** The step on show in a sentence or two. */
  #words(shown: Shown, steps: DecoderStep[], step: number) {
    const now = steps[step - 1];
    const { info, decoding, forced } = shown;
    if (!now) return messages.encoderEnd(decoding.source.length, info.d_h, info.encoder === "bi");
    const before = steps[step - 2];
    const why = before
      ? messages.inputWhy(before.t, this.#isForced(forced), before.predicted, before.correct)
      : messages.inputStart;
    const { relation, digits } = probabilityText(now.probability);
    const said = now.made
      ? messages.madeNow(now.predicted, now.own, `${relation} ${digits}`)
      : messages.predictsNow(now.predicted, `${relation} ${digits}`);
    const target =
      now.correct !== null && isWrong(now.predicted, now.correct) ? messages.targetNow(now.correct) : nothing;
    return html`<strong>${messages.input(step, now.fed)}</strong>${why} ${said} ${target}`;
  }

  /** What the whole run comes to. */
  #outcome(shown: Shown, steps: DecoderStep[]) {
    const made = steps.find((each) => each.made);
    if (this.#isForced(shown.forced))
      return html`${messages.forcedRun(steps.length)} ${made ? messages.forcedMade(made.t) : nothing}`;
    return made
      ? messages.freeMade(made.t, shown.free.output, shown.decoding.output)
      : messages.freeRun(shown.free.output);
  }

  #about({ info, decoding, target }: Shown) {
    const of =
      target === ""
        ? messages.targetNone
        : decoding.expected === null
          ? messages.targetOwn(target)
          : messages.target(target);
    const leftOut = this.#layout?.leftOut ?? 0;
    return html`${of} ${info.score === "none" ? nothing : messages.attends}
      ${info.encoder === "reversed" ? messages.reversed : nothing} ${leftOut > 0 ? messages.leftOut(leftOut) : nothing}`;
  }

  #code({ tgt_in, tokens }: TeacherForced) {
    const row = (name: string, all: readonly string[]) =>
      html`<tr><th scope="row" class="mono">${name}</th>${all.map((token) => html`<td class="mono">${visible(token)}</td>`)}</tr>`;
    return html`<details>
      <summary>${messages.code}</summary>
      <p class="note">${messages.codeText(tokens.length)}</p>
      <div class="scroll" tabindex="0" role="group" aria-label=${messages.code}>
        <table>
          <thead><tr><th scope="col">t</th>${tokens.map((_, t) => html`<th scope="col">${t + 1}</th>`)}</tr></thead>
          <tbody>${row("tgt_in", tgt_in)}${row("tgt_out", tokens)}</tbody>
        </table>
      </div>
    </details>`;
  }

  #onForcing = (event: Event) => this.change({ forcing: (event.target as HTMLInputElement).checked ? "on" : "off" });

  #go(to: number | null) {
    if (to !== null && to !== this.step) this.change({ step: to });
  }

  #onKey = (event: KeyboardEvent) => {
    if (!this.shown) return;
    const T = this.#steps(this.shown).length;
    const to = steppedBy(event, Math.min(this.step, T), 0, T);
    if (to === null) return;
    event.preventDefault();
    this.#go(to);
  };

  #onClick = (event: MouseEvent) => {
    if (!this.shown || !this.#layout) return;
    const { x, y } = placeIn(event.currentTarget as SVGSVGElement, event);
    const T = this.#steps(this.shown).length;
    this.#go(stepAt(this.#layout, T, x, y));
  };
}
