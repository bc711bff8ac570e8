// The memory that the module asks a browser for: what its file states, in both builds (L51).
import { expect, it } from "vitest";
import { bytesOf } from "./files.ts";

const PAGE = 65_536;
const MEMORY_SECTION = 5;

/** A number as LEB128 writes it, and the place after it. */
function number(bytes: Uint8Array, at: number): [number, number] {
  let [value, shift, place] = [0, 0, at];
  for (;;) {
    const byte = bytes[place++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
    if (byte < 0x80) return [value, place];
  }
}

/** Bytes that the memory of a module begins with, and may grow to. */
function memoryOf(bytes: Uint8Array): { initial: number; maximum: number } {
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const [size, begin] = number(bytes, at + 1);
    if (id === MEMORY_SECTION) {
      const [, flagsAt] = number(bytes, begin);
      const [flags, initialAt] = number(bytes, flagsAt);
      const [initial, maximumAt] = number(bytes, initialAt);
      const [maximum] = flags & 1 ? number(bytes, maximumAt) : [Number.POSITIVE_INFINITY];
      return { initial: initial * PAGE, maximum: maximum * PAGE };
    }
    at = begin + size;
  }
  throw new Error("the module has no memory of its own");
}

it.each(["softalign", "softalign-scalar"])("%s asks for at most 64 MB, and begins with less than 17", (name) => {
  const { initial, maximum } = memoryOf(bytesOf(`build/wasm/${name}.wasm`));
  expect(maximum).toBe(64 * 2 ** 20);
  expect(initial).toBeGreaterThan(0);
  expect(initial).toBeLessThanOrEqual(2 ** 24);
});
