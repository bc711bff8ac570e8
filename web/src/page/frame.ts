// The frame around the demos: they follow the page's text and models, their state lives in the address, their programs come
// when they are near, one of them may be presented alone, and the list of contents tells where the reader is.
import { readValue } from "../demos/attributes.ts";
import { defineNear } from "../demos/define.ts";
import { type DemoElement, elements, helpers } from "../demos/elements.ts";
import { ChangeEvent, PresentEvent, SuggestEvent } from "../demos/events.ts";
import { holdTarget } from "./hold.ts";
import { present, sayUnknown } from "./present.ts";
import type { State } from "./state.ts";

const table: Readonly<Record<string, DemoElement>> = { ...elements, ...helpers };
/** Attributes that the page gives; they have names of their own in the address. */
const PAGES = ["text", "lab"];

/** What an element takes from the page, as its `data-follows` says: "text", "model", "attending". */
const follows = (element: HTMLElement) => element.dataset.follows?.split(" ") ?? [];

/** Capitals make no difference in an address. */
const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export interface FrameActions {
  /** Takes a text up for everything, and leads to what the models make of it if `show` says so. */
  suggest(text: string, show: boolean): void;
  /** A demo's state has changed and belongs into the address. */
  changed(): void;
}

/** Of the models in sight one with attention, where there is one. */
function attending({ model, beside, models }: State): string {
  const attends = (name: string) => (models.get(name)?.score ?? "none") !== "none";
  return [model, beside].find(attends) ?? (model === "plain" ? "dot" : model);
}

export class Frame {
  #closed = new AbortController();
  #elements: HTMLElement[] = [];
  /** What the page's own markup gives each attribute, by its name in the address: the usual state here. */
  #usual = new Map<string, string | null>();
  #sight: IntersectionObserver | undefined;
  #started = false;

  constructor(
    readonly root: Document,
    readonly actions: FrameActions,
  ) {}

  open(search: string) {
    this.#closed = new AbortController();
    const { signal } = this.#closed;
    this.#elements = [...this.root.querySelectorAll<HTMLElement>(Object.keys(table).join(","))].filter(({ id }) => id);
    this.#each((element, name, key) => this.#usual.set(key, element.getAttribute(name)));
    this.#read(search);
    this.#present(new URLSearchParams(search).get("present"));
    this.root.addEventListener(ChangeEvent.type, () => this.actions.changed(), { signal });
    const suggest = (event: Event) => {
      event.preventDefault();
      this.actions.suggest((event as SuggestEvent).text, false);
    };
    this.root.addEventListener(SuggestEvent.type, suggest, { signal });
    // Buttons of the text that bring a text of their own.
    for (const button of this.root.querySelectorAll<HTMLButtonElement>("button[data-text]")) {
      button.addEventListener("click", () => this.actions.suggest(button.dataset.text ?? "", true), { signal });
    }
    const presentAlone = (event: Event) => {
      const parameters = new URLSearchParams(this.write(location.search));
      parameters.set("present", (event.target as Element).id);
      location.assign(`?${parameters}`);
    };
    this.root.addEventListener(PresentEvent.type, presentAlone, { signal });
    this.#watchSections();
    holdTarget(this.root, signal);
  }

  /** Brings the demos' programs from now on, so that none of them is in the way of the first map. */
  start() {
    if (this.#started) return;
    this.#started = true;
    this.#closed.signal.addEventListener("abort", defineNear(this.root));
  }

  close() {
    this.#closed.abort();
    this.#sight?.disconnect();
  }

  /** Gives the demos the page's text and models. */
  follow(state: State) {
    // A test example's text is on its way.
    const coming = state.sample !== null && state.text === "";
    const given: Record<string, [string, string] | null> = {
      text: coming ? null : ["text", state.text],
      model: ["model", state.model],
      attending: ["model", attending(state)],
    };
    for (const element of this.#elements) {
      for (const name of follows(element)) {
        const [attribute, value] = given[name] ?? [];
        if (attribute === undefined || value === undefined) continue;
        if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
      }
      if (state.labBefore && "lab" in (table[element.localName]?.attributes ?? {}))
        element.setAttribute("lab", "before");
    }
  }

  /** The query with the demos' own state in it: `ID.ATTRIBUTE=VALUE`, where it is not the usual one. */
  write(search: string): string {
    const parameters = new URLSearchParams(search);
    this.#each((element, name, key) => {
      const attribute = table[element.localName]?.attributes[name];
      if (!attribute) return;
      const value = (written: string | null) => String(readValue(attribute, written));
      const [now, usual] = [value(element.getAttribute(name)), value(this.#usual.get(key) ?? null)];
      if (now !== usual) parameters.set(key, now);
      // However it is written, a key is there once.
      for (const other of new Set(parameters.keys())) {
        if (same(other, key) && (other !== key || now === usual)) parameters.delete(other);
      }
    });
    const query = parameters.toString();
    return query === "" ? "" : `?${query}`;
  }

  /** Gives the demos the state that an address says; guesses and answers stay. */
  restore(search: string) {
    this.#each((element, name, key) => {
      if (!(element.localName in elements)) return;
      const usual = this.#usual.get(key) ?? null;
      if (usual === null) element.removeAttribute(name);
      else element.setAttribute(name, usual);
    });
    this.#read(search);
  }

  #read(search: string) {
    const parameters = [...new URLSearchParams(search)];
    this.#each((element, name, key) => {
      const [, written] = parameters.find(([other]) => same(other, key)) ?? [];
      if (written !== undefined) element.setAttribute(name, written);
    });
  }

  /** Every attribute that is an element's own, with its name in the address. */
  #each(use: (element: HTMLElement, name: string, key: string) => void) {
    for (const element of this.#elements) {
      const own = Object.keys(table[element.localName]?.attributes ?? {}).filter(
        (name) => !PAGES.includes(name) && !(name === "model" && follows(element).some((each) => each !== "text")),
      );
      for (const name of own) use(element, name, `${element.id}.${name}`);
    }
  }

  #present(name: string | null) {
    const demos = this.#elements.filter(({ localName }) => localName in elements);
    const element = demos.find(({ id, localName }) =>
      [id, localName, localName.slice(3)].some((its) => same(its, name ?? "")),
    );
    if (element) {
      present(this.root, element);
      return;
    }
    for (const each of demos) each.setAttribute("presentable", "");
    if (name !== null)
      sayUnknown(
        this.root,
        name,
        demos.map(({ id }) => id),
      );
  }

  #watchSections() {
    const links = new Map<Element, Element>();
    for (const link of this.root.querySelectorAll<HTMLAnchorElement>(".contents a")) {
      const section = this.root.querySelector(link.hash);
      if (section) links.set(section, link);
    }
    const inSight = new Set<Element>();
    // The section that crosses a line in the upper third of the window is the one being read.
    this.#sight = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inSight.add(target);
          else inSight.delete(target);
        }
        for (const [section, link] of links) {
          if (inSight.has(section)) link.setAttribute("aria-current", "location");
          else link.removeAttribute("aria-current");
        }
      },
      { rootMargin: "-33% 0px -66% 0px" },
    );
    for (const section of links.keys()) this.#sight.observe(section);
  }
}
