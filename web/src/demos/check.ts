// sa-check: a question to check oneself; the right answer, and why, come after one was given.
import { html, nothing } from "lit";
import { checks, questions as messages } from "../page/messages.ts";
import { mark, markStyles } from "../widgets/mark.ts";
import { propertiesOf } from "./attributes.ts";
import { helpers } from "./elements.ts";
import { ChangeEvent } from "./events.ts";
import { inWords } from "./in-words.ts";
import { Question } from "./question.ts";
import { isRight, type Check as Asked } from "./questions.ts";

const list: Readonly<Record<string, Asked>> = checks;

export class Check extends Question {
  static override properties = { ...propertiesOf(helpers["sa-check"].attributes), lacking: { state: true } };
  declare question: string;
  declare answer: string;

  constructor() {
    super();
    this.question = "";
    this.answer = "";
  }

  override render() {
    const asked = list[this.question];
    if (!asked) return nothing;
    return html`<p class="kind">${messages.check}</p>
      ${this.form(asked, messages.answer, this.answer)}
      <div role="status">${this.answer === "" ? nothing : this.#verdict(asked)}</div>`;
  }

  #verdict(asked: Asked) {
    const right = isRight(asked, this.answer);
    const answer = inWords(asked, String(asked.right));
    return html`<p class="result">
        ${mark(right)} <span class="answer">${right ? messages.right : messages.wrong(inWords(asked, this.answer), answer)}</span>
      </p>
      <p class="result">${asked.why}</p>`;
  }

  protected answered(answer: string) {
    this.answer = answer;
    this.dispatchEvent(new ChangeEvent(["answer"]));
  }

  static override styles = [...Question.styles, markStyles];
}
