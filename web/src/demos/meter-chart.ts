// The chart of the bottleneck meter: bars by number of dates, guesses as dashes, the course's record as rings.
import { html, nothing, svg } from "lit";
import { decimals } from "../draw/characters.ts";
import { hatch, METER, meter, type MeterBar, type Series } from "../draw/meter.ts";
import { BUCKETS } from "../engine/protocol.ts";
import { bottleneckMeter as messages, messages as page } from "../page/messages.ts";

/** One of the models side by side. */
export interface Charted extends Series {
  attends: boolean;
}
/** What a bar is drawn from; a swatch of the legend is one, too. */
type Box = Pick<MeterBar, "x" | "y" | "width" | "height">;

/** Half of the ground under the sentence in an empty chart. */
const PLATE = { width: 84, height: 12 };
const SWATCH: Box = { x: 0, y: 0, width: 18, height: 12 };

const attending = ({ attends }: Charted) => (attends ? "attending" : "bare");

/** Coloured by what the model is, and hatched where it is the first of the two. */
function box(of: Charted | undefined, first: boolean, at: Box) {
  return of
    ? svg`<rect class="bar ${attending(of)}" x=${at.x} y=${at.y} width=${at.width} height=${at.height} />${
        first ? svg`<path class="hatch" d=${hatch(at)} />` : nothing
      }`
    : nothing;
}

function number({ share, number: way, x, width, above }: MeterBar) {
  if (share === null || way === null) return nothing;
  const [cx, cy] = [x + width / 2, above - 5];
  return way === "lying"
    ? svg`<text class="share" x=${cx} y=${cy} text-anchor="middle">${decimals(share, 3)}</text>`
    : svg`<text class="share" x=${cx} y=${cy} dominant-baseline="central" transform="rotate(-90 ${cx} ${cy})">${decimals(share, 3)}</text>`;
}

export function meterChart(series: readonly Charted[], shows: "exact" | "dates" | "form", width: number) {
  const { height, left, right } = METER;
  const { bars, markers, groups, ticks, baseline, free } = meter(BUCKETS, series, width);
  return html`<svg viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label=${messages.chart(shows)}>
      ${ticks.map(
        ({ at, label }) =>
          svg`<line class="grid" x1=${left} x2=${width - right} y1=${at} y2=${at} /><text x=${left - 6} y=${at} text-anchor="end" dominant-baseline="middle">${label}</text>`,
      )}
      ${groups.map(({ K, x, width: w }) => svg`<text class="group" x=${x + w / 2} y=${baseline + 20} text-anchor="middle">K = ${K}</text>`)}
      ${bars.map((bar) => (bar.share === null ? nothing : box(series[bar.series], bar.series === 0, bar)))}
      ${markers.map(({ kind, x1, x2, y }) =>
        kind === "guess"
          ? svg`<line class="ground" x1=${x1 - 3} x2=${x2 + 3} y1=${y} y2=${y} /><line class="guess" x1=${x1 - 3} x2=${x2 + 3} y1=${y} y2=${y} />`
          : svg`<circle class="recorded" cx=${x2 - 5} cy=${y} r="4" />`,
      )}
      ${bars.map(number)}
      ${bars.some(({ share }) => share !== null) ? nothing : empty(width / 2, free)}
    </svg>
    ${key(series)}`;
}

const empty = (x: number, y: number) => svg`
  <rect class="plate" x=${x - PLATE.width} y=${y - PLATE.height} width=${2 * PLATE.width} height=${2 * PLATE.height} />
  <text class="empty" x=${x} y=${y} text-anchor="middle" dominant-baseline="central">${messages.empty}</text>`;

/** The marks for a guess and for the course's record have their line where they are drawn. */
function key(series: readonly Charted[]) {
  const item = (mark: unknown, label: string) =>
    html`<li><svg viewBox="0 0 18 12" width="18" height="12" aria-hidden="true">${mark}</svg> ${label}</li>`;
  return html`<ul class="key">
    ${series.map((each, k) => item(box(each, k === 0, SWATCH), page.modelName(each.name)))}
    ${series.some(({ guesses }) => guesses.length > 0) ? item(svg`<line class="guess" x1="0" x2="18" y1="6" y2="6" />`, messages.yourGuess) : nothing}
    ${series.some(({ recorded }) => recorded.length > 0) ? item(svg`<circle class="recorded" cx="9" cy="6" r="4" />`, messages.course) : nothing}
  </ul>`;
}
