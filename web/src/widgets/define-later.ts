// Registers the custom elements that a page needs once its first map is there.
import { CellExplanation } from "./cell-explanation.ts";
import { ProbabilityTable } from "./probability-table.ts";

const elements = { "sa-cell-explanation": CellExplanation, "sa-probability-table": ProbabilityTable };

for (const [name, element] of Object.entries(elements)) {
  if (!customElements.get(name)) customElements.define(name, element);
}
