// The rates of a manifest, or of `softalign evaluate --json`, in the module's order.
import type { Alignment, TestRate } from "@wasm/softalign.mjs";

type Printed = Record<"0" | "1" | "2", Record<"all" | "1" | "2" | "3" | "4", number>>;

const rate = (printed: Printed): TestRate => {
  const byTol = [printed["0"], printed["1"], printed["2"]];
  return { all: byTol.map(({ all }) => all), by_K: byTol.map((each) => [each["1"], each["2"], each["3"], each["4"]]) };
};

export const rates = (evaluation: Record<keyof Alignment, Printed>): Alignment => ({
  alignment_hit_rate: rate(evaluation.alignment_hit_rate),
  field_hit_rate: rate(evaluation.field_hit_rate),
  chance_hit_rate: rate(evaluation.chance_hit_rate),
  chance_field_rate: rate(evaluation.chance_field_rate),
});
