// Which answers the course keeps until after its lab.
import type { Decoding } from "../engine/protocol.ts";
import type { Kept } from "./demo.ts";

/** A single date: as the grammar reads the text or, where it cannot, as the model wrote. */
const oneDate = ({ K, output }: Pick<Decoding, "K" | "output">) => K === 1 || (K === 0 && !output.includes(" "));

/** The plain model's answer always; with one date an attention model's gives nothing away. */
export function keptAnswer(model: string, decoding: Pick<Decoding, "K" | "output"> | null): Kept | null {
  if (model === "plain") return "plain";
  return decoding === null || oneDate(decoding) ? null : "answer";
}
