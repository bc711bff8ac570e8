// The words of a saved figure that are no drawing on the page: its legends and headings, and a caption below.

/** HTML whose words belong to the picture. */
const WORDS = ".key, .legend, figcaption, figure > p, [data-export]";
/** Of a caption's letters and lines, in pixels. */
export const CAPTION = { size: 13, line: 18, gap: 14 };

export interface Line {
  text: string;
  left: number;
  top: number;
  width: number;
  height: number;
  look: CSSStyleDeclaration;
}

/** Every element inside, those of the elements with a shadow tree among them. */
function within(root: ParentNode): Element[] {
  return [...root.querySelectorAll("*")].flatMap((each) => [each, ...(each.shadowRoot ? within(each.shadowRoot) : [])]);
}

/** A text as the lines that it is broken into on the page. */
function linesOf(node: Text): Line[] {
  const look = getComputedStyle(node.parentElement as Element);
  const lines: Line[] = [];
  for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const { left, top, right, width, height } = range.getBoundingClientRect();
    const last = lines.at(-1);
    if (width === 0) continue;
    if (last && Math.abs(last.top - top) < height / 2) {
      last.text += ` ${word}`;
      last.width = right - last.left;
    } else lines.push({ text: word, left, top, width, height, look });
  }
  return lines;
}

function textsIn(element: Element): Text[] {
  return [...element.childNodes].flatMap((node) => {
    if (node instanceof Text) return [node];
    return node instanceof HTMLElement && !node.matches(".unseen") ? textsIn(node) : [];
  });
}

/** The words of the legends and headings in or right before a figure. */
export function wordsOf(figure: Element, left: (element: Element) => boolean): Line[] {
  const all = [figure, ...within(figure)].filter((each) => each.matches(WORDS) && !left(each));
  const outer = all.filter((each) => !each.parentElement?.closest(WORDS));
  return outer.flatMap(textsIn).flatMap(linesOf);
}

/** Breaks a caption into lines of this width; a picture is drawn without the page's own font, by the next in its list. */
export function wrapped(text: string, width: number, font: string): string[] {
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return [text];
  pen.font = `${CAPTION.size}px ${font.replace(/^[^,]*,/, "")}`;
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = [lines.at(-1), word].join(" ").trim();
    if (lines.length > 0 && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
