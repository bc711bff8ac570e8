// sa-path-length: what a longer source costs the decoder, in values carried and in steps, with and without attention.
import { css, html, svg } from "lit";
import { type Chart, chart, cost } from "../draw/path-length.ts";
import { pathLength as messages } from "../page/messages.ts";
import { Demo, demoProperties } from "./demo.ts";

/** The size of the vector, from a model that is here. */
interface Shown {
  d_h: number;
}

export class PathLength extends Demo<Shown> {
  static override properties = demoProperties("sa-path-length");
  declare S: number;
  declare T: number;
  declare attention: "off" | "on";
  readonly element = "sa-path-length";
  protected readonly inputs = [];

  protected async ask(): Promise<Shown> {
    return this.models.want("dot");
  }

  protected show({ d_h }: Shown) {
    const { S, T } = this;
    const attention = this.attention === "on";
    const [now, twice] = [cost(S, T, d_h, attention), cost(2 * S, T, d_h, attention)];
    const charts = [
      {
        ...messages.values,
        drawn: chart(S, (at) => cost(at, T, d_h, attention).values, 2 * d_h),
        now: now.values,
        twice: twice.values,
      },
      {
        ...messages.steps,
        drawn: chart(S, (at) => cost(at, T, d_h, attention).steps, T),
        now: now.steps,
        twice: twice.steps,
      },
    ];
    return html`
      <div class="controls">
        <label>
          ${messages.source}
          <input type="range" name="S" min="1" max="200" .value=${String(S)} @input=${this.#onSlide} />
          <output>S = ${S}</output>
        </label>
        <label>
          <input type="checkbox" .checked=${attention} @change=${this.#onAttention} />
          ${messages.attention}
        </label>
      </div>
      <div class="figure">
        ${charts.map(
          (each) => html`<figure>
            <figcaption><strong>${each.title}</strong> <span class="note">${each.problem}</span></figcaption>
            ${this.#chart(each.drawn, each.title)}
            <p class="num" aria-live="polite">${messages.doubled(each.now, each.twice, each.unit)}</p>
          </figure>`,
        )}
      </div>
      <p class="note">${messages.how(T)}</p>
    `;
  }

  protected rows({ d_h }: Shown) {
    const lengths = [this.S, 2 * this.S];
    const of = (S: number) => [false, true].map((attention) => cost(S, this.T, d_h, attention));
    return [
      ["S", "T", "attention", "values", "steps"],
      ...lengths.flatMap((S) =>
        of(S).map(({ values, steps }, k) => [S, this.T, k === 0 ? "off" : "on", values, steps]),
      ),
    ];
  }

  #chart({ width, height, left, bottom, path, now, twice, ticks }: Chart, title: string) {
    return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${title}>
      ${ticks.y.map(
        ({ at, label }) =>
          svg`<line class="grid" x1=${left} x2=${width} y1=${at} y2=${at} /><text x=${left - 8} y=${at} text-anchor="end" dominant-baseline="middle">${label}</text>`,
      )}
      ${ticks.x.map(({ at, label }) => svg`<text x=${at} y=${bottom + 17} text-anchor="middle">${label}</text>`)}
      <path class="line" d=${path} />
      <circle class="now" cx=${now.x} cy=${now.y} r="5" />
      <circle class="twice" cx=${twice.x} cy=${twice.y} r="5" />
      <text class="mark" x=${now.x} y=${now.y - 10} text-anchor="middle">S</text>
      <text class="mark" x=${twice.x} y=${twice.y - 10} text-anchor="middle">2S</text>
    </svg>`;
  }

  #onSlide = (event: Event) => this.change({ S: (event.target as HTMLInputElement).valueAsNumber });
  #onAttention = (event: Event) =>
    this.change({ attention: (event.target as HTMLInputElement).checked ? "on" : "off" });

  static override styles = [
    ...Demo.styles,
    css`
      .figure {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr));
        gap: 1rem 2rem;
      }
      figcaption .note {
        display: block;
      }
      svg {
        width: 100%;
        height: auto;
        font-size: 12px;
      }
      .grid {
        stroke: var(--sa-line);
      }
      .line {
        fill: none;
        stroke: var(--sa-source);
        stroke-width: 2.5;
      }
      .now {
        fill: var(--sa-source);
      }
      .twice {
        fill: var(--sa-paper);
        stroke: var(--sa-source);
        stroke-width: 2.5;
      }
      .mark {
        font-weight: 700;
      }
    `,
  ];
}
