// What the visitor has guessed, by question, for the demos that set it beside their result. Kept for the visit only.
import type { ReactiveController, ReactiveControllerHost } from "lit";

class Guesses extends EventTarget {
  #guesses = new Map<string, string>();

  /** The guess as its attribute writes it; empty without one. */
  get(question: string) {
    return this.#guesses.get(question) ?? "";
  }

  /** Dispatches "change". */
  set(question: string, guess: string) {
    if (this.get(question) === guess) return;
    this.#guesses.set(question, guess);
    this.dispatchEvent(new Event("change"));
  }
}

export const guesses = new Guesses();

/** Numbers of a guess that lists several. */
export const numbersOf = (guess: string) => (guess === "" ? [] : guess.split(" ").map(Number));

/** Draws its demo again when the visitor guesses. */
export class Guess implements ReactiveController {
  #onChange = () => this.host.requestUpdate();

  constructor(
    readonly host: ReactiveControllerHost,
    readonly question: string,
  ) {
    host.addController(this);
  }

  /** Empty until there is one. */
  get value() {
    return guesses.get(this.question);
  }

  hostConnected() {
    guesses.addEventListener("change", this.#onChange);
  }

  hostDisconnected() {
    guesses.removeEventListener("change", this.#onChange);
  }
}
