// What the visitor has guessed, by question, for the demos that set it beside their result. Kept for the visit only.

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
