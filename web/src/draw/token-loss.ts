// The loss of every target token, of a trained and of an untrained model: lengths of bars, and the line of an even guess.
import { scaleLinear } from "d3-scale";

/** -log of one of V equal probabilities, in nats: what guessing evenly costs. */
export const evenLoss = (V: number) => Math.log(V);

export interface LossRow {
  /** From 0. */
  index: number;
  token: string;
  top: number;
  /** Length of the bar and its loss, of each model; the trained one first. */
  bars: { name: "trained" | "untrained"; loss: number; length: number; y: number }[];
}

export interface LossChart {
  width: number;
  height: number;
  rows: LossRow[];
  /** Where the line of an even guess stands; null where that is kept back. */
  even: number | null;
  ticks: { x: number; label: string }[];
}

/** Columns of the chart, and heights of a row and its bars. */
export const LOSS = {
  width: 336,
  top: 34,
  row: 32,
  number: 20,
  token: 30,
  bar: 78,
  barWidth: 196,
  end: 330,
  thick: 10,
};

const LEAST_SPAN = 3.2;

/** Either model's losses may be kept back; then its bars are left out, and the line of an even guess with the untrained one's. */
export function lossChart(
  tokens: readonly string[],
  losses: Record<"trained" | "untrained", ArrayLike<number> | null>,
  V: number,
): LossChart {
  const { trained, untrained } = losses;
  const most = Math.max(LEAST_SPAN, ...Array.from(untrained ?? []), ...Array.from(trained ?? []));
  const x = scaleLinear([0, most], [0, LOSS.barWidth]);
  const rows = tokens.map((token, index) => {
    const top = LOSS.top + index * LOSS.row;
    const bar = (name: "trained" | "untrained", of: ArrayLike<number>, y: number) => {
      const loss = of[index] ?? 0;
      return { name, loss, length: x(loss), y: top + y };
    };
    const bars = [
      ...(trained ? [bar("trained", trained, untrained ? 4 : 10)] : []),
      ...(untrained ? [bar("untrained", untrained, trained ? 16 : 10)] : []),
    ];
    return { index, token, top, bars };
  });
  return {
    width: LOSS.width,
    height: LOSS.top + tokens.length * LOSS.row + 4,
    rows,
    even: untrained && LOSS.bar + x(evenLoss(V)),
    ticks: x.ticks(4).map((at) => ({ x: LOSS.bar + x(at), label: String(at) })),
  };
}
