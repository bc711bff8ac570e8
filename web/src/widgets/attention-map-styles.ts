// The look of sa-attention-map and of its table.
import { css, unsafeCSS } from "lit";
import fields from "../draw/fields.css?inline";

export const fieldStyles = unsafeCSS(fields);

export const mapStyles = css`
      .words {
        margin: 0;
        padding: 0.35rem 0 0;
        /* Clear, so that the line around the map in focus shows through. */
        border-bottom: 0.35rem solid transparent;
        min-height: var(--sa-words-height);
        background: var(--sa-paper) padding-box;
        font-variant-numeric: tabular-nums;
      }
      .pointed {
        position: sticky;
        top: var(--sa-bar-height, 0);
        z-index: 2;
      }
      .hint {
        color: var(--sa-muted);
      }
      .region {
        display: flex;
        width: fit-content;
        max-width: 100%;
        overflow-x: auto;
        border-radius: 2px;
      }
      svg {
        display: block;
        flex: none;
      }
      .rows {
        position: sticky;
        left: 0;
        background: var(--sa-paper);
      }
      text {
        font-family: var(--sa-mono);
        font-variant-ligatures: none;
        text-anchor: middle;
        dominant-baseline: central;
        pointer-events: none;
      }
      .step {
        font-size: 10px;
        fill: var(--sa-muted);
      }
      .rows .step {
        text-anchor: start;
      }
      .column,
      .row {
        font-size: 16px;
        font-weight: 600;
      }
      .column {
        fill: var(--sa-source);
      }
      .row {
        fill: var(--sa-target);
        text-anchor: end;
      }
      .space {
        font-weight: 400;
        opacity: 0.75;
      }
      .control {
        font-size: 12px;
      }
      .lit {
        font-weight: 800;
        opacity: 1;
      }
      .step.lit {
        fill: var(--sa-ink);
      }
      .upright .column {
        font-size: 14px;
      }
      .weight {
        font-size: 11px;
      }
      .roomy .weight {
        font-size: 13px;
      }
      .roomy .column {
        font-size: 18px;
      }
      .upright .weight {
        font-size: 10px;
      }
      .grid {
        fill: none;
        stroke: var(--sa-line);
        stroke-width: 1;
      }
      .cells rect {
        transition: fill 140ms ease-out;
      }
      .still rect {
        transition: none;
      }
      .band,
      .ring,
      .pin,
      .explained {
        fill: none;
        pointer-events: none;
      }
      /* Outlines alone: a tint would lie over the numbers. */
      .band {
        stroke-width: 2;
      }
      .of-target {
        stroke: var(--sa-target);
      }
      .of-source {
        stroke: var(--sa-source);
      }
      .ring {
        stroke: var(--sa-ink);
        stroke-width: 2.5;
      }
      .explained {
        stroke: var(--sa-ink);
        stroke-width: 1;
      }
      .pin {
        stroke: var(--sa-ink);
        stroke-width: 2;
        stroke-dasharray: 4 3;
      }
      [hidden] {
        display: none;
      }
      .foot {
        display: flex;
        flex-wrap: wrap;
        gap: 0.6rem 1.5rem;
        align-items: center;
        justify-content: space-between;
        margin-top: 0.6rem;
        font-size: 0.85rem;
      }
      .buttons {
        display: inline-flex;
        flex-wrap: wrap;
        gap: 0.5rem;
      }
      .legend {
        display: inline-flex;
        gap: 0.5rem;
        align-items: center;
        color: var(--sa-muted);
      }
      .legend.fields {
        flex-wrap: wrap;
        gap: 0.25rem 0.9rem;
      }
      .legend.fields span {
        display: inline-flex;
        gap: 0.35rem;
        align-items: center;
      }
      .frame {
        fill: none;
        stroke: var(--sa-line);
      }
      .table:not(.unseen) {
        overflow-x: auto;
        margin-top: 1rem;
      }
      table {
        border-collapse: collapse;
        font-size: 0.8rem;
        font-variant-numeric: tabular-nums;
      }
      caption {
        text-align: left;
        color: var(--sa-muted);
        padding-bottom: 0.4rem;
      }
      th,
      td {
        padding: 0.15rem 0.45rem;
        text-align: right;
        white-space: nowrap;
        border-bottom: 1px solid var(--sa-line);
      }
      thead th {
        color: var(--sa-source);
      }
      tbody th {
        color: var(--sa-target);
        position: sticky;
        left: 0;
        background: var(--sa-paper);
      }
      td.lit {
        background: var(--sa-attention-tint);
        outline: 2px solid var(--sa-ink);
        outline-offset: -2px;
      }
      thead th.lit {
        background: var(--sa-source-tint);
      }
      tbody th.lit {
        background: var(--sa-target-tint);
      }
      @media (prefers-reduced-motion: reduce) {
        .cells rect {
          transition: none;
        }
      }
      @media (forced-colors: active) {
        /* The scale of colours is the figure; its own paper comes with it. */
        .region,
        .legend svg {
          forced-color-adjust: none;
          background: var(--sa-paper);
        }
      }
      @media print {
        .region {
          /* As large as the page allows, on one page. */
          max-width: min(100%, var(--sa-map-ratio) * var(--sa-print-height));
          overflow: visible;
          break-inside: avoid;
        }
        .rows,
        .cells {
          /* Both shrink by the same factor, so that rows and labels stay in line. */
          flex: 0 1 auto;
          align-self: flex-start;
          min-width: 0;
          height: auto;
        }
        .cells rect {
          print-color-adjust: exact;
        }
        .words {
          display: none;
        }
      }
    `;
