// The look of sa-query-dial: its tabs, the plane beside the weights, and the handle of the query.
import { css } from "lit";

export const dialStyles = css`
  .tabs {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.5rem;
    border-bottom: 1px solid var(--sa-line);
  }
  [role="tab"] {
    border: 0;
    border-bottom: 3px solid transparent;
    border-radius: 0;
    padding: 0.3rem 0;
    color: var(--sa-muted);
  }
  [role="tab"][aria-selected="true"] {
    border-color: var(--sa-ink);
    color: var(--sa-ink);
    font-weight: 700;
  }
  #panel {
    display: grid;
    gap: 0.75rem;
    min-width: 0;
  }
  #panel > * {
    min-width: 0;
  }
  .controls .buttons {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  .plane {
    cursor: crosshair;
  }
  .handle {
    cursor: grab;
    /* A finger on the handle turns the query and does not scroll. */
    touch-action: none;
  }
  .handle:active {
    cursor: grabbing;
  }
  .grip {
    fill: transparent;
  }
  .knob {
    fill: transparent;
    stroke: var(--sa-target);
    stroke-width: 2.5;
  }
  .handle:hover .knob,
  .handle:focus-visible .knob {
    stroke-width: 4.5;
  }
  .written {
    font-size: 1.1rem;
    font-weight: 600;
    color: var(--sa-target);
    overflow-wrap: anywhere;
  }
  .written .now {
    background: var(--sa-target-tint);
    outline: 2px solid var(--sa-target);
    border-radius: 2px;
  }
  .written .later {
    color: var(--sa-muted);
    font-weight: 400;
  }
  .key svg {
    vertical-align: -0.3em;
  }
`;
