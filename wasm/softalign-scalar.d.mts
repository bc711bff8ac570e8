// The module for browsers without SIMD offers what the other does.
export * from "./softalign.mjs";
export { default } from "./softalign.mjs";
