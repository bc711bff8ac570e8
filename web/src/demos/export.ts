// Figures as files: a drawing as SVG that stands alone, the same as PNG, and its numbers as CSV.

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

/** Every drawing inside `figure`, each in its place, on the page's own ground. */
export function svgFile(figure: Element, title: string): { markup: string; width: number; height: number } {
  const drawings = figure instanceof SVGSVGElement ? [figure] : drawingsIn(figure);
  const all = drawings.map(placed).filter(({ width, height }) => width > 0 && height > 0);
  const [x0, y0] = [Math.min(...all.map(({ left }) => left)), Math.min(...all.map(({ top }) => top))];
  const width = Math.ceil(Math.max(...all.map((each) => each.left + each.width)) - x0);
  const height = Math.ceil(Math.max(...all.map((each) => each.top + each.height)) - y0);
  const whole = element("svg", { xmlns: NAMESPACE, width, height, viewBox: `0 0 ${width} ${height}` });
  const name = element("title", {});
  name.textContent = title;
  const ground = getComputedStyle(document.documentElement).backgroundColor;
  whole.append(name, element("rect", { width, height, fill: ground }));
  for (const { drawing, left, top, width: w, height: h } of all) {
    const copy = standalone(drawing);
    for (const [key, value] of Object.entries({ x: left - x0, y: top - y0, width: w, height: h })) {
      copy.setAttribute(key, String(value));
    }
    whole.append(copy);
  }
  return { markup: new XMLSerializer().serializeToString(whole), width, height };
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
