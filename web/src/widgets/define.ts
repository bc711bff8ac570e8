// Registers the custom elements of the first map, once however often the script is loaded.
import { Answer } from "./answer.ts";
import { AttentionMap } from "./attention-map.ts";
import { SamplePicker } from "./sample-picker.ts";
import { SourceEcho } from "./source-echo.ts";

const elements = {
  "sa-answer": Answer,
  "sa-attention-map": AttentionMap,
  "sa-sample-picker": SamplePicker,
  "sa-source-echo": SourceEcho,
};

for (const [name, element] of Object.entries(elements)) {
  if (!customElements.get(name)) customElements.define(name, element);
}
