// The chart of sa-alignment: hit rates by number of dates, each with what chance would reach, and the same as a table.
import { html, nothing, svg } from "lit";
import { decimals } from "../draw/characters.ts";
import { METER, meter, type Series } from "../draw/meter.ts";
import { type Alignment, BUCKETS } from "../engine/protocol.ts";
import { alignment as messages } from "../page/messages.ts";

const KINDS = ["of-date", "of-field"] as const;
/** Width of the ground under a number that lies over a bar. */
const PLATE = 29;
/** Hits inside the date say nothing where the date is the whole text. */
const isVacuous = (series: number, K: number) => series === 0 && K === 1;

const byK = (rates: Alignment | null, name: keyof Alignment, tol: number) => rates?.[name].by_K[tol] ?? [];

function series(rates: Alignment | null, tol: number): Series[] {
  const of = (name: string, hits: keyof Alignment, chance: keyof Alignment): Series => ({
    name,
    shares: BUCKETS.map((_, k) => [byK(rates, hits, tol)[k] ?? null]),
    guesses: [],
    recorded: byK(rates, chance, tol),
  });
  return [
    of(messages.inDate, "alignment_hit_rate", "chance_hit_rate"),
    of(messages.inField, "field_hit_rate", "chance_field_rate"),
  ];
}

export function ratesChart(rates: Alignment | null, tol: number, width: number) {
  const { height, left, right } = METER;
  const { bars, markers, groups, ticks, baseline, free } = meter(BUCKETS, series(rates, tol), width);
  return html`<svg class="rates" viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label=${messages.chart(tol)}>
      ${ticks.map(
        ({ at, label }) =>
          svg`<line class="grid" x1=${left} x2=${width - right} y1=${at} y2=${at} /><text x=${left - 6} y=${at} text-anchor="end" dominant-baseline="middle">${label}</text>`,
      )}
      ${groups.map(({ K, x, width: w }) => svg`<text class="group" x=${x + w / 2} y=${baseline + 20} text-anchor="middle">K = ${K}</text>`)}
      ${bars.map(({ series: k, K, share, x, y, width: w, height: h }) => {
        if (share === null) return nothing;
        const dress = isVacuous(k, K) ? "vacuous" : KINDS[k];
        return svg`<rect class="bar ${dress}" x=${x} y=${y} width=${w} height=${h} />
          <text class="share" x=${x + w / 2} y=${y - 5} text-anchor="middle">${decimals(share, 3)}</text>`;
      })}
      ${markers.map(({ x1, x2, y, share, series: k }, at) =>
        isVacuous(k, BUCKETS[at % BUCKETS.length] ?? 0)
          ? nothing
          : svg`<line class="chance ground" x1=${x1 - 3} x2=${x2 + 3} y1=${y} y2=${y} /><line class="chance" x1=${x1 - 3} x2=${x2 + 3} y1=${y} y2=${y} />
              <rect class="plate" x=${(x1 + x2 - PLATE) / 2} y=${y - 15} width=${PLATE} height="12" />
              <text class="share" x=${(x1 + x2) / 2} y=${y - 5} text-anchor="middle">${decimals(share, 3)}</text>`,
      )}
      ${rates ? nothing : svg`<text class="empty" x=${width / 2} y=${free} text-anchor="middle" dominant-baseline="central">${messages.empty}</text>`}
    </svg>
    ${key()}`;
}

function key() {
  const swatch = (name: string) =>
    html`<svg viewBox="0 0 16 12" width="16" height="12" aria-hidden="true"><rect class="bar ${name}" x="1" y="1" width="14" height="10" /></svg>`;
  return html`<ul class="key">
    <li>${swatch("of-date")} ${messages.inDate}</li>
    <li>${swatch("of-field")} ${messages.inField}</li>
    <li>${swatch("vacuous")} ${messages.vacuous}</li>
    <li><svg viewBox="0 0 22 12" width="22" height="12" aria-hidden="true"><line class="chance" x1="0" x2="22" y1="6" y2="6" /></svg> ${messages.chance}</li>
  </ul>`;
}

const LINES: readonly (readonly [keyof Alignment, string])[] = [
  ["alignment_hit_rate", messages.inDate],
  ["chance_hit_rate", messages.chance],
  ["field_hit_rate", messages.inField],
  ["chance_field_rate", messages.chance],
];

export function ratesTable(rates: Alignment, tol: number) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${messages.caption(tol)}>
    <table>
      <caption class="unseen">${messages.caption(tol)}</caption>
      <thead>
        <tr>
          <th scope="col">${messages.rate}</th>
          ${BUCKETS.map((K) => html`<th scope="col" class="number">K = ${K}</th>`)}
          <th scope="col" class="number">${messages.all}</th>
        </tr>
      </thead>
      <tbody>
        ${LINES.map(
          ([name, label]) => html`<tr>
            <th scope="row">${label}</th>
            ${[...byK(rates, name, tol), rates[name].all[tol] ?? 0].map((share) => html`<td class="number">${decimals(share, 4)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The same numbers for a file. */
export const ratesRows = (rates: Alignment, tol: number) =>
  LINES.map(([name]) => [name, tol, ...byK(rates, name, tol), rates[name].all[tol] ?? 0]);
