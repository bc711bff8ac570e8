// The text of the page: the sections' HTML with their formulas set as MathML and a still figure inside every demo.
import { readdir, readFile } from "node:fs/promises";
import temml from "temml";
import { withQuestions } from "./asked.ts";

/** Letters of the model in the colour of their role. */
const macros = {
  "\\src": "\\class{source}{#1}",
  "\\tgt": "\\class{target}{#1}",
  "\\att": "\\class{attention}{#1}",
  "\\hbar": "\\bar{h}",
};

/** One formula; style attributes, which strict hosts refuse, are left to the page's style sheet. */
function formula(tex: string, displayMode: boolean): string {
  const set = temml.renderToString(tex, { displayMode, macros: { ...macros }, trust: true, throwOnError: true });
  // A name of several letters is a function's or a matrix's, and stands upright.
  return set.replace(/ style="[^"]*"/g, "").replace(/<mi>(?=[^<]{2,}<)/g, '<mi class="upright">');
}

/** A formula of its own line; a narrow page breaks it at `\\qquad` and, where there is to be no space, at `\\allowbreak`. */
function equation(tex: string, number: string | undefined): string {
  const [first = "", ...rest] = tex.split(/\\(qquad|allowbreak)\b/);
  const parts = rest.flatMap((part, k) =>
    k % 2 === 0 ? [] : [`<span class="part ${rest[k - 1]}">${formula(part, true)}</span>`],
  );
  const set = `<div class="parts"><span class="part">${formula(first, true)}</span>${parts.join("")}</div>`;
  return number === undefined
    ? `<div class="equation">${set}</div>`
    : `<div class="equation" id="eq-${number}">${set}<span class="number">(${number})</span></div>`;
}

/** `$$…$$ (6)` is a numbered equation of its own line, `$…$` a formula in the text. */
export const withFormulas = (text: string) =>
  text
    .replace(/\$\$([^$]+)\$\$(?:\s*\((\d+)\))?/g, (_, tex: string, number: string | undefined) => equation(tex, number))
    .replace(/\$([^$]+)\$/g, (_, tex: string) => formula(tex, false));

/** `{{still:NAME}}` becomes the still figure of that name. */
const withStills = (text: string, stills: ReadonlyMap<string, string>) =>
  text.replace(/\{\{still:([\w-]+)\}\}/g, (_, name: string) => {
    const still = stills.get(name);
    if (still === undefined) throw new Error(`a section asks for the still figure "${name}", which is not there`);
    return still;
  });

export interface Section {
  id: string;
  /** Its heading as text, for the list of contents. */
  title: string;
  html: string;
}

const SECTION = /^<section id="([\w-]+)"[^>]*>\s*<h2>(.*?)<\/h2>/s;

/** The sections in the order of their files' names. */
export async function sections(folder: string, stills: ReadonlyMap<string, string>): Promise<Section[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".html")).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(`${folder}/${file}`, "utf8");
      const [, id, title] = text.replace(/^(<!--.*?-->\s*)*/s, "").match(SECTION) ?? [];
      if (id === undefined || title === undefined)
        throw new Error(`${file} does not begin with its section and heading`);
      return { id, title, html: withQuestions(withStills(withFormulas(text.replace(/<!--.*?-->/gs, "")), stills)) };
    }),
  );
}

/** The list of contents, and the sections below one another. */
export function article(all: readonly Section[], label: string): string {
  const links = all.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join("");
  const parts = all.map(({ html }) => html).join("\n");
  return `<nav class="contents" aria-label="${label}"><ol>${links}</ol></nav><div class="sections">${parts}</div>`;
}
