// How the state of a demo is written as attributes: kinds of values, their limits, and the properties made from them.
import type { PropertyDeclaration } from "lit";

interface Described {
  /** What it means, for the table of elements. */
  says: string;
}
export interface NumberAttribute extends Described {
  type: "number";
  usual: number;
  least: number;
  most: number;
  step: number;
}
export interface ChoiceAttribute extends Described {
  type: "choice";
  usual: string;
  of: readonly string[];
}
export interface TextAttribute extends Described {
  type: "text";
  usual: string;
  /** Code points at most; what is longer is cut off. */
  longest: number;
}
export type Attribute = NumberAttribute | ChoiceAttribute | TextAttribute;
export type Attributes = Readonly<Record<string, Attribute>>;

export const number = (usual: number, least: number, most: number, step: number, says: string): NumberAttribute => ({
  type: "number",
  usual,
  least,
  most,
  step,
  says,
});
export const choice = (usual: string, of: readonly string[], says: string): ChoiceAttribute => ({
  type: "choice",
  usual,
  of,
  says,
});
export const text = (usual: string, longest: number, says: string): TextAttribute => ({
  type: "text",
  usual,
  longest,
  says,
});

/** Decimals of a step such as 0.05. */
const decimalsOf = (step: number) => String(step).split(".")[1]?.length ?? 0;

/** The nearest value that a number attribute can have. */
function nearest({ usual, least, most, step }: NumberAttribute, value: number): number {
  if (!Number.isFinite(value)) return usual;
  const stepped = least + Math.round((Math.min(Math.max(value, least), most) - least) / step) * step;
  return Number(Math.min(stepped, most).toFixed(decimalsOf(step) + decimalsOf(least)));
}

/** What an attribute says; anything that it cannot say counts as its usual value. */
export function readValue(attribute: Attribute, written: string | null): string | number {
  if (written === null) return attribute.usual;
  switch (attribute.type) {
    case "number":
      return written.trim() === "" ? attribute.usual : nearest(attribute, Number(written));
    case "choice":
      return attribute.of.includes(written) ? written : attribute.usual;
    case "text":
      return Array.from(written).slice(0, attribute.longest).join("");
  }
}

/** As it stands in the attribute, or null where it is the usual value and nothing need be said. */
export const writeValue = (attribute: Attribute, value: unknown): string | null =>
  value === attribute.usual ? null : String(value);

function property(name: string, attribute: Attribute): PropertyDeclaration {
  return {
    attribute: name.toLowerCase(),
    reflect: true,
    converter: {
      fromAttribute: (written) => readValue(attribute, written),
      toAttribute: (value) => writeValue(attribute, value),
    },
  };
}

/** Lit's declarations for the attributes of an element. */
export const propertiesOf = (attributes: Attributes): Record<string, PropertyDeclaration> =>
  Object.fromEntries(Object.entries(attributes).map(([name, attribute]) => [name, property(name, attribute)]));
