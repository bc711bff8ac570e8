// One demo alone, for a projector: what it shows and the way back above it, everything else out of sight.
import { type DemoElement, elements } from "../demos/elements.ts";
import { messages } from "./messages.ts";

const table: Readonly<Record<string, DemoElement>> = elements;

export function present(root: Document, element: HTMLElement) {
  element.dataset.presented = "";
  root.documentElement.classList.add("presenting");
  const title = root.createElement("h1");
  title.textContent = (table[element.localName]?.says ?? "").replace(/^./, (first) => first.toUpperCase());
  const leave = root.createElement("a");
  leave.className = "leave";
  leave.textContent = messages.presentLeave;
  const parameters = new URLSearchParams(root.location.search);
  parameters.delete("present");
  leave.href = `?${parameters}#${element.id}`;
  const head = root.createElement("header");
  head.className = "presented";
  head.append(title, leave);
  root.querySelector("main")?.prepend(head);
}

/** Says at the top of the page that there is no such demo, and which there are. */
export function sayUnknown(root: Document, name: string, names: readonly string[]) {
  const sentence = root.createElement("p");
  sentence.className = "alert";
  sentence.setAttribute("role", "alert");
  sentence.textContent = messages.presentUnknown(name, names);
  root.querySelector("main")?.prepend(sentence);
}
