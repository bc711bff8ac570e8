// Which cell of a map is explained, and the rows that explanations are made from.
import { type MapData, strongest } from "../draw/map.ts";
import type { Inspection } from "../engine/protocol.ts";
import type { Cell, Point } from "../widgets/base.ts";

/** What is pointed at, filled up from the cell kept on show, or from where the first row reads most. */
export function cellToExplain(map: MapData, point: Point, kept: Cell | null): Cell {
  const base = kept ?? { t: 0, i: strongest(map, 0) };
  const t = Math.min(point.t ?? base.t, map.tokens.length - 1);
  const usual = point.t === null ? base.i : strongest(map, t);
  return { t, i: Math.min(point.i ?? usual, map.source.length - 1) };
}

/** A cell of the address or of the map before, if this map has it. */
export const cellWithin = (map: Pick<MapData, "source" | "tokens">, cell: Cell | null) =>
  cell && cell.t < map.tokens.length && cell.i < map.source.length ? cell : null;

type Inspect = (model: string, text: string, t: number) => Promise<Inspection>;

const ROWS_KEPT = 64;

/** The rows that were inspected, so that going over a map asks for each once. */
export class Rows {
  #rows = new Map<string, Promise<Inspection>>();

  constructor(readonly inspect: Inspect) {}

  get(model: string, text: string, t: number): Promise<Inspection> {
    const key = `${model}\n${text}\n${t}`;
    const known = this.#rows.get(key);
    if (known) return known;
    if (this.#rows.size >= ROWS_KEPT) this.#rows.clear();
    const row = this.inspect(model, text, t);
    this.#rows.set(key, row);
    // One that gave way to a newer question is asked again when its turn comes.
    row.catch(() => this.#rows.delete(key));
    return row;
  }

  /** For when a model changes under its name. */
  clear() {
    this.#rows.clear();
  }
}
