// The engine and its client around the real module; Node has no Worker of the web's kind, so it runs on the page's side.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EngineClient } from "../../web/src/engine/client.ts";
import { Engine, wellFormed } from "../../web/src/engine/engine.ts";
import { EngineError, type Reply, type Request } from "../../web/src/engine/protocol.ts";
import { wasmBinary, weightsOf } from "./files.ts";

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
    expect([measured.n, measured.exact_match, measured.per_date, measured.well_formed]).toEqual(manifest);
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
