// What sa-alignment looks like: presets, the count of one text, and the bars of the hit rates.
import { css } from "lit";

export const alignmentStyles = css`
  .presets {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
  }
  .presets button {
    font-size: 0.9rem;
  }
  .presets button[aria-pressed="true"] {
    border-color: var(--sa-ink);
    font-weight: 600;
  }
  .tol {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.9rem;
    align-items: center;
  }
  .figure {
    display: grid;
    gap: 0.9rem;
    min-width: 0;
  }
  .figure > * {
    min-width: 0;
  }
  .count {
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  h3 {
    margin: 0.6rem 0 0;
    font-size: 1.05rem;
  }
  .rates {
    display: block;
    max-width: 100%;
    font-size: 12px;
  }
  summary {
    cursor: pointer;
    font-size: 0.9rem;
  }
  summary + .scroll {
    margin-top: 0.4rem;
  }
  th[scope="row"] {
    font-weight: 400;
  }
`;
