// What demos with steps share: keys that go from step to step, and keeping the step on show in sight of its own scroll box.

const moves: Record<string, number> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
};

/** The step that a key asks for, or null where the key asks for none. */
export function steppedBy(event: KeyboardEvent, step: number, least: number, most: number): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === "Home") return least;
  if (event.key === "End") return most;
  const move = moves[event.key];
  return move === undefined ? null : Math.min(Math.max(step + move, least), most);
}

/** Pixels for one unit of a drawing. */
const scaleOf = (drawing: SVGSVGElement | null) =>
  drawing && drawing.viewBox.baseVal.width > 0
    ? drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width
    : 1;

/** Where a pointer is, in a drawing's own units. */
export function placeIn(drawing: SVGSVGElement, { clientX, clientY }: MouseEvent) {
  const { left, top } = drawing.getBoundingClientRect();
  const scale = scaleOf(drawing) || 1;
  return { x: (clientX - left) / scale, y: (clientY - top) / scale };
}

/** The stretch of a drawing that its scroll box shows, in the drawing's own units. */
export function inSight(box: Element, axis: "x" | "y"): [from: number, to: number] {
  const scale = scaleOf(box.querySelector("svg")) || 1;
  const [room, at] = axis === "x" ? [box.clientWidth, box.scrollLeft] : [box.clientHeight, box.scrollTop];
  return [at / scale, (at + room) / scale];
}

/** Scrolls a box, never the page, so that a stretch of the drawing in it, in its own units, shows with a margin around. */
export function revealIn(box: Element | null, start: number, length: number, axis: "x" | "y", margin: number) {
  if (!box) return;
  const scale = scaleOf(box.querySelector("svg"));
  const [room, at] = axis === "x" ? [box.clientWidth, box.scrollLeft] : [box.clientHeight, box.scrollTop];
  const to = Math.min(Math.max(at, (start + length + margin) * scale - room), (start - margin) * scale);
  if (to === at) return;
  if (axis === "x") box.scrollLeft = to;
  else box.scrollTop = to;
}
