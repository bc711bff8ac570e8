// Which of the two builds of the module this browser can run; only that one is fetched. Both go with the same JavaScript.
import scalarUrl from "@wasm/softalign-scalar.wasm?url";
import simdUrl from "@wasm/softalign.wasm?url";

/** The smallest module with a SIMD instruction: a function that makes a vector of zeros. */
const probe = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // magic number, version 1
  ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b], // types: () -> v128
  ...[0x03, 0x02, 0x01, 0x00], // functions: one, of that type
  ...[0x0a, 0x08, 0x01, 0x06, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x0b], // code: i32.const 0, i8x16.splat, end
);

// Where there is no WebAssembly at all, starting the engine tells so.
export const moduleUrl = globalThis.WebAssembly?.validate(probe) ? simdUrl : scalarUrl;
