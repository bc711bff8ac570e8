// From measured shares to the bars of a chart: a group for each number of dates, a bar for each model, marks for guess and record.
import { scaleBand, scaleLinear } from "d3-scale";

export const METER = { height: 250, left: 34, right: 8, top: 26, bottom: 30 };

/** What is known of a model for one group: shares from 0 to 1, one bar each; null before anything is known. */
export interface Series {
  name: string;
  /** By K; several shares where single dates are told apart. */
  shares: readonly (readonly (number | null)[])[];
  /** What was guessed, by K. */
  guesses: readonly number[];
  /** What the course recorded, by K. */
  recorded: readonly number[];
}

export interface MeterBar {
  series: number;
  K: number;
  /** Which date of the output, from 1; 0 for the whole. */
  date: number;
  x: number;
  width: number;
  y: number;
  height: number;
  share: number | null;
}

export interface Marker {
  kind: "guess" | "recorded";
  series: number;
  x1: number;
  x2: number;
  y: number;
  share: number;
}

export interface Meter {
  bars: MeterBar[];
  markers: Marker[];
  groups: { K: number; x: number; width: number }[];
  ticks: { at: number; label: string }[];
  baseline: number;
}

export function meter(Ks: readonly number[], series: readonly Series[], width: number): Meter {
  const { height, left, right, top, bottom } = METER;
  const x = scaleBand(Ks.map(String), [left, width - right])
    .paddingInner(0.22)
    .paddingOuter(0.08);
  const y = scaleLinear([0, 1], [height - bottom, top]);
  const inner = scaleBand(
    series.map((_, k) => k),
    [0, x.bandwidth()],
  ).paddingInner(0.12);
  const at = (K: number, k: number) => (x(String(K)) ?? 0) + (inner(k) ?? 0);
  const bars = series.flatMap(({ shares }, k) =>
    Ks.flatMap((K, group) => {
      const list = shares[group] ?? [];
      const part = inner.bandwidth() / Math.max(1, list.length);
      return list.map((share, date) => ({
        series: k,
        K,
        date: list.length > 1 || K === 1 ? date + 1 : 0,
        x: at(K, k) + date * part,
        width: Math.max(1, part - (list.length > 1 ? 1.5 : 0)),
        y: y(share ?? 0),
        height: y(0) - y(share ?? 0),
        share,
      }));
    }),
  );
  const markers = series.flatMap(({ guesses, recorded }, k) =>
    Ks.flatMap((K, group) => {
      const span = { series: k, x1: at(K, k), x2: at(K, k) + inner.bandwidth() };
      const mark = (kind: Marker["kind"], share: number | undefined) =>
        share === undefined ? [] : [{ ...span, kind, share, y: y(share) }];
      return [...mark("recorded", recorded[group]), ...mark("guess", guesses[group])];
    }),
  );
  return {
    bars,
    markers,
    groups: Ks.map((K) => ({ K, x: x(String(K)) ?? 0, width: x.bandwidth() })),
    ticks: [0, 0.25, 0.5, 0.75, 1].map((share) => ({ at: y(share), label: String(share) })),
    baseline: y(0),
  };
}
