// The two charts of sa-path-length: values carried and steps travelled, over the length of the source.
import { html, svg } from "lit";
import { type Chart, chart, cost } from "../draw/path-length.ts";
import { pathLength as messages } from "../page/messages.ts";

export interface Lengths {
  S: number;
  T: number;
  d_h: number;
  attention: boolean;
}

export function pathLengthCharts({ S, T, d_h, attention }: Lengths) {
  const quantity = (which: "values" | "steps", least: number) => {
    const of = (length: number) => cost(length, T, d_h, attention)[which];
    return { ...messages[which], drawn: chart(S, of, least), now: of(S), twice: of(2 * S) };
  };
  const figures = [quantity("values", 2 * d_h), quantity("steps", T)].map(
    ({ title, problem, unit, drawn, now, twice }) => html`<figure>
      <figcaption><strong>${title}</strong> <span class="note">${problem}</span></figcaption>
      ${drawing(drawn, title)}
      <p class="num" aria-live="polite">${messages.doubled(now, twice, unit)}</p>
    </figure>`,
  );
  return html`<div class="charts">${figures}</div>`;
}

function drawing({ width, height, left, bottom, path, now, twice, ticks }: Chart, title: string) {
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${title}>
    ${ticks.y.map(
      ({ at, label }) =>
        svg`<line class="grid" x1=${left} x2=${width} y1=${at} y2=${at} /><text x=${left - 8} y=${at} text-anchor="end" dominant-baseline="middle">${label}</text>`,
    )}
    ${ticks.x.map(({ at, label }) => svg`<text x=${at} y=${bottom + 17} text-anchor="middle">${label}</text>`)}
    <path class="line" d=${path} />
    <circle class="now" cx=${now.x} cy=${now.y} r="5" />
    <circle class="twice" cx=${twice.x} cy=${twice.y} r="5" />
    <text class="mark" x=${now.x} y=${now.y - 10} text-anchor="middle">S</text>
    <text class="mark" x=${twice.x} y=${twice.y - 10} text-anchor="middle">2S</text>
  </svg>`;
}
