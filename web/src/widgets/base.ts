// What the widgets share: the colour and type roles, a style for text that only screen readers meet, and pointing.
import { css, unsafeCSS } from "lit";
import formulas from "./formulas.css?inline";
import tokens from "./tokens.css?inline";

/** A cell of a map: step t, source column i, both from 0. */
export interface Cell {
  t: number;
  i: number;
}

/** A place that something points at: a step t, a source column i, or both. */
export interface Point {
  t: number | null;
  i: number | null;
}

export const NOWHERE: Point = { t: null, i: null };

export const samePlace = (one: Point | null, other: Point | null) => one?.t === other?.t && one?.i === other?.i;

/** Tells the page where a widget is pointed at, so that every other widget lights up the same place. */
export class PointEvent extends Event {
  static readonly type = "sa-point";

  constructor(readonly point: Point) {
    super(PointEvent.type, { bubbles: true, composed: true });
  }
}

/** A cell was picked, to be kept on show; null lets go of the one that was. */
export class PickEvent extends Event {
  static readonly type = "sa-pick";

  constructor(readonly cell: Cell | null) {
    super(PickEvent.type, { bubbles: true, composed: true });
  }
}

export const shared = [
  unsafeCSS(tokens),
  unsafeCSS(formulas),
  css`
    :host {
      display: block;
      color: var(--sa-ink);
    }
    :host([hidden]) {
      display: none;
    }
    .unseen {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    .mono {
      font-family: var(--sa-mono);
      font-variant-ligatures: none;
    }
    button {
      font: inherit;
      color: inherit;
      background: none;
      border: 1px solid var(--sa-edge);
      border-radius: 3px;
      padding: 0.25em 0.7em;
      cursor: pointer;
    }
    button:disabled {
      color: var(--sa-muted);
      border-color: var(--sa-line);
      cursor: default;
    }
    button:hover:enabled {
      border-color: var(--sa-ink);
    }
    :focus-visible {
      outline: 2px solid var(--sa-source);
      outline-offset: 2px;
    }
    @media print {
      button {
        display: none;
      }
    }
  `,
];
