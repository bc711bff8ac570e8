// Where the module and the shipped weights lie; the bundler gives each a hashed address that works from any folder.
import dotUrl from "@models/dot.safetensors?url";
import plainUrl from "@models/plain.safetensors?url";
import wasmUrl from "@wasm/softalign.wasm?url";

const absolute = (url: string) => new URL(url, document.baseURI).href;

export const files = { engine: absolute(wasmUrl), dot: absolute(dotUrl), plain: absolute(plainUrl) };
export type FileName = keyof typeof files;
