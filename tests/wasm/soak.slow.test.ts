// A long life of one module: call after call, errors among them, takes no memory that it did not take at the start (L46).
// SOAK=1000000 makes it as long as a day of typing; the slow round makes a tenth of that.
import { expect, it } from "vitest";
import { openSession, value } from "./files.ts";

const DECODES = Number(process.env.SOAK ?? 100_000);
const WARM_UP = 1000;
const SLICE = 10_000;

it(`${DECODES.toLocaleString("en")} decodings, a tenth of them errors, take no new page`, async () => {
  const { module, session } = await openSession();
  const texts = [1, 2, 3, 4].map((K) => value(session.sample(K, 11)).source);
  const outputs = texts.map((text) => value(session.decode("dot", text)).output);
  let errors = 0;
  const round = (first: number, count: number) => {
    const begin = performance.now();
    for (let k = first; k < first + count; ++k) {
      // One of ten is an error, and of those that are none nine of ten read a single date, as visitors mostly do.
      const which = k % 100 === 7 ? (k / 100) & 3 : 0;
      const outcome =
        k % 10 === 9
          ? session.decode("dot", k % 20 === 9 ? "" : "1".repeat(401))
          : session.decode("dot", texts[which] ?? "");
      if ("error" in outcome) ++errors;
      else if (outcome.value.output !== outputs[which]) throw new Error(`decoding ${k} wrote ${outcome.value.output}`);
    }
    return (performance.now() - begin) / count;
  };
  round(0, WARM_UP);
  const before = module.HEAPU8.length;
  const paces: number[] = [];
  for (let k = 0; k < DECODES; k += SLICE) paces.push(round(k, Math.min(SLICE, DECODES - k)));
  expect(module.HEAPU8.length).toBe(before);
  expect(errors).toBe(Math.floor((WARM_UP + DECODES) / 10));
  console.log(`ms a call: first slice ${paces[0]?.toFixed(4)}, last slice ${paces.at(-1)?.toFixed(4)}`);
  session.delete();
}, 1_200_000);
