// The drawn parts of a plane of states: rings, hull, states with their weights, query and context; for stills too.
import { nothing, svg, type TemplateResult } from "lit";
import { visible } from "../draw/characters.ts";
import { arrow, diamond, type Frame, frameAround, hullPath, LONGEST, type Point, radiusOf } from "../draw/plane.ts";
import { attentionRamp } from "../draw/ramp.ts";
import { plane as messages } from "../page/messages.ts";

const SIZE = 400;
const RINGS = [1, 2, LONGEST];
/** The direction in which the rings have their numbers, in degrees: none of the placed states lies there. */
const NUMBERS = (158 / 180) * Math.PI;
/** So far inside its ring a number stands, in pixels. */
const INSIDE = 10;
/** How far beyond its tip an arrow's name stands, in pixels. */
const BEYOND = 22;
const CONTEXT = 8;

/** Room for a query of the greatest length in every direction, and its name. */
export const dialFrame = frameAround(
  [
    [-LONGEST, -LONGEST],
    [LONGEST, LONGEST],
  ],
  { width: SIZE, height: SIZE, margin: 24 },
);

/** A frame around small numbers of the visitor's own. */
export const framed = (points: readonly Point[]) =>
  frameAround([...points, [0, 0]], { width: 320, height: 240, margin: 44 });

export function rings(frame: Frame) {
  const [x, y] = frame.at([0, 0]);
  return svg`<g class="rings">
    ${RINGS.map((ring) => svg`<circle cx=${x} cy=${y} r=${ring * frame.unit} />`)}
    <path d="M${x - LONGEST * frame.unit},${y}H${x + LONGEST * frame.unit}M${x},${y - LONGEST * frame.unit}V${y + LONGEST * frame.unit}" />
    ${RINGS.map((ring) => {
      const far = ring * frame.unit - INSIDE;
      return svg`<text class="small" x=${x + far * Math.cos(NUMBERS)} y=${y - far * Math.sin(NUMBERS)}>${ring}</text>`;
    })}
  </g>`;
}

/** The two axes through 0. */
export function axes({ at, width, height }: Frame) {
  const [x, y] = at([0, 0]);
  return svg`<g class="rings"><path d="M0,${y}H${width}M${x},0V${height}" /></g>`;
}

export const hull = (frame: Frame, points: readonly Point[]) => svg`<path class="hull" d=${hullPath(frame, points)} />`;

/** Where the name of an arrow from 0 stands. */
function beyond(frame: Frame, point: Point, distance = BEYOND): Point {
  const [[x, y], [x0, y0]] = [frame.at(point), frame.at([0, 0])];
  const length = Math.hypot(x - x0, y - y0) || 1;
  return [x + (distance * (x - x0)) / length, y + (distance * (y - y0)) / length];
}

/** A letter with its index, as in h_1. */
const named = (letter: string, index: string | number) =>
  svg`<tspan class="letter">${letter}</tspan><tspan class="index" dy="4">${index}</tspan>`;

/** A state as an arrow from 0: the dot at its tip is as large and as dark as its weight. */
export function stateArrow(frame: Frame, point: Point, k: number, alpha: number, padding = false) {
  const [[x0, y0], [x, y], [nx, ny]] = [frame.at([0, 0]), frame.at(point), beyond(frame, point)];
  return svg`<g class=${padding ? "state padding" : "state"}>
    <path class="shaft" d="M${x0},${y0}L${x},${y}" />
    <circle class="moves" cx=${x} cy=${y} r=${radiusOf(alpha)} fill=${attentionRamp.colour(alpha)} />
    <text x=${nx} y=${ny}>${named("h", k + 1)}</text>
  </g>`;
}

export function queryArrow(frame: Frame, point: Point) {
  const { shaft, head } = arrow(frame.at([0, 0]), frame.at(point));
  const [x, y] = beyond(frame, point, BEYOND + 6);
  return svg`<g class="query">
    <path class="shaft" d=${shaft} /><path class="head" d=${head} />
    <text x=${x} y=${y}>${named("s", "t")}</text>
  </g>`;
}

export const contextMark = (place: Point, half = CONTEXT) =>
  svg`<g class="context"><path d=${diamond(place, half)} /></g>`;

/** With its name on the inner side of it, where the query is not. */
export function context(frame: Frame, point: Point): TemplateResult {
  const [x, y] = frame.at(point);
  const side = x > frame.width / 2 ? -1 : 1;
  return svg`<g class="context">
    ${contextMark([x, y])}
    <text class=${side < 0 ? "end" : "start"} x=${x + side * (CONTEXT + 5)} y=${y}>${messages.context}</text>
  </g>`;
}

/** A real state: its character, and where there is room the position of it. */
export function realState(frame: Frame, point: Point, { text, place, alpha, labelled, numbered }: RealState) {
  const [x, y] = frame.at(point);
  const radius = radiusOf(alpha);
  return svg`<g class="state real">
    <circle class="moves" cx=${x} cy=${y} r=${radius} fill=${attentionRamp.colour(alpha)} />
    ${
      labelled
        ? svg`<text class="mono" x=${x} y=${y - radius - 11}>${visible(text)}${numbered ? svg`<tspan class="index" dy="4">${place}</tspan>` : nothing}</text>`
        : nothing
    }
  </g>`;
}

export interface RealState {
  text: string;
  place: number;
  alpha: number;
  labelled: boolean;
  numbered: boolean;
}
