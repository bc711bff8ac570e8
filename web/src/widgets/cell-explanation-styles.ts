// The look of sa-cell-explanation.
import { css } from "lit";

export const explanationStyles = css`
  :host {
    container-type: inline-size;
    font-size: 0.95rem;
  }
  .columns {
    display: grid;
    gap: 0 2rem;
  }
  @container (min-width: 40rem) {
    .columns {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .columns .steps {
      grid-row: span 2;
    }
  }
  @container (min-width: 60rem) {
    .columns {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
    .columns .steps {
      grid-row: auto;
    }
  }
  .head {
    display: flex;
    gap: 0.5rem;
    align-items: baseline;
    justify-content: space-between;
    max-width: 22rem;
  }
  h2 {
    margin: 0;
    font-size: 1.05rem;
    line-height: 1.3;
  }
  h3 {
    margin: 0.9rem 0 0.2rem;
    font-size: 0.95rem;
  }
  summary {
    cursor: pointer;
    min-height: 24px;
    margin-top: 0.6rem;
  }
  summary h3 {
    display: inline;
  }
  p {
    margin: 0;
  }
  button {
    font-size: 0.85rem;
  }
  [aria-pressed="true"] {
    border-color: var(--sa-ink);
    border-style: dashed;
    background: var(--sa-attention-tint);
  }
  .place {
    min-height: 3.1em;
    padding-top: 0.2rem;
    font-variant-numeric: tabular-nums;
  }
  .steps {
    display: grid;
    grid-template-columns: 6.6rem minmax(0, 1fr);
    gap: 0.4rem 0.75rem;
    margin: 0.3rem 0 0;
    padding-top: 0.5rem;
    border-top: 1px solid var(--sa-line);
    align-content: start;
  }
  @container (max-width: 21rem) {
    /* Beside the names there is no room for two scores in brackets. */
    .steps {
      grid-template-columns: minmax(0, 1fr);
      row-gap: 0;
    }
    .steps dd {
      margin-bottom: 0.4rem;
    }
  }
  dt {
    color: var(--sa-muted);
    line-height: 1.35;
  }
  dd {
    margin: 0;
    min-width: 0;
  }
  dd p {
    font-size: 0.85rem;
    line-height: 1.4;
    color: var(--sa-muted);
  }
  .weight {
    min-height: 2.3rem;
  }
  .target {
    color: var(--sa-target);
  }
  .source {
    color: var(--sa-source);
  }
  .attention {
    color: var(--sa-attention);
  }
  .label {
    font-size: 0.85rem;
    line-height: 1.3;
    color: var(--sa-muted);
  }
  svg {
    display: block;
    width: 100%;
    overflow: visible;
  }
  .bars {
    height: 2.5rem;
    margin-bottom: 0.25rem;
  }
  .strip {
    height: 2.4rem;
    margin-bottom: 0.25rem;
  }
  .axis {
    stroke: var(--sa-edge);
    stroke-width: 1;
    vector-effect: non-scaling-stroke;
  }
  .bars rect {
    fill: var(--sa-edge);
    transition:
      y 140ms ease-out,
      height 140ms ease-out;
  }
  .alpha rect {
    fill: var(--sa-attention);
    fill-opacity: 0.55;
  }
  .bars .lit {
    fill: var(--sa-ink);
  }
  .alpha .lit {
    fill: var(--sa-attention);
    fill-opacity: 1;
  }
  .bars .target {
    y: 0;
    fill: transparent;
    cursor: pointer;
  }
  .letters text {
    font: 500 12px var(--sa-mono);
    fill: var(--sa-source);
    text-anchor: middle;
  }
  .letters .lit {
    font-weight: 800;
    text-decoration: underline;
  }
  .part .values {
    fill: var(--sa-attention);
  }
  .whole .values {
    fill: var(--sa-muted);
  }
  .share {
    font-variant-numeric: tabular-nums;
  }
  @media (prefers-reduced-motion: reduce) {
    .bars rect {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    svg {
      forced-color-adjust: none;
      background: var(--sa-paper);
    }
  }
  @media print {
    :host {
      break-inside: avoid;
    }
  }
`;
