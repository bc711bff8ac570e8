// The questions as the page is served with them: what is asked, its answers to choose from and, where no program runs, the right one.
import { inWords } from "./src/demos/in-words.ts";
import type { Check, Prediction } from "./src/demos/questions.ts";
import { checks, predictions, questions as messages } from "./src/page/messages.ts";

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const items = (kind: string, texts: readonly string[]) =>
  `<ul class="${kind}">${texts.map((text) => `<li>${escaped(text)}</li>`).join("")}</ul>`;

function answers(asked: Prediction): string {
  switch (asked.kind) {
    case "choice":
      return items("options", Object.values(asked.options));
    case "number":
      return "";
    case "shares":
      return items("shares", asked.labels);
  }
}

const solution = (check: Check) =>
  `<noscript><details><summary>${messages.solution}</summary>` +
  `<p>${escaped(inWords(check, String(check.right)))}. ${escaped(check.why)}</p></details></noscript>`;

function still(title: string, asked: Prediction, end = ""): string {
  const prompt = `<p class="prompt">${escaped(asked.prompt)}</p>`;
  return `<div class="asked ${asked.kind}"><p class="kind">${title}</p>${prompt}${answers(asked)}${end}</div>`;
}

/** Puts what they ask into the elements that ask. */
export const withQuestions = (text: string) =>
  text.replace(
    /(<sa-(check|prediction)\b[^>]*\bquestion="([\w-]+)"[^>]*>)(?=<\/sa-)/g,
    (_, start: string, element: string, name: string) => {
      const check = (checks as Record<string, Check>)[name];
      const prediction = (predictions as Record<string, Prediction>)[name];
      if (element === "check" && check) return start + still(messages.check, check, solution(check));
      if (element === "prediction" && prediction) return start + still(messages.predict, prediction);
      throw new Error(`a section asks the question "${name}", which is not in the list`);
    },
  );
