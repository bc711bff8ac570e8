// From one decoding to markup: the showcase's text, answer and map as the page is served, before any script has run.
import type { Decoding } from "../engine/protocol.ts";
import { messages } from "../page/messages.ts";
import { decimals, isSpace, visible } from "./characters.ts";
import { layOut, type MapData, mapMarks, weightAt } from "./map.ts";
import { attentionRamp } from "./ramp.ts";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

/** Wide enough for the live map's widest cells; the picture then shrinks with the page. */
const WIDEST = 4000;

const percent = (part: number, whole: number) => `${decimals((100 * part) / whole, 3)}%`;

function labels(data: MapData) {
  const layout = layOut(data.source.length, data.tokens.length, WIDEST);
  const marks = mapMarks(data, layout);
  const rows = marks.rows.map(
    ({ index, text, x, y }) =>
      `<text class="step" x="4" y="${y}">${index + 1}</text>` +
      `<text class="row${text.length > 1 ? " control" : ""}" x="${x}" y="${y}">${escaped(text)}</text>`,
  );
  const columns = marks.columns.map(
    ({ index, text, space, x, y }) =>
      `<text class="step" x="${percent(x, layout.width)}" y="${y - 19}">${(data.positions[index] ?? 0) + 1}</text>` +
      `<text class="column${space ? " space" : ""}" x="${percent(x, layout.width)}" y="${y}">${escaped(text)}</text>`,
  );
  return { layout, marks, rows, columns };
}

/** The map: heights as in the live one, widths in shares of the room there is. */
function picture(data: MapData): string {
  const { layout, marks, rows, columns } = labels(data);
  const { cellWidth, cellHeight, width, height, rowLabelWidth } = layout;
  const cells = marks.cells.flat().map(({ x, y, fill, printed }) => {
    const rect =
      `<rect x="${percent(x, width)}" y="${y + 0.5}" width="${percent(cellWidth - 1, width)}" ` +
      `height="${cellHeight - 1}" fill="${fill}"/>`;
    const number = printed
      ? `<text class="weight" x="${percent(x + cellWidth / 2, width)}" y="${y + cellHeight / 2}" fill="${printed.fill}">${printed.text}</text>`
      : "";
    return rect + number;
  });
  return (
    `<div class="region"><svg class="rows" width="${rowLabelWidth}" height="${height}">${rows.join("")}</svg>` +
    `<svg class="cells" height="${height}">${cells.join("")}${columns.join("")}</svg></div>`
  );
}

function legend(): string {
  const steps = Array.from({ length: 11 }, (_, k) => attentionRamp.colour(k / 10));
  const boxes = steps.map((fill, k) => `<rect x="${14 * k}" width="14" height="14" fill="${fill}"/>`).join("");
  return `<span class="legend"><span class="mono">0</span> <svg width="154" height="14" aria-hidden="true">${boxes}</svg> <span class="mono">1</span> ${escaped(messages.legend)}</span>`;
}

function table(data: MapData): string {
  const { source, positions, tokens } = data;
  const heading = source.map(
    (character, i) =>
      `<th scope="col" class="mono">${escaped(messages.tableColumn(character, (positions[i] ?? 0) + 1))}</th>`,
  );
  const rows = tokens.map(
    (token, t) =>
      `<tr><th scope="row" class="mono">${escaped(messages.tableRow(token))}</th>` +
      `${source.map((_, i) => `<td>${decimals(weightAt(data, t, i), 3)}</td>`).join("")}</tr>`,
  );
  return (
    `<details><summary>${escaped(messages.stillTable)}</summary><div class="scroll"><table>` +
    `<caption class="unseen">${escaped(messages.tableCaption(source.length))}</caption>` +
    `<thead><tr><th scope="col">${escaped(messages.tableCorner)}</th>${heading.join("")}</tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table></div></details>`
  );
}

/** The line of text and answer, then the figure; `decoding` is that of a model with attention. */
export function stillStage(decoding: Decoding): string {
  const { source, positions, tokens, output, alpha } = decoding;
  if (!alpha) throw new Error("a still picture needs a model with attention");
  const data = { source, positions, tokens, alpha };
  const echo = source.map(
    (character) => `<span${isSpace(character) ? ' class="space"' : ""}>${escaped(visible(character))}</span>`,
  );
  const label = escaped(messages.stillLabel(source.join(""), output));
  return (
    `<section class="stage"><div class="line"><span class="echo mono">${echo.join("")}</span>` +
    `<div class="answers"><div class="answer first"><span class="by">${escaped(messages.modelName(decoding.model))}</span> ` +
    `<output class="mono">${escaped(output)}</output></div><div class="answer other"></div></div></div>` +
    `<ul class="notes"><li class="waiting">${escaped(messages.waiting)}</li></ul><div class="figure"><div class="map hero"><h2>${escaped(messages.mapTitle)}</h2>` +
    `<p class="hint">${escaped(messages.stillHint)}</p>` +
    `<figure class="still-map" aria-label="${label}">${picture(data)}` +
    `<figcaption class="foot">${legend()}</figcaption>${table(data)}</figure></div></div></section>`
  );
}
