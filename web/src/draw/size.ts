// Sizes of drawings in the page's own measure, so that they grow with its letters: for a projector, or for tired eyes.

/** Pixels of a rem on the page. */
const REM = 17;

export const rem = (pixels: number) => `${(pixels / REM).toFixed(3)}rem`;
