// A number with its power of ten raised, for a line of text.
import { html, nothing } from "lit";
import { printed } from "../draw/characters.ts";

export function numberText(x: number, significant = 3) {
  const { digits, exponent } = printed(x, significant);
  const power = exponent === null ? nothing : html` × 10<sup>${String(exponent).replace("-", "\u2212")}</sup>`;
  return html`<span class="num">${digits}${power}</span>`;
}
