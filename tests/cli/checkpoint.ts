// Reads, checks and changes training checkpoints without the program: a second opinion on what a kill left.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

interface Tensor {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

export interface TrainingCheckpoint {
  step: number;
  metadata: Record<string, string>;
  tensors: Record<string, Tensor>;
  numbers: Buffer;
}

const digest = (numbers: Buffer) => createHash("sha256").update(numbers).digest("hex");

/** The checkpoint of this path; throws when it is cut off, when a number changed, or when one is not finite. */
export function readCheckpoint(path: string): TrainingCheckpoint {
  const bytes = readFileSync(path);
  const length = Number(bytes.readBigUInt64LE(0));
  const { __metadata__: metadata, ...tensors } = JSON.parse(bytes.toString("utf8", 8, 8 + length));
  const numbers = bytes.subarray(8 + length);
  const end = Math.max(...Object.values(tensors as Record<string, Tensor>).map((tensor) => tensor.data_offsets[1]));
  if (end !== numbers.length) throw new Error(`${path} holds ${numbers.length} bytes of numbers, not ${end}`);
  if (digest(numbers) !== metadata["softalign.sha256"])
    throw new Error(`${path} holds other numbers than were written`);
  for (let at = 0; at < numbers.length; at += 4)
    if (!Number.isFinite(numbers.readFloatLE(at))) throw new Error(`${path} holds a number that is not finite`);
  return { step: Number(metadata["softalign.step"]), metadata, tensors, numbers };
}

/** The file of a checkpoint at another step, with other numbers in its tensor `name`. */
export function changedCheckpoint(
  checkpoint: TrainingCheckpoint,
  step: number,
  name: string,
  change: (number: number) => number,
): Buffer {
  const numbers = Buffer.from(checkpoint.numbers);
  const [begin, end] = checkpoint.tensors[name]?.data_offsets ?? [0, 0];
  for (let at = begin; at < end; at += 4) numbers.writeFloatLE(change(numbers.readFloatLE(at)), at);
  const metadata = { ...checkpoint.metadata, "softalign.step": String(step), "softalign.sha256": digest(numbers) };
  const text = JSON.stringify({ __metadata__: metadata, ...checkpoint.tensors });
  const header = Buffer.from(text + " ".repeat(-text.length & 7));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, numbers]);
}
