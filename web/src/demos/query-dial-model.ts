// The real states of sa-query-dial: what a model's score compares, in the plane that was fitted to it, step by step.
import { html, nothing, svg } from "lit";
import { visible } from "../draw/characters.ts";
import { average, type Frame, frameAround, insideHull, type Point, pointAt, pointsOf, wayPath } from "../draw/plane.ts";
import { attentionRamp } from "../draw/ramp.ts";
import { largest } from "../draw/weight-bars.ts";
import { fetchBytes } from "../engine/fetch.ts";
import { probeUrl } from "../engine/files.ts";
import type { Models } from "../engine/models.ts";
import type { ModelInfo, Plane, ProbeInfo } from "../engine/protocol.ts";
import { plane as planeMessages, queryDial as messages } from "../page/messages.ts";
import type { Row } from "./export.ts";
import { contextMark, hull, realState } from "./plane-drawing.ts";
import { weightDrawing } from "./weight-drawing.ts";

export interface ModelPlane {
  view: "model";
  info: ModelInfo;
  /** Null for a model that no plane was fitted to. */
  plane: Plane | null;
  /** Entries of the states that the score compares. */
  d: number;
}

const SIZE = { width: 480, height: 420, margin: 34, stretched: true };
/** Up to so many states each has its character beside it, and up to so many its position, too. */
const LABELLED = 60;
const NUMBERED = 24;
/** A lighter state than this has no line to the context, and in a crowd no character. */
const HEAVY = 0.02;
const LISTED = 5;

const probes = new Map<string, Promise<ProbeInfo>>();

function wantProbe(models: Models, name: string): Promise<ProbeInfo> {
  const coming =
    probes.get(name) ?? fetchBytes(probeUrl(name), () => {}).then((bytes) => models.client.loadProbe(name, bytes));
  probes.set(name, coming);
  // One that did not come is asked for again the next time.
  coming.catch(() => probes.delete(name));
  return coming;
}

export async function askPlane(models: Models, name: string, text: string): Promise<ModelPlane> {
  const info = await models.want(name);
  if (info.score === "none" || probeUrl(name) === "") return { view: "model", info, plane: null, d: 0 };
  const { d } = await wantProbe(models, name);
  return { view: "model", info, plane: await models.client.plane(name, text), d };
}

interface Real extends ModelPlane {
  plane: Plane & { alpha: Float32Array };
}
const isReal = (shown: ModelPlane): shown is Real => shown.plane?.alpha != null;

const rowOf = ({ plane }: Real, t: number) => {
  const S = plane.source.length;
  return plane.alpha.subarray(t * S, (t + 1) * S);
};

/** The step on show: that of the attribute, or the last one of a shorter answer. */
const stepWithin = ({ plane }: Real, step: number) => Math.min(step, plane.tokens.length - 1);

/** What the visitor sets: the step, and whether the queries are drawn; without them the states have the plane to themselves. */
export interface View {
  step: number;
  queries: "on" | "off";
}
type Change = (values: Partial<View>) => void;

export function planeView(shown: ModelPlane, view: View, change: Change) {
  if (!isReal(shown)) return html`<p class="hint">${messages.noPlane(shown.info.score === "none")}</p>`;
  const { plane, info, d } = shown;
  const t = stepWithin(shown, view.step);
  const alpha = rowOf(shown, t);
  const points = pointsOf(plane.k);
  const at = average(points, alpha);
  const token = plane.tokens[t] ?? "";
  return html`${steps(plane, t, view, change)}
    <div class="figure pair real">
      ${drawing(shown, points, at, { t, asking: view.queries === "on" })}
      <div>${weightDrawing(heaviest(shown, alpha), messages.heaviestLabel(t + 1))}<p class="note">${messages.heaviest(info.name, sumOf(alpha, LISTED), plane.source.length)}</p></div>
    </div>
    ${key()}
    <p class="num live" aria-live="polite">${messages.real(t + 1, token, strongest(plane, alpha), insideHull(points, at))}</p>
    <p class="note">${messages.compared(info)} ${messages.share(plane.explained, d)}</p>`;
}

function steps({ tokens }: Plane, t: number, { queries }: View, change: Change) {
  const slide = (event: Event) => change({ step: (event.target as HTMLInputElement).valueAsNumber - 1 });
  const show = (event: Event) => change({ queries: (event.target as HTMLInputElement).checked ? "on" : "off" });
  return html`<div class="controls">
      <label>
        ${messages.step}
        <input type="range" name="step" min="1" max=${tokens.length} .value=${String(t + 1)} @input=${slide} />
        <output>${messages.stepOf(t + 1, tokens.length)}</output>
      </label>
      <span class="buttons">
        <button ?disabled=${t === 0} @click=${() => change({ step: t - 1 })}>${messages.previous}</button>
        <button ?disabled=${t === tokens.length - 1} @click=${() => change({ step: t + 1 })}>${messages.next}</button>
      </span>
      <label><input type="checkbox" .checked=${queries === "on"} @change=${show} /> ${messages.queries}</label>
    </div>
    <p class="written mono" aria-hidden="true">
      ${tokens.map((token, k) => html`<span class=${k === t ? "now" : k < t ? "" : "later"}>${visible(token)}</span>`)}
    </p>`;
}

const strongest = ({ source, positions }: Plane, alpha: Float32Array) => {
  const [i = 0] = largest(alpha, 1);
  return { character: source[i] ?? "", place: (positions[i] ?? i) + 1, alpha: alpha[i] ?? 0 };
};

const sumOf = (alpha: Float32Array, count: number) =>
  largest(alpha, count).reduce((sum, i) => sum + (alpha[i] ?? 0), 0);

function heaviest({ plane }: Real, alpha: Float32Array) {
  return largest(alpha, LISTED).map((i) => ({
    character: true,
    label: visible(plane.source[i] ?? ""),
    index: String((plane.positions[i] ?? i) + 1),
    alpha: alpha[i] ?? 0,
  }));
}

function drawing(shown: Real, points: readonly Point[], h_bar: Point, { t, asking }: { t: number; asking: boolean }) {
  const { plane } = shown;
  const queries = asking ? pointsOf(plane.q) : [];
  const frame = frameAround([...points, ...queries], SIZE);
  const alpha = rowOf(shown, t);
  const crowded = points.length > LABELLED;
  const states = points.map((point, i) =>
    realState(frame, point, {
      text: plane.source[i] ?? "",
      place: (plane.positions[i] ?? i) + 1,
      alpha: alpha[i] ?? 0,
      labelled: !crowded || (alpha[i] ?? 0) >= HEAVY,
      numbered: points.length <= NUMBERED,
    }),
  );
  return html`<svg class="sa-plane" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label=${messages.realPlane(points.length, t + 1)}>
    ${hull(frame, points)}<path class="way" d=${wayPath(frame, points)} />
    ${pulls(frame, points, alpha, h_bar)} ${states}
    ${queries.map((query, k) => (k === t ? asks(frame.at(query), t) : svg`<path class="other" d=${square(frame.at(query), 3)} />`))}
    ${contextMark(frame.at(h_bar))}
  </svg>`;
}

/** Lines from the context to the states that it is mostly made of. */
function pulls(frame: Frame, points: readonly Point[], alpha: Float32Array, h_bar: Point) {
  const [cx, cy] = frame.at(h_bar);
  return points.map((point, i) => {
    const weight = alpha[i] ?? 0;
    const [x, y] = frame.at(point);
    return weight < HEAVY
      ? nothing
      : svg`<path class="pull" d="M${x},${y}L${cx},${cy}" stroke-width=${1 + 5 * weight} />`;
  });
}

const asks = ([x, y]: Point, t: number) => svg`<g class="query">
  <path class="mark" d=${square([x, y], 7)} />
  <text x=${x} y=${y - 17}><tspan class="letter">s</tspan><tspan class="index" dy="4">${t + 1}</tspan></text>
</g>`;

const square = ([x, y]: Point, half: number) => `M${x - half},${y - half}h${2 * half}v${2 * half}h${-2 * half}Z`;

/** What the marks of the figure stand for. */
function key() {
  const item = (mark: unknown, text: string) =>
    html`<li><svg class="sa-plane" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">${mark}</svg> ${text}</li>`;
  return html`<ul class="key">
    ${item(svg`<g class="state"><circle cx="10" cy="10" r="6" fill=${attentionRamp.colour(0.4)} /></g>`, messages.keyState)}
    ${item(svg`<g class="query"><path class="mark" d=${square([10, 10], 6)} /></g>`, messages.keyQuery)}
    ${item(contextMark([10, 10]), planeMessages.context)}
  </ul>`;
}

/** Every state with its place in the plane and its weight at the step on show, then the context. */
export function planeRows(shown: ModelPlane, step: number): Row[] {
  if (!isReal(shown)) return [];
  const { plane } = shown;
  const t = stepWithin(shown, step);
  const alpha = rowOf(shown, t);
  const points = pointsOf(plane.k);
  return [
    ["step", "position", "character", "axis_1", "axis_2", "alpha"],
    ...points.map(([x, y], i) => [t + 1, (plane.positions[i] ?? i) + 1, plane.source[i] ?? "", x, y, alpha[i] ?? 0]),
    [t + 1, "h_bar", "", ...average(points, alpha), ""],
    [t + 1, "s_t", plane.tokens[t] ?? "", ...pointAt(plane.q, t), ""],
  ];
}
