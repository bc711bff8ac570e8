// The typings of sizes.mjs.
export const budgets: { wasm: number; glue: number; firstMap: number };
export function packedSize(file: string): number;
export function moduleSizes(name: "softalign" | "softalign-scalar"): { wasm: number; glue: number };
export function firstMapFiles(): { path: string; bytes: number }[];
export function sizeTable(): string;
