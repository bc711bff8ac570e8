// The picture of the unrolled network, for the page as it is served and for the demo.
import { html, nothing, svg } from "lit";
import { encoderDecoder as messages } from "../page/messages.ts";
import { codePoints, visible } from "./characters.ts";
import { type DecoderStep, isWrong } from "./decoder-run.ts";
import { feedback, type Layout, layOutNetwork, onward, type Place, TOKEN, upward } from "./encoder-decoder.ts";
import { rem } from "./size.ts";

export interface Network {
  /** In the order in which the encoder reads. */
  source: readonly string[];
  steps: readonly DecoderStep[];
  /** The decoder's step on show, from 1; 0 is the encoder's end. */
  step: number;
  /** Whether the inputs are the target's tokens. */
  forced: boolean;
  /** Whether the model reads the encoder's states again at every step. */
  attends: boolean;
  /** What the decoder starts from, where that is not h_S alone. */
  bothEnds: boolean;
}

const HEAD = 5;

/** A line with a head; it runs along one of the axes. */
function arrow([from, to]: [Place, Place], dress: string) {
  const [dx, dy] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
  const back = { x: to.x - dx * HEAD, y: to.y - dy * HEAD };
  const wing = (side: number) => `${back.x + side * dy * 3} ${back.y + side * dx * 3}`;
  return svg`<path class="way ${dress}" d="M${from.x} ${from.y}L${back.x} ${back.y}"></path>
    <path class="head ${dress}" d="M${to.x} ${to.y}L${wing(1)}L${wing(-1)}Z"></path>`;
}

/** A head at the end of a curved way, which arrives along time. */
function arrival({ at, reads, turned }: Layout, along: number, dress: string) {
  const { x, y } = at(along - TOKEN, reads);
  const wing = (side: number) => (turned ? `${x + side * 3} ${y - HEAD}` : `${x - HEAD} ${y + side * 3}`);
  return svg`<path class="head ${dress}" d="M${x} ${y}L${wing(1)}L${wing(-1)}Z"></path>`;
}

const write = ({ x, y }: Place, text: string, dress: string, anchor = "middle") =>
  svg`<text class=${dress} x=${x} y=${y} text-anchor=${anchor} dominant-baseline="central">${text}</text>`;

/** A state: its letter with its number, in a box. */
function state(layout: Layout, along: number, letter: "h" | "s", index: number, dress: string) {
  const { x, y } = layout.at(along, layout.state);
  const { width, height } = layout.box;
  return svg`<rect class="state ${dress}" x=${x - width / 2} y=${y - height / 2} width=${width} height=${height} rx="4"></rect>
    <text class="name ${dress}" x=${x} y=${y - 1} text-anchor="middle" dominant-baseline="central">${letter}<tspan class="low" dy="4">${index}</tspan></text>`;
}

/** A token in its row; one that is wrong stands in a box, too. */
function token(place: Place, text: string, dress: string, wrong: boolean) {
  const shown = visible(text);
  const control = codePoints(shown).length > 1;
  const half = control ? 17 : 10;
  return svg`${wrong ? svg`<rect class="wrong" x=${place.x - half} y=${place.y - 12} width=${2 * half} height="24" rx="2"></rect>` : nothing}
    ${write(place, shown, `mono glyph ${wrong ? "error" : dress}${control ? " control" : ""}`)}`;
}

function encoder(layout: Layout, { source }: Network) {
  const { drawn, at, reads } = layout;
  return drawn.map((position, k) => {
    const along = layout.encoder(k);
    const before = k > 0 ? arrow(onward(layout, layout.encoder(k - 1), along), "source") : nothing;
    return svg`${before} ${token(at(along, reads), source[position] ?? "", "source", false)}
      ${arrow(upward(layout, along, "input"), "source")} ${state(layout, along, "h", position + 1, "source")}`;
  });
}

function decoderStep(layout: Layout, network: Network, each: DecoderStep) {
  const { at, reads, predicts, correct } = layout;
  const { step, steps, forced } = network;
  const { t } = each;
  const along = layout.decoder(t);
  const dress = t < step ? "target" : t === step ? "target now" : "later";
  const before = steps[t - 2];
  const right =
    each.correct === null ? nothing : token(at(along, correct), each.correct, forced ? "target" : "quiet", false);
  if (t > step) return svg`${right} ${state(layout, along, "s", t, dress)}`;
  return svg`${right}
    ${t > 1 ? arrow(onward(layout, layout.decoder(t - 1), along), dress) : nothing}
    ${t > 1 ? svg`<path class="way fed ${dress}" d=${feedback(layout, t - 1, forced ? correct : predicts)}></path>${arrival(layout, along, dress)}` : nothing}
    ${token(at(along, reads), each.fed, dress, before !== undefined && isWrong(each.fed, before.correct))}
    ${arrow(upward(layout, along, "input"), dress)} ${state(layout, along, "s", t, dress)}
    ${arrow(upward(layout, along, "output"), dress)}
    ${token(at(along, predicts), each.predicted, dress, isWrong(each.predicted, each.correct))}`;
}

/** The only path of Figure 1: the encoder's last state becomes the decoder's first. */
function bridge(layout: Layout, { source, step, bothEnds }: Network) {
  const [last, first] = [layout.encoder(layout.drawn.length - 1), layout.decoder(1)];
  const middle = (last + first) / 2;
  const { at, turned, state: across, box } = layout;
  const from = turned ? at(middle, across + 10) : at(middle, across - box.height / 2 - 4);
  const anchor = turned ? "start" : "middle";
  return svg`${arrow(onward(layout, last, first), step === 0 ? "bridge now" : "bridge")}
    <text class="name bridge" x=${from.x} y=${from.y} text-anchor=${anchor} dominant-baseline="central">s<tspan class="low" dy="4">0</tspan><tspan
      dy="-4"> = ${bothEnds ? messages.bothEnds : "h"}</tspan>${bothEnds ? nothing : svg`<tspan class="low" dy="4">${source.length}</tspan>`}</text>`;
}

/** Attention, lightly: from every encoder state to what the step on show predicts. */
function looking(layout: Layout, { step }: Network) {
  const { at, look, state: across, box, turned, encoder: along, drawn } = layout;
  const edge = across + (turned ? box.width / 2 : -box.height / 2);
  const place = (a: number, b: number) => `${at(a, b).x} ${at(a, b).y}`;
  const end = step > 0 ? layout.decoder(step) : along(drawn.length - 1);
  const stubs = drawn.map((_, k) => `M${place(along(k), edge)}L${place(along(k), look)}`).join("");
  const dot = at(end, look);
  return svg`<path class="look" d="${stubs}M${place(along(0), look)}L${place(end, look)}"></path>
    ${step > 0 ? svg`<circle class="look-end" cx=${dot.x} cy=${dot.y} r="3"></circle>` : nothing}
    ${turned ? nothing : write({ x: along(0) - layout.pitch / 2, y: look - 12 }, messages.attention, "quiet attention", "start")}`;
}

/** The names of the rows: of both networks at the beginning, of the decoder's own before it. */
function labels(layout: Layout, { steps, forced }: Network) {
  const { at, turned, reads, state: across, predicts, correct, encoder: along } = layout;
  const anchor = turned ? "middle" : "end";
  const own = layout.decoder(1) - (turned ? 26 : 24);
  const begin = turned ? 14 : along(0) - 26;
  const target = steps.some((each) => each.correct !== null);
  return svg`${write(at(begin, reads), messages.reads, "quiet", anchor)} ${write(at(begin, across), messages.state, "quiet", anchor)}
    ${write(at(own, predicts), messages.predicts, "quiet", anchor)}
    ${target ? write(at(own, turned ? layout.width - 2 : correct), messages.correct(forced), "quiet", "end") : nothing}`;
}

function gap(layout: Layout) {
  if (layout.leftOut === 0) return nothing;
  const along = layout.encoder(layout.drawn.length / 2) - layout.pitch;
  return write(layout.at(along, layout.reads), "\u2026", "glyph quiet");
}

export function networkMarks(layout: Layout, network: Network) {
  return svg`${labels(layout, network)} ${network.attends ? looking(layout, network) : nothing}
    ${encoder(layout, network)} ${gap(layout)} ${bridge(layout, network)}
    ${network.steps.map((each) => decoderStep(layout, network, each))}`;
}

/** Figure 1 as it is served: every step of a run whose inputs and predictions are the target's. */
export function stillNetwork(source: readonly string[], tokens: readonly string[]) {
  const steps = tokens.map((token, index) => {
    const fed = tokens[index - 1] ?? "<bos>";
    return { t: index + 1, fed, predicted: token, made: false, own: token, probability: 1, correct: token };
  });
  const network = { source, steps, step: tokens.length, forced: true, attends: false, bothEnds: false };
  const layout = layOutNetwork(source.length, tokens.length, false);
  const { width, height } = layout;
  const label = messages.label(source.length, tokens.length, tokens.length);
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${label}>
    <svg class="sa-marks lying" viewBox="0 0 ${width} ${height}" width=${rem(width)} height=${rem(height)} role="img" aria-label=${label}>
      ${networkMarks(layout, network)}
    </svg>
  </div>`;
}
