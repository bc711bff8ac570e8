// The engine and its client around the real module; Node has no Worker of the web's kind, so it runs on the page's side.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EngineClient } from "../../web/src/engine/client.ts";
import { Engine, wellFormed } from "../../web/src/engine/engine.ts";
import { Gate } from "../../web/src/engine/gate.ts";
import { EngineError, type Reply, type Request } from "../../web/src/engine/protocol.ts";
import { rates } from "./alignment.ts";
import { bytesOf, wasmBinary, weightsOf } from "./files.ts";

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "resolved",
    (error: unknown) => (error instanceof EngineError ? error.code : String(error)),
  );

describe("EngineClient", () => {
  let client: EngineClient;
  beforeEach(async () => {
    client = new EngineClient();
    await client.start(wasmBinary());
    await client.load("dot", weightsOf("dot"));
  });
  afterEach(() => client.close());

  it("runs on the page where no worker can be made", () => {
    expect(client.kind).toBe("page");
    expect(client.info?.source_limit).toBe(400);
    expect(client.info?.target_vocabulary).toHaveLength(15);
  });

  it("while typing, the last text wins", async () => {
    const texts = ["3", "3 M", "3 Mar", "3 March 2021"];
    const outcomes = await Promise.all(texts.map((text) => code(client.decode("dot", text))));
    expect(outcomes).toEqual(["resolved", "SUPERSEDED", "SUPERSEDED", "resolved"]);
    expect((await client.decode("dot", "3 March 2021")).source.join("")).toBe("3 March 2021");
  });

  it("no asker's question takes the place of another's", async () => {
    const ask = (asker: string) => [
      client.decode("dot", "3 March 2021", asker),
      client.inspect("dot", "3 March 2021", 0, asker),
    ];
    const outcomes = ["page", "a demo", "another", "page"].flatMap(ask).map(code);
    expect(await Promise.all(outcomes)).toEqual(Array(8).fill("resolved"));
  });

  it("errors are Error objects with a code and a sentence", async () => {
    await expect(client.decode("dot", "")).rejects.toMatchObject({
      code: "EMPTY",
      message: expect.stringMatching(/read/),
    });
    expect(await code(client.decode("plain", "3 March 2021"))).toBe("NO_MODEL");
    expect(await code(client.load("dot", new Uint8Array([1, 2, 3])))).toBe("BAD_WEIGHTS");
    expect(await code(client.sample(9, 0))).toBe("BAD_VALUE");
    expect((await client.decode("dot", "3 March 2021")).tokens.at(-1)).toBe("<eos>");
  });

  it("inspects a token of the answer; of those that wait the newest is made", async () => {
    const text = "July 24, 2041; February 14, 1914";
    const { alpha, source, tokens } = await client.decode("dot", text);
    const outcomes = [0, 3, tokens.length - 1].map((t) => client.inspect("dot", text, t));
    expect(await Promise.all(outcomes.map(code))).toEqual(["resolved", "SUPERSEDED", "resolved"]);
    const last = await client.inspect("dot", text, tokens.length - 1);
    expect(last).toMatchObject({ model: "dot", t: tokens.length - 1, S: source.length });
    expect(last.alpha).toEqual(alpha?.subarray((tokens.length - 1) * source.length));
    expect(await code(client.inspect("dot", text, tokens.length))).toBe("BAD_VALUE");
  });

  it("a measurement on the page is the manifest's", async () => {
    const { exact_match, per_date, well_formed, n } = JSON.parse(readFileSync("models/dot.json", "utf8")).evaluation;
    const manifest = [n, exact_match, per_date, well_formed].map((byK) => Object.values(byK));
    const measured = await client.measure("dot");
    expect(measured.workers).toBe(0);
    expect(measured.outputs[1999]).toBe((await client.testSplit()).targets[1999]);
    const right = measured.right.reduce((sum, each) => sum + each);
    expect(right).toBe(measured.exact_match.reduce((sum, share, k) => sum + share * (measured.n[k] ?? 0), 0));
    expect([measured.n, measured.exact_match, measured.per_date, measured.well_formed]).toEqual(manifest);
  });

  it("alignment measured on the page is the manifest's", async () => {
    const { evaluation } = JSON.parse(readFileSync("models/dot.json", "utf8"));
    const { seconds, workers, n, ...alignment } = await client.measureAlignment("dot");
    expect(alignment).toEqual(rates(evaluation));
    expect([workers, n, seconds > 0]).toEqual([0, [500, 500, 500, 500], true]);
    await client.load("plain", weightsOf("plain"));
    expect(await code(client.measureAlignment("plain"))).toBe("BAD_VALUE");
  });

  it("a measurement that is held lets the next one begin, and goes on when it is released", async () => {
    const pause = new Gate();
    const order: string[] = [];
    const onProgress = ({ done }: { done: number }) => done === 50 && pause.hold();
    const first = client.measure("dot", { pause, onProgress }).then(() => order.push("first"));
    await pause.untilHeld();
    await client.untrained("new", "dot", 3);
    const { exact_match } = await client.measure("new");
    order.push("second");
    expect(exact_match).toEqual([0, 0, 0, 0]);
    pause.release();
    await first;
    expect(order).toEqual(["second", "first"]);
  }, 60_000);

  it("answers what demos ask: interventions, targets, planes, attention on plain arrays", async () => {
    const text = "3 March 2021";
    const rows = [{ first: 0, last: 0, kind: "uniform" as const }];
    const { alpha_read } = await client.intervene("dot", text, { rows });
    expect(alpha_read?.slice(0, text.length)).toEqual(new Float32Array(text.length).fill(1 / text.length));
    expect((await client.teacherForce("dot", text, "2021-03-03")).tgt_in[0]).toBe("<bos>");
    expect(await client.untrained("new", "dot", 0)).toMatchObject({ name: "new", steps: 0 });
    expect(await code(client.plane("dot", text))).toBe("NO_MODEL");
    expect(await code(client.loadProbe("dot", bytesOf("models/general.probe.safetensors")))).toBe("WRONG_MODEL");
    expect(await code(client.loadProbe("new", bytesOf("models/dot.probe.safetensors")))).toBe("WRONG_MODEL");
    expect(await client.loadProbe("dot", bytesOf("models/dot.probe.safetensors"))).toMatchObject({ d: 128 });
    expect((await client.plane("dot", text)).k).toHaveLength(2 * text.length);
    expect((await client.maskedAttention([0, 0], [1, 0, 0, 1], 2)).alpha).toEqual(Float32Array.of(0.5, 0.5));
    expect((await client.dotProductAttention([1, 0], [1, 0, 0, 1], 1)).h_bar).toEqual(Float32Array.of(1, 0));
    expect(await code(client.maskedAttention([], [], 0))).toBe("BAD_VALUE");
    expect((await client.testSplit()).sources).toHaveLength(2000);
    // Texts that are not well formed do no harm.
    expect(await code(client.teacherForce("dot", text, "2021-\uD800"))).toBe("BAD_VALUE");
  });

  it("attention on plain arrays needs no model", async () => {
    const bare = new EngineClient();
    await bare.start(wasmBinary());
    expect((await bare.maskedAttention([1], [5], 1)).h_bar).toEqual(Float32Array.of(5));
    bare.close();
  });

  it("calls that are made as they come all come back", async () => {
    const texts = ["3", "3 M", "3 Mar", "3 March 2021"];
    const sums = await Promise.all(texts.map((text) => code(client.teacherForce("dot", text, "2021-03-03"))));
    expect(sums).toEqual(texts.map(() => "resolved"));
  });

  it("a measurement that cannot begin, or is cancelled, says why", async () => {
    expect(await code(client.measure("plain"))).toBe("NO_MODEL");
    expect(await code(client.measure("dot", { signal: AbortSignal.abort() }))).toBe("CANCELLED");
    const closed = code(client.measure("dot"));
    client.close();
    expect(await closed).toBe("CANCELLED");
    expect(await code(client.measure("dot"))).toBe("NO_ENGINE");
  });

  it("after closing, calls are refused", async () => {
    client.close();
    expect(await code(client.decode("dot", "3 March 2021"))).toBe("NO_ENGINE");
  });
});

describe("Engine", () => {
  it("answers every request, with an error where it is not ready", async () => {
    const engine = new Engine();
    const replies: Reply[] = [];
    const request: Request = { id: 7, name: "decode", args: { model: "dot", text: "3" } };
    await engine.answer(request, (reply) => replies.push(reply));
    expect(replies).toEqual([{ id: 7, error: { code: "NO_ENGINE", message: expect.any(String) } }]);
  });

  it("refuses a module that is not one", async () => {
    const engine = new Engine();
    expect(await code(engine.start(new Uint8Array([0, 97, 115, 109, 9, 9, 9, 9])))).toBe("NO_ENGINE");
  });

  it("keeps decodings until new weights come", async () => {
    const engine = new Engine();
    await engine.start(wasmBinary());
    engine.load("dot", weightsOf("dot"));
    const first = engine.decode("dot", "3 March 2021");
    expect(engine.decode("dot", "3 March 2021")).toBe(first);
    engine.load("dot", weightsOf("plain"));
    expect(engine.decode("dot", "3 March 2021").alpha).toBeNull();
    engine.close();
  });

  it("makes broken text well formed before the module sees it", async () => {
    expect(wellFormed("a\uD800b\uDC00c")).toBe("a\uFFFDb\uFFFDc");
    expect(wellFormed("a😀b")).toBe("a😀b");
    const engine = new Engine();
    await engine.start(wasmBinary());
    engine.load("dot", weightsOf("dot"));
    const { source, notes } = engine.decode("dot", "3 \uD800March 2021");
    expect(source.join("")).toBe("3 March 2021");
    expect(notes.some((note) => note.code === "UNKNOWN_LETTER" && note.start === 2)).toBe(true);
    engine.close();
  });
});
