// From measured shares to the bars of a chart: a group for each number of dates, a bar for each model, marks for guess and record.
import { scaleBand, scaleLinear } from "d3-scale";

export const METER = { height: 262, left: 34, right: 8, top: 38, bottom: 30 };

/** A share of 0 that was measured has a bar that can be seen. */
const HAIR = 2;
/** A number lies above its bar where the bar is so wide, and stands upright where it is at least this wide. */
const NUMBER = { lying: 30, upright: 11 };
/** A mark so near to the top of a bar would lie under its number. */
const CLEAR = 8;
/** Between two lines of a hatched bar, and how high a bar must be to have any. */
const HATCH = { gap: 8, from: 6 };

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
  /** How the number above it stands, if there is room for one, and where it begins. */
  number: "lying" | "upright" | null;
  above: number;
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
  /** Where a sentence can be written between two lines of the grid. */
  free: number;
}

/** Diagonal lines over a bar, from edge to edge. */
export function hatch({ x, y, width, height }: Pick<MeterBar, "x" | "y" | "width" | "height">): string {
  const lines = height < HATCH.from ? 0 : Math.floor((width + height) / HATCH.gap);
  return Array.from({ length: lines }, (_, k) => {
    const c = (k + 1) * HATCH.gap;
    const [from, to] = [Math.max(0, c - height), Math.min(width, c)];
    return `M${x + from} ${y + height - c + from}L${x + to} ${y + height - c + to}`;
  }).join("");
}

const numberFor = (width: number): MeterBar["number"] =>
  width >= NUMBER.lying ? "lying" : width >= NUMBER.upright ? "upright" : null;

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
  const bars = series.flatMap(({ shares, guesses, recorded }, k) =>
    Ks.flatMap((K, group) => {
      const list = shares[group] ?? [];
      const part = inner.bandwidth() / Math.max(1, list.length);
      return list.map((share, date) => {
        const width = Math.max(1, part - (list.length > 1 ? 1.5 : 0));
        const height = share === null ? 0 : Math.max(HAIR, y(0) - y(share));
        const top = y(0) - height;
        const near = [guesses[group], recorded[group]].flatMap((mark) =>
          mark !== undefined && Math.abs(y(mark) - top) <= CLEAR ? [y(mark) - CLEAR / 2] : [],
        );
        return {
          series: k,
          K,
          date: list.length > 1 || K === 1 ? date + 1 : 0,
          x: at(K, k) + date * part,
          width,
          y: top,
          height,
          share,
          number: share === null ? null : numberFor(width),
          above: Math.min(top, ...near),
        };
      });
    }),
  );
  const markers = series.flatMap(({ guesses, recorded }, k) =>
    Ks.flatMap((K, group) => {
      const span = { series: k, x1: at(K, k), x2: at(K, k) + inner.bandwidth() };
      const mark = (kind: Marker["kind"], share: number | undefined) =>
        share === undefined ? [] : [{ ...span, kind, share, y: y(share) }];
      return [...mark("guess", guesses[group]), ...mark("recorded", recorded[group])];
    }),
  );
  return {
    bars,
    markers,
    groups: Ks.map((K) => ({ K, x: x(String(K)) ?? 0, width: x.bandwidth() })),
    ticks: [0, 0.25, 0.5, 0.75, 1].map((share) => ({ at: y(share), label: String(share) })),
    baseline: y(0),
    free: y(0.625),
  };
}
