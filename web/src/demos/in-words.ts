// An answer to a question in words.
import type { Prediction } from "./questions.ts";

export function inWords(question: Prediction, answer: string): string {
  switch (question.kind) {
    case "choice":
      return question.options[answer] ?? "";
    case "number":
      return `${answer} ${question.unit}`;
    case "shares":
      return answer
        .split(" ")
        .map((value, k) => `${question.labels[k] ?? ""}: ${value}`)
        .join(", ");
  }
}
