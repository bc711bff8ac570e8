// What every demo looks like: its marks, its room, its controls, what is kept back, and the line of tools below a figure.
import { css, unsafeCSS } from "lit";
import figures from "../draw/figures.css?inline";

export const figureStyles = unsafeCSS(figures);

export const demoStyles = css`
  :host {
    font: 400 1rem / 1.5 var(--sa-text);
    min-width: 0;
  }
  .demo {
    display: grid;
    gap: 0.75rem;
    min-width: 0;
  }
  .demo > * {
    min-width: 0;
  }
  p,
  dl,
  dd,
  ul,
  ol,
  figure {
    margin: 0;
  }
  .hint,
  .note {
    color: var(--sa-muted);
    font-size: 0.9rem;
  }
  .num {
    font-variant-numeric: tabular-nums;
  }
  .alert {
    padding-left: 0.8rem;
    border-left: 3px solid var(--sa-error);
  }
  .alert p::first-letter {
    text-transform: uppercase;
  }
  .kept {
    padding: 0.8rem;
    border: 1px dashed var(--sa-edge);
    border-radius: 3px;
  }
  .kept p {
    color: var(--sa-muted);
    margin-bottom: 0.4rem;
  }
  /* A row of controls: labels with what they name. */
  .controls {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1.25rem;
    align-items: center;
    font-size: 0.9rem;
  }
  .controls label {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.5rem;
    align-items: center;
  }
  .controls output {
    font-variant-numeric: tabular-nums;
    min-width: 3.5em;
  }
  input,
  select {
    font: inherit;
    color: inherit;
    background: var(--sa-paper);
    border: 1px solid var(--sa-edge);
    border-radius: 3px;
    padding: 0.2em 0.45em;
  }
  input[type="range"] {
    accent-color: var(--sa-ink);
    padding: 0;
    width: 14rem;
    max-width: 100%;
  }
  input[type="radio"],
  input[type="checkbox"] {
    accent-color: var(--sa-ink);
  }
  /* A place for a finger: 24 px high and wide. */
  label:has(> input:is([type="radio"], [type="checkbox"])) {
    display: inline-flex;
    gap: 0.4rem;
    align-items: center;
    min-width: 24px;
    min-height: 24px;
    padding-block: 0.1rem;
  }
  label:has(> input:is([type="radio"], [type="checkbox"])) > input {
    flex: none;
    min-width: 1rem;
    min-height: 1rem;
    margin-block: 0;
  }
  fieldset {
    border: 0;
    margin: 0;
    padding: 0;
    min-width: 0;
  }
  table {
    border-collapse: collapse;
    font-size: 0.9rem;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 0.25rem 0.9rem 0.25rem 0;
    text-align: left;
    vertical-align: baseline;
    border-bottom: 1px solid var(--sa-line);
  }
  td.number,
  th.number {
    text-align: right;
  }
  .scroll {
    overflow-x: auto;
    max-width: 100%;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.5rem;
    align-items: baseline;
    font-size: 0.85rem;
    color: var(--sa-muted);
  }
  button.quiet {
    border-color: transparent;
    color: var(--sa-muted);
    padding: 0.15em 0.4em;
    text-decoration: underline;
    text-underline-offset: 0.2em;
    text-decoration-thickness: 1px;
  }
  button.quiet:disabled {
    text-decoration: none;
  }
  button.quiet:hover:enabled {
    color: var(--sa-ink);
    border-color: transparent;
  }
  /* On a projector nobody saves a file. */
  :host([data-presented]) .tools > :not(:first-child) {
    display: none;
  }
  @media (prefers-reduced-motion: no-preference) {
    .moves {
      transition:
        transform 150ms,
        opacity 150ms,
        fill 150ms;
    }
  }
  @media print {
    .tools,
    .controls {
      display: none;
    }
  }
`;
