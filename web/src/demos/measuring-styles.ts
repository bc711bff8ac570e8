// What a measurement under way looks like: its bar and how far it has come.
import { css } from "lit";

export const measuringStyles = css`
  .measuring {
    font-size: 0.9rem;
    min-height: 1.5em;
    font-variant-numeric: tabular-nums;
  }
  .measuring label {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 0.8rem;
    align-items: center;
  }
  progress {
    appearance: none;
    width: 14rem;
    max-width: 100%;
    height: 0.6rem;
    border: 1px solid var(--sa-edge);
    background: var(--sa-paper);
  }
  progress::-webkit-progress-bar {
    background: var(--sa-paper);
  }
  progress::-webkit-progress-value {
    background: var(--sa-target);
  }
  progress::-moz-progress-bar {
    background: var(--sa-target);
  }
`;
