// What the bottleneck meter looks like: a solid and a hatched series, dashes for guesses, rings for the course's record.
import { css } from "lit";

export const meterStyles = css`
  .figure {
    max-width: 46rem;
  }
  .figure > svg {
    display: block;
    max-width: 100%;
    height: auto;
    font-size: 12px;
  }
  .shows {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.9rem;
  }
  table {
    min-width: 34rem;
  }
  td .share {
    font-weight: 600;
    font-size: 1em;
  }
  .how {
    display: block;
    font-weight: 400;
    font-size: 0.8rem;
    color: var(--sa-muted);
  }
  .failures {
    display: grid;
    gap: 0.5rem;
  }
  .failure {
    padding: 0.7rem 0 0.2rem 0.9rem;
    border-left: 2px solid var(--sa-error);
    display: grid;
    gap: 0.6rem;
  }
  dl {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0.15rem 1rem;
  }
  dt {
    color: var(--sa-muted);
    font-size: 0.9rem;
  }
  dd {
    overflow-wrap: anywhere;
  }
  dd.source {
    color: var(--sa-source);
  }
  dd.target {
    color: var(--sa-target);
  }
  .wrong {
    color: var(--sa-error);
  }
`;
