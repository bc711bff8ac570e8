// The chart of the bottleneck meter: bars by number of dates, guesses as dashes, the course's record as rings.
import { html, nothing, svg } from "lit";
import { decimals } from "../draw/characters.ts";
import { METER, meter, type Series } from "../draw/meter.ts";
import { BUCKETS } from "../engine/protocol.ts";
import { bottleneckMeter as messages, messages as page } from "../page/messages.ts";

/** A number above its bar needs so much room. */
const ROOM = 22;

export function meterChart(series: readonly Series[], shows: "exact" | "dates" | "form", width: number) {
  const { height, left, right } = METER;
  const { bars, markers, groups, ticks, baseline } = meter(BUCKETS, series, width);
  const known = bars.some(({ share }) => share !== null);
  return html`<svg viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label=${messages.chart(shows)}>
      ${ticks.map(
        ({ at, label }) =>
          svg`<line class="grid" x1=${left} x2=${width - right} y1=${at} y2=${at} /><text x=${left - 6} y=${at} text-anchor="end" dominant-baseline="middle">${label}</text>`,
      )}
      ${groups.map(({ K, x, width: w }) => svg`<text class="group" x=${x + w / 2} y=${baseline + 20} text-anchor="middle">K = ${K}</text>`)}
      ${bars.map(
        (bar) =>
          svg`<rect class="bar series-${bar.series}" x=${bar.x} y=${bar.y} width=${bar.width} height=${bar.height} />${
            bar.share === null || bar.width < ROOM
              ? nothing
              : svg`<text class="share" x=${bar.x + bar.width / 2} y=${bar.y - 5} text-anchor="middle">${decimals(bar.share, 3)}</text>`
          }`,
      )}
      ${markers.map(({ kind, x1, x2, y, series: k }) =>
        kind === "guess"
          ? svg`<line class="guess" x1=${x1 - 3} x2=${x2 + 3} y1=${y} y2=${y} />`
          : svg`<circle class="recorded series-${k}" cx=${x2 - 5} cy=${y} r="4" />`,
      )}
      ${known ? nothing : svg`<text class="empty" x=${width / 2} y=${height / 2} text-anchor="middle">${messages.empty}</text>`}
    </svg>
    <ul class="key">
      ${series.map(
        ({ name }, k) => html`<li>
          <svg viewBox="0 0 16 12" width="16" height="12" aria-hidden="true"><rect class="bar series-${k}" width="16" height="12" /></svg>
          ${page.modelName(name)}
        </li>`,
      )}
    </ul>`;
}
