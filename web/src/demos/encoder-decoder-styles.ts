// What sa-encoder-decoder looks like around its picture.
import { css } from "lit";

export const encoderDecoderStyles = [
  css`
    .pair {
      display: inline-flex;
      gap: 0.4rem;
    }
    .controls output {
      min-width: 8.5em;
    }
    input[type="number"] {
      width: 4.2em;
    }
    .cue {
      display: flex;
      justify-content: space-between;
      min-height: 1.5em;
      margin-bottom: -0.6rem;
    }
    .network {
      padding-block: 0.4rem;
    }
    .network svg {
      cursor: default;
    }
    .turned {
      max-height: 36rem;
      overflow-y: auto;
    }
    @media print {
      .turned {
        max-height: none;
      }
    }
    /* As tall as its longest sentences, so that nothing below moves from step to step. */
    .words {
      min-height: 3.1em;
      max-width: 42rem;
    }
    summary {
      cursor: pointer;
      font-weight: 600;
      font-size: 0.95rem;
    }
    details .note {
      margin: 0.4rem 0;
      max-width: 42rem;
    }
    td.mono {
      color: var(--sa-target);
    }
  `,
];
