// Keeps the part of the page that the address names where it is while figures above it come alive and change their height,
// until somebody scrolls.

/** Pixels by which a place may be off before it counts as scrolled away from: more than what sticks at the top may grow. */
const SLACK = 30;

/** The element of an address's fragment; those of the page are plain letters. */
function named(root: Document): Element | null {
  const id = root.location.hash.slice(1);
  return id === "" ? null : root.getElementById(id);
}

/** Holds on until `signal` comes. */
export function holdTarget(root: Document, signal: AbortSignal) {
  let target: Element | null = null;
  let top = 0;
  let height = 0;
  const align = () => {
    target?.scrollIntoView({ block: "start", behavior: "instant" });
    top = target?.getBoundingClientRect().top ?? 0;
    height = root.documentElement.scrollHeight;
  };
  const release = () => {
    target = null;
  };
  const begin = () => {
    target = named(root);
    align();
  };
  const scrolled = () => {
    if (!target) return;
    // A page that has just changed its height has moved by itself, by no more than that.
    const grown = Math.abs(root.documentElement.scrollHeight - height);
    const moved = Math.abs(target.getBoundingClientRect().top - top);
    if (moved > grown + SLACK) release();
    else if (grown > 0) align();
  };
  const sizes = new ResizeObserver(align);
  sizes.observe(root.body);
  root.defaultView?.addEventListener("hashchange", begin, { signal });
  for (const name of ["wheel", "touchmove", "keydown"]) root.addEventListener(name, release, { signal, passive: true });
  root.addEventListener("scroll", scrolled, { signal, passive: true });
  signal.addEventListener("abort", () => sizes.disconnect());
  // After a reload or a way back the browser puts its reader back to the old place.
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (visit?.type === "navigate") begin();
}
