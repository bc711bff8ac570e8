// Figures as files: a drawing as SVG that stands alone, the same as PNG, and its numbers as CSV.
import { CAPTION, type Line, wordsOf, wrapped } from "./export-words.ts";

/** What a drawing's look is made of; as presentation attributes it needs no style sheet. */
const LOOK = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "paint-order",
  "opacity",
  "visibility",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "text-anchor",
  "dominant-baseline",
] as const;
const NAMESPACE = "http://www.w3.org/2000/svg";
/** Pixels of a PNG for each of the page. */
const PNG_SCALE = 2;
/** Pixels of ground around a picture. */
const MARGIN = 10;

const element = (name: string, attributes: Record<string, string | number>) => {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
};

/** A copy whose look stands in its attributes; what the page hides is left out. */
function standalone(original: Element, parent?: CSSStyleDeclaration): Element {
  const copy = original.cloneNode(false) as Element;
  for (const name of ["style", "class", "part", "tabindex", "role"]) copy.removeAttribute(name);
  const computed = getComputedStyle(original);
  for (const name of LOOK) {
    const value = computed.getPropertyValue(name);
    // All of these but the opacity pass from parent to child.
    if (value !== (name === "opacity" ? "1" : parent?.getPropertyValue(name))) copy.setAttribute(name, value);
    else copy.removeAttribute(name);
  }
  for (const child of original.childNodes) {
    if (child instanceof Text) copy.append(child.cloneNode());
    else if (child instanceof Element && getComputedStyle(child).display !== "none")
      copy.append(standalone(child, computed));
  }
  return copy;
}

/** Where a drawing is, and all of it: a box that scrolls counts as if it were at its beginning. */
function placed(drawing: Element) {
  const { left, top, width, height } = drawing.getBoundingClientRect();
  const { scrollLeft = 0, scrollTop = 0 } = drawing.parentElement ?? {};
  return { drawing, left: left + scrollLeft, top: top + scrollTop, width, height };
}

/** Drawings that lie in no other one, those of the elements inside among them. */
function drawingsIn(root: ParentNode): SVGSVGElement[] {
  return [...root.querySelectorAll("*")].flatMap((each) => {
    if (each instanceof SVGSVGElement) return each.ownerSVGElement ? [] : [each];
    return each.shadowRoot ? drawingsIn(each.shadowRoot) : [];
  });
}

/** Nothing to see yet: a chart that says so, and what explains its marks. */
const isEmpty = (element: Element) => element.querySelector(".empty") !== null;
const belongsToEmpty = (element: Element) => {
  const before = element.closest(".key")?.previousElementSibling;
  return isEmpty(element) || (before instanceof SVGSVGElement && isEmpty(before));
};

/** As wide as on the page, whichever font draws it. */
function word({ text, left, top, width, height, look }: Line, [x0, y0]: readonly [number, number]) {
  const { color: fill, fontFamily, fontSize, fontWeight, fontStyle } = look;
  const made = element("text", { x: left - x0, y: top - y0 + height / 2, fill, "dominant-baseline": "central" });
  for (const [key, value] of [
    ["textLength", width],
    ["lengthAdjust", "spacingAndGlyphs"],
  ] as const)
    made.setAttribute(key, String(value));
  const font = { "font-family": fontFamily, "font-size": fontSize, "font-weight": fontWeight, "font-style": fontStyle };
  for (const [key, value] of Object.entries(font)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

/** The picture's beginning: its title, its ground and, below `height`, its caption. */
function page(title: string, caption: string, width: number, height: number) {
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.documentElement);
  const lines = wrapped(caption, width, fontFamily);
  const below = height + CAPTION.gap + lines.length * CAPTION.line;
  const [w, h] = [width + 2 * MARGIN, below + 2 * MARGIN];
  const made = element("svg", { xmlns: NAMESPACE, width: w, height: h, viewBox: `${-MARGIN} ${-MARGIN} ${w} ${h}` });
  const name = element("title", {});
  name.textContent = title;
  made.append(name, element("rect", { x: -MARGIN, y: -MARGIN, width: w, height: h, fill: backgroundColor }));
  for (const [k, line] of lines.entries()) {
    const y = height + CAPTION.gap + (k + 0.5) * CAPTION.line;
    const look = { fill: color, "font-family": fontFamily, "font-size": `${CAPTION.size}px` };
    const text = element("text", { x: 0, y, "dominant-baseline": "central", ...look });
    text.textContent = line;
    made.append(text);
  }
  return { made, width: w, height: h };
}

/** Every drawing inside `figure`, and the words of its legends, each in its place, on the page's own ground. */
export function svgFile(figure: Element, title: string, caption: string) {
  const beside = [figure.previousElementSibling, figure.nextElementSibling].filter((each) => each?.matches(".key"));
  const parts = [figure, ...beside] as Element[];
  const drawings = figure instanceof SVGSVGElement ? [figure] : parts.flatMap(drawingsIn);
  const all = drawings
    .filter((drawing) => !belongsToEmpty(drawing))
    .map(placed)
    .filter(({ width, height }) => width > 0 && height > 0);
  if (all.length === 0) return null;
  const words = parts.flatMap((part) => wordsOf(part, belongsToEmpty));
  const boxes = [...all, ...words];
  const [x0, y0] = [Math.min(...boxes.map(({ left }) => left)), Math.min(...boxes.map(({ top }) => top))];
  const across = Math.ceil(Math.max(...boxes.map((each) => each.left + each.width)) - x0);
  const down = Math.ceil(Math.max(...boxes.map((each) => each.top + each.height)) - y0);
  const { made, width, height } = page(title, caption, across, down);
  for (const { drawing, left, top, width: w, height: h } of all) {
    const copy = standalone(drawing);
    for (const [key, value] of Object.entries({ x: left - x0, y: top - y0, width: w, height: h })) {
      copy.setAttribute(key, String(value));
    }
    made.append(copy);
  }
  for (const line of words) made.append(word(line, [x0, y0]));
  return { markup: new XMLSerializer().serializeToString(made), width, height };
}

/** Rejects where the document's policy keeps pictures made here from being read. */
export async function pngFile(svg: { markup: string; width: number; height: number }): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg.markup], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = PNG_SCALE * svg.width;
    canvas.height = PNG_SCALE * svg.height;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture was made"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

export type Row = readonly (string | number)[];

const cell = (value: string | number) => {
  const written = String(value);
  return /[",\n\r]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
};

/** Lines end as RFC 4180 says. */
export const csvFile = (rows: readonly Row[]) => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

/** Hands a file to the visitor. */
export function save(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has begun by then; a browser that has not would find the address gone.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
