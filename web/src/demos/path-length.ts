// sa-path-length: what a longer source costs the decoder, in values carried and in steps, with and without attention.
import { css, html } from "lit";
import { cost } from "../draw/path-length.ts";
import { pathLength as messages } from "../page/messages.ts";
import { Demo, demoProperties } from "./demo.ts";
import { pathLengthCharts } from "./path-length-chart.ts";

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
        ${pathLengthCharts({ S, T, d_h, attention })}
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

  #onSlide = (event: Event) => this.change({ S: (event.target as HTMLInputElement).valueAsNumber });
  #onAttention = (event: Event) =>
    this.change({ attention: (event.target as HTMLInputElement).checked ? "on" : "off" });

  static override styles = [
    ...Demo.styles,
    css`
      svg {
        height: auto;
        font-size: 12px;
      }
    `,
  ];
}
