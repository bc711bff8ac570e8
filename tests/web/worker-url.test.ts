// The policy for the worker's address admits the worker's own file and nothing else.
import { expect, it } from "vitest";
import { admit, newWorker, WORKER_URL } from "../../web/src/engine/worker-url.ts";

it("admits the worker's own address only", () => {
  expect(WORKER_URL).toMatch(/^file:.*worker/);
  expect(admit(WORKER_URL)).toBe(WORKER_URL);
  for (const other of [
    "",
    `${WORKER_URL}#`,
    `${WORKER_URL}?`,
    "data:text/javascript,0",
    "https://example.org/worker.js",
  ])
    expect(() => admit(other), other).toThrow(TypeError);
});

it("throws where there are no workers", () => {
  expect(() => newWorker()).toThrow();
});
