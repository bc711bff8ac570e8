// The base of the two elements that ask: a form for each kind of question, and a line that says what its answer lacks.
import { css, html, LitElement, type TemplateResult } from "lit";
import { questions as messages } from "../page/messages.ts";
import { shared } from "../widgets/base.ts";
import { demoStyles } from "./demo-styles.ts";
import { type Choice, numberOf, type Prediction, type Quantity, type Shares } from "./questions.ts";

export abstract class Question extends LitElement {
  /** What the last answer lacked. */
  declare lacking: string;

  constructor() {
    super();
    this.lacking = "";
  }

  /** The question as the page was served with it gives way to the live one. */
  protected override firstUpdated() {
    this.replaceChildren();
  }

  /** Takes up an answer that is complete. */
  protected abstract answered(answer: string): void;

  protected form(question: Prediction, button: string, given: string): TemplateResult {
    return html`<form novalidate @submit=${(event: SubmitEvent) => this.#submit(event, question)}>
      ${this.#fields(question, given)}
      <p class="row"><button>${button}</button> <span class="lacking" role="status">${this.lacking}</span></p>
    </form>`;
  }

  #fields(question: Prediction, given: string) {
    switch (question.kind) {
      case "choice":
        return this.#options(question, given);
      case "number":
        return this.#number(question, given);
      case "shares":
        return this.#shares(question, given);
    }
  }

  #options({ prompt, options }: Choice, given: string) {
    return html`<fieldset>
      <legend>${prompt}</legend>
      ${Object.entries(options).map(
        ([name, text]) =>
          html`<label class="option"><input type="radio" name="answer" value=${name} ?checked=${name === given} /> <span>${text}</span></label>`,
      )}
    </fieldset>`;
  }

  #number({ prompt, unit }: Quantity, given: string) {
    return html`<label class="quantity"
      ><span class="prompt">${prompt}</span>
      <span><input name="answer" inputmode="decimal" autocomplete="off" size="8" .value=${given} /> ${unit}</span></label
    >`;
  }

  #shares({ prompt, labels }: Shares, given: string) {
    const values = given.split(" ");
    return html`<fieldset>
      <legend>${prompt}</legend>
      <div class="shares">
        ${labels.map(
          (label, k) => html`<label
            >${label}
            <input
              name="answer"
              type="number"
              inputmode="decimal"
              min="0"
              max="1"
              step="0.05"
              placeholder=${messages.sharePlace}
              .value=${values[k] ?? ""}
          /></label>`,
        )}
      </div>
    </fieldset>`;
  }

  #submit(event: SubmitEvent, question: Prediction) {
    event.preventDefault();
    const answers = new FormData(event.target as HTMLFormElement).getAll("answer").map(String);
    this.lacking = lacks(question, answers);
    if (this.lacking === "") this.answered(answers.map((answer) => answer.trim().replace(",", ".")).join(" "));
  }

  static override styles = [
    ...shared,
    demoStyles,
    css`
      :host {
        border: 1px solid var(--sa-edge);
        border-radius: 3px;
        padding: 0.8rem 1rem;
      }
      .kind {
        font-weight: 700;
        margin-bottom: 0.35rem;
      }
      legend,
      .prompt {
        padding: 0;
        margin-bottom: 0.4rem;
        display: block;
      }
      .option {
        display: flex;
        gap: 0.5rem;
        align-items: baseline;
        padding: 0.15rem 0;
      }
      .shares {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1rem;
      }
      .shares input {
        width: 4.6rem;
      }
      .row {
        margin-top: 0.6rem;
      }
      .lacking {
        color: var(--sa-error);
        margin-left: 0.5rem;
      }
      .result {
        margin-top: 0.35rem;
      }
      .answer {
        font-weight: 700;
      }
    `,
  ];
}

/** What an answer lacks, as a sentence; empty when it is complete. */
function lacks(question: Prediction, answers: readonly string[]): string {
  if (question.kind === "choice") return answers.length === 0 ? messages.lackChoice : "";
  const numbers = answers.map(numberOf);
  if (question.kind === "number") return numbers.includes(null) ? messages.lackNumber : "";
  return numbers.every((value) => value !== null && value >= 0 && value <= 1) ? "" : messages.lackShares;
}
