// The built module, the shipped weights, and safetensors files made or damaged for tests.
import { readFileSync } from "node:fs";
import createSoftalign, { type Outcome, type Session, type SoftalignModule } from "@wasm/softalign.mjs";

export const bytesOf = (path: string) => new Uint8Array(readFileSync(path));
export const wasmBinary = () => bytesOf("build/wasm/softalign.wasm");
export const weightsOf = (name: string) => bytesOf(`models/${name}.safetensors`);

export const openModule = (): Promise<SoftalignModule> => createSoftalign({ wasmBinary: wasmBinary() });

export function value<T>(outcome: Outcome<T>): T {
  if ("error" in outcome) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome.value;
}

/** A module with a session in which both shipped models are loaded. */
export async function openSession(): Promise<{ module: SoftalignModule; session: Session }> {
  const module = await openModule();
  const session = new module.Session();
  for (const name of ["dot", "plain"]) value(session.load(name, weightsOf(name)));
  return { module, session };
}

export interface TensorEntry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}
export type Header = Record<string, TensorEntry> & { __metadata__?: Record<string, string> };

export function split(file: Uint8Array): { header: Header; data: Uint8Array } {
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length))) as Header;
  return { header, data: file.subarray(8 + length) };
}

/** A safetensors file; a header given as text is written as it is. */
export function join(header: Header | string, data: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + data.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  file.set(data, 8 + text.length);
  return file;
}

export const tensorNames = (header: Header) => Object.keys(header).filter((name) => name !== "__metadata__");

/** The weights of a loaded model as a file of another type, without metadata. */
export function rewritten(session: Session, model: string, header: Header, dtype: "F32" | "BF16"): Uint8Array {
  const size = dtype === "F32" ? 4 : 2;
  const entries: Header = {};
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const name of tensorNames(header)) {
    const weights = value(session.weight(model, name));
    const f32 = new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength);
    // BF16 is the upper half of F32; truncation is close enough for these tests.
    const part = dtype === "F32" ? f32 : f32.filter((_, k) => k % 4 >= 2);
    entries[name] = { dtype, shape: header[name]?.shape ?? [], data_offsets: [at, at + weights.length * size] };
    parts.push(part);
    at += part.length;
  }
  const data = new Uint8Array(at);
  let offset = 0;
  for (const part of parts) {
    data.set(part, offset);
    offset += part.length;
  }
  return join(entries, data);
}
