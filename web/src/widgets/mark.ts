// The marks for right and wrong: a drawn symbol beside its word, so that colour is never alone.
import { css, html } from "lit";

export const mark = (right: boolean) =>
  html`<svg class="mark ${right ? "right" : "wrong"}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"
    ><path d=${right ? "M3 8.5 6.5 12 13 4" : "M4 4 12 12M12 4 4 12"} /></svg
  >`;

export const markStyles = css`
  .mark {
    width: 0.85em;
    height: 0.85em;
    vertical-align: -0.05em;
    fill: none;
    stroke: currentColor;
    stroke-width: 2.5;
    stroke-linecap: square;
  }
  .right {
    color: var(--sa-target);
  }
  .wrong {
    color: var(--sa-error);
  }
`;
