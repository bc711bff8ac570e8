// The page's places in the browser's history: there is a way back from what was chosen; what is typed or slid is written down.

/** Browsers refuse addresses that change too often, so typing is written down when it pauses. */
const PAUSE_MS = 300;

const plain = (query: string) => new URLSearchParams(query).toString();

export class Visits {
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The query of the place that the page shows. */
  #shown = plain(location.search);
  #onReturn = () => {
    // A way to another part of the same page comes here, too.
    if (plain(location.search) === this.#shown) return;
    this.#forget();
    this.#shown = plain(location.search);
    this.restore(location.search);
  };

  constructor(
    /** The query for what the page shows. */
    readonly query: () => string,
    /** Shows what a query says. */
    readonly restore: (search: string) => void,
  ) {}

  open() {
    addEventListener("popstate", this.#onReturn);
  }

  close() {
    removeEventListener("popstate", this.#onReturn);
    this.#forget();
  }

  /** Something was typed or moved: the place stays, and its address follows. */
  note() {
    this.#forget();
    this.#timer = setTimeout(() => this.#write(false), PAUSE_MS);
  }

  /** Before a choice: what was typed last still belongs to the place before. */
  settle() {
    if (this.#timer !== undefined) this.#write(false);
  }

  /** Something was chosen: a new place, from which there is a way back. */
  chosen() {
    this.#write(true);
  }

  #forget() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #write(anew: boolean) {
    this.#forget();
    const query = this.query();
    const address = `${query === "" ? location.pathname : query}${location.hash}`;
    try {
      if (anew && plain(query) !== plain(location.search)) history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    } catch {
      // A sandboxed frame may refuse; the page then simply keeps its address.
    }
    this.#shown = plain(location.search);
  }
}
