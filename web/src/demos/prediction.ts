// sa-prediction: asks for a guess before a demo shows, remembers it, and sets it beside the result when that is there.
import { html, nothing, type PropertyValues } from "lit";
import { predictions, questions as messages } from "../page/messages.ts";
import { propertiesOf } from "./attributes.ts";
import { helpers } from "./elements.ts";
import { ChangeEvent, ResultEvent } from "./events.ts";
import { guesses } from "./guesses.ts";
import { inWords } from "./in-words.ts";
import { Question } from "./question.ts";
import type { Prediction as Asked } from "./questions.ts";

const list: Readonly<Record<string, Asked>> = predictions;

export class Prediction extends Question {
  static override properties = {
    ...propertiesOf(helpers["sa-prediction"].attributes),
    lacking: { state: true },
    result: { state: true },
    changing: { state: true },
  };
  declare question: string;
  declare guess: string;
  declare result: string;
  declare changing: boolean;

  #onResult = (event: Event) => {
    const { question, result } = event as ResultEvent;
    if (question === this.question) this.result = result;
  };

  constructor() {
    super();
    this.question = "";
    this.guess = "";
    this.result = "";
    this.changing = false;
  }

  override connectedCallback() {
    super.connectedCallback();
    document.addEventListener(ResultEvent.type, this.#onResult);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener(ResultEvent.type, this.#onResult);
  }

  protected override willUpdate(changed: PropertyValues) {
    if (changed.has("guess") || changed.has("question")) guesses.set(this.question, this.guess);
  }

  override render() {
    const { guess, result } = this;
    const asked = list[this.question];
    if (!asked) return nothing;
    if (guess === "" || this.changing) {
      return html`<p class="kind">${messages.predict}</p>
        ${this.form(asked, messages.guess, guess)}`;
    }
    return html`<p class="kind">${messages.predict}</p>
      <p>${asked.prompt}</p>
      <p class="result"><span class="answer">${messages.guessed(inWords(asked, guess))}</span></p>
      <p class="result" role="status">${result === "" ? messages.now : html`<span class="answer">${messages.result}</span> ${result}`}</p>
      <p class="row"><button @click=${() => (this.changing = true)}>${messages.change}</button></p>`;
  }

  protected answered(answer: string) {
    this.guess = answer;
    this.changing = false;
    this.dispatchEvent(new ChangeEvent(["guess"]));
  }
}
