// From attention weights to marks: the places, colours and printed numbers of a map, without touching a document.
import { decimals, isSpace, visible } from "./characters.ts";
import { attentionRamp } from "./ramp.ts";

/** What a map is drawn from; a part of Decoding. */
export interface MapData {
  /** S source characters, one per code point: the columns. */
  source: readonly string[];
  /** Code point index of each of them in the typed text. */
  positions: readonly number[];
  /** T output tokens: the rows. */
  tokens: readonly string[];
  /** (T, S) row-major weights. */
  alpha: Float32Array;
}

/** A column narrower than this has no room for a number. */
const PRINTED_WIDTH = 14;
/** Weights from here on are printed in their cell. */
export const PRINTED_FROM = 0.1;
/** Above this many cells, those too light to see are left out of the drawing (never out of the table). */
export const SPARSE_FROM = 1000;
const VISIBLE_FROM = 0.002;

const CELL_WIDTH = { most: 64, horizontal: 30, upright: 12 };
/** Rows of one date are taller than those of many; never of the width, so that nothing below a map moves with it. */
const CELL_HEIGHT = { few: 36, many: 28 };
const FEW_ROWS = 12;
export const ROW_LABEL = 64;
/** Added where rows also say which field they write. */
export const FIELD_LABEL = 48;
const COLUMN_LABEL = 46;
const EDGE = 2;

export interface MapLayout {
  cellWidth: number;
  cellHeight: number;
  /** Printed numbers stand upright (turned by a quarter) where columns are narrow. */
  upright: boolean;
  /** Width of the row labels, which stay in place while the cells scroll. */
  rowLabelWidth: number;
  /** Top edge of the cells; their left edge is 0. */
  top: number;
  /** Of the cells with their column labels. */
  width: number;
  height: number;
}

/** Fits S columns into `available` pixels; below a readable width the map grows past it and its region scrolls. */
export function layOut(S: number, T: number, available: number, fieldLabel = 0): MapLayout {
  const rowLabelWidth = ROW_LABEL + fieldLabel;
  const room = (available - rowLabelWidth - EDGE) / Math.max(1, S);
  const fits = room >= CELL_WIDTH.upright;
  const cellWidth = fits ? Math.min(CELL_WIDTH.most, room) : CELL_WIDTH.horizontal;
  const cellHeight = T <= FEW_ROWS ? CELL_HEIGHT.few : CELL_HEIGHT.many;
  return {
    cellWidth,
    cellHeight,
    upright: cellWidth < CELL_WIDTH.horizontal,
    rowLabelWidth,
    top: COLUMN_LABEL,
    width: S * cellWidth + EDGE,
    height: COLUMN_LABEL + T * cellHeight + EDGE,
  };
}

export interface Label {
  index: number;
  text: string;
  space: boolean;
  /** Centre. */
  x: number;
  y: number;
}

export interface Cell {
  t: number;
  i: number;
  weight: number;
  x: number;
  y: number;
  fill: string;
  /** The printed number and its colour; absent below PRINTED_FROM, and where the column is narrow. */
  printed?: { text: string; fill: string };
}

export interface MapMarks {
  columns: Label[];
  rows: Label[];
  /** By row. */
  cells: Cell[][];
}

export const weightAt = ({ source, alpha }: MapData, t: number, i: number) => alpha[t * source.length + i] ?? 0;

function cell(data: MapData, layout: MapLayout, t: number, i: number): Cell {
  const weight = weightAt(data, t, i);
  const mark: Cell = {
    t,
    i,
    weight,
    x: i * layout.cellWidth,
    y: layout.top + t * layout.cellHeight,
    fill: attentionRamp.colour(weight),
  };
  if (weight >= PRINTED_FROM && layout.cellWidth >= PRINTED_WIDTH)
    mark.printed = { text: decimals(weight, 2), fill: attentionRamp.label(weight) };
  return mark;
}

/** Every label and cell of a map. Equal characters stay apart: a column is a position, a row is a step. */
export function mapMarks(data: MapData, layout: MapLayout): MapMarks {
  const { source, tokens } = data;
  const columns = source.map((text, index) => ({
    index,
    text: visible(text),
    space: isSpace(text),
    x: (index + 0.5) * layout.cellWidth,
    y: layout.top - 14,
  }));
  const rows = tokens.map((text, index) => ({
    index,
    text: visible(text),
    space: isSpace(text),
    x: layout.rowLabelWidth - 10,
    y: layout.top + (index + 0.5) * layout.cellHeight,
  }));
  const sparse = source.length * tokens.length > SPARSE_FROM;
  const cells = tokens.map((_, t) =>
    source.flatMap((_, i) => (sparse && weightAt(data, t, i) < VISIBLE_FROM ? [] : [cell(data, layout, t, i)])),
  );
  return { columns, rows, cells };
}

/** The position that row t weighs most; the first of equals. */
export function strongest(data: MapData, t: number): number {
  let best = 0;
  for (let i = 1; i < data.source.length; ++i) if (weightAt(data, t, i) > weightAt(data, t, best)) best = i;
  return best;
}

/** The cell under a point of the drawing; null outside the cells. */
export function cellAt(layout: MapLayout, data: MapData, x: number, y: number): { t: number; i: number } | null {
  const i = Math.floor(x / layout.cellWidth);
  const t = Math.floor((y - layout.top) / layout.cellHeight);
  const inside = i >= 0 && t >= 0 && i < data.source.length && t < data.tokens.length;
  return inside ? { t, i } : null;
}
