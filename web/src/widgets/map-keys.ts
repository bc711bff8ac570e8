// Where the arrow keys and their like lead on a map.
import type { MapData } from "../draw/map.ts";
import type { Cell, Point } from "./base.ts";

/** The cell that a key moves to from the place pointed at; null for a key that moves nowhere. */
export function moved(key: string, point: Point, data: MapData): Cell | null {
  const [lastT, lastI] = [data.tokens.length - 1, data.source.length - 1];
  const t = Math.min(point.t ?? 0, lastT);
  const i = Math.min(point.i ?? 0, lastI);
  const moves: Record<string, Cell> = {
    ArrowUp: { t: Math.max(0, t - 1), i },
    ArrowDown: { t: Math.min(lastT, t + 1), i },
    ArrowLeft: { t, i: Math.max(0, i - 1) },
    ArrowRight: { t, i: Math.min(lastI, i + 1) },
    Home: { t, i: 0 },
    End: { t, i: lastI },
    PageUp: { t: 0, i },
    PageDown: { t: lastT, i },
  };
  return Object.hasOwn(moves, key) ? (moves[key] ?? null) : null;
}
