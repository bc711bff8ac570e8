// How a measurement shares its slices out: every source once and in its place, whatever becomes of the workers.
import { afterEach, describe, expect, it, vi } from "vitest";
import { Line, START_LIMIT_MS } from "../../web/src/engine/line.ts";
import { measureModel } from "../../web/src/engine/measure.ts";
import { EngineError, type Reply, type Request, SPLIT_SIZE } from "../../web/src/engine/protocol.ts";

const nextTask = () => new Promise((resolve) => setImmediate(resolve));

/** An engine that writes the number of each source; `meet` may break the line or keep silent instead of answering. */
class FakeEngine {
  decoded: number[] = [];
  outputs: string[] = [];
  closed = 0;
  line: Line;

  constructor(kind: Line["kind"], meet: (request: Request, engine: FakeEngine) => "answer" | "break" | "silence") {
    this.line = new Line(kind, (onReply, onBroken) => ({
      post: async (request) => {
        await (kind === "worker" ? nextTask() : undefined);
        const fate = meet(request, this);
        if (fate === "answer") onReply({ id: request.id, result: this.#result(request) } as Reply);
        if (fate === "break") onBroken();
      },
      close: () => {
        this.closed += 1;
      },
    }));
  }

  #result({ name, args }: Request): unknown {
    if (name === "measure") this.outputs = args.outputs;
    if (name !== "decode_test")
      return name === "measure" ? { n: [], exact_match: [], per_date: [], well_formed: [] } : {};
    const sources = Array.from({ length: args.count }, (_, k) => args.first + k);
    this.decoded.push(...sources);
    return sources.map(String);
  }
}

const answers = () => "answer" as const;
const subject = { wasmBinary: new Uint8Array(), model: "dot", weights: new Uint8Array() };

/** A crew of these workers, and an engine on the page for when there is none. */
function crewOf(workers: FakeEngine[], page = new FakeEngine("page", answers)) {
  const all = [...workers, page];
  const waiting = [...workers];
  const crew = { size: workers.length, worker: () => waiting.shift()?.line, page: async () => page.line };
  const measure = (signal = new AbortController().signal, onProgress?: (done: number, total: number) => void) =>
    measureModel(crew, subject, signal, onProgress);
  const decoded = () => all.flatMap((engine) => engine.decoded).sort((a, b) => a - b);
  const outputs = () => all.find((engine) => engine.outputs.length > 0)?.outputs ?? [];
  return { all, page, measure, decoded, outputs };
}

const everySource = Array.from({ length: SPLIT_SIZE }, (_, k) => k);

afterEach(() => {
  vi.useRealTimers();
});

describe("measureModel", () => {
  it("shares the split out among the workers, each source once and in its place", async () => {
    const workers = Array.from({ length: 3 }, () => new FakeEngine("worker", answers));
    const { measure, decoded, outputs, all } = crewOf(workers);
    const progress: number[][] = [];
    const { workers: used } = await measure(undefined, (...now) => progress.push(now));
    expect(used).toBe(3);
    expect(decoded()).toEqual(everySource);
    expect(outputs()).toEqual(everySource.map(String));
    expect(progress.map(([done]) => done)).toEqual(progress.map((_, k) => (k + 1) * 50));
    expect(progress.at(-1)).toEqual([SPLIT_SIZE, SPLIT_SIZE]);
    for (const { decoded } of workers) expect(decoded.length).toBeGreaterThan(SPLIT_SIZE / 6);
    expect(all.map(({ closed }) => closed)).toEqual([1, 1, 1, 0]);
  });

  it("a fast worker does what a slow one leaves", async () => {
    let held = 0;
    const slow = new FakeEngine("worker", answers);
    const post = slow.line.call.bind(slow.line);
    slow.line.call = async (...args: Parameters<typeof post>) => {
      for (; held < 60; ++held) await nextTask();
      held = 0;
      return post(...args);
    };
    const fast = new FakeEngine("worker", answers);
    const { measure, outputs } = crewOf([slow, fast]);
    await measure();
    expect(fast.decoded.length).toBeGreaterThan(slow.decoded.length);
    expect(outputs()).toEqual(everySource.map(String));
  });

  it("slices of a worker that breaks are done by others", async () => {
    const broken = new FakeEngine("worker", (_, engine) => (engine.decoded.length >= 100 ? "break" : "answer"));
    const { measure, outputs, decoded, page } = crewOf([broken, new FakeEngine("worker", answers)]);
    expect((await measure()).workers).toBe(2);
    expect(broken.decoded).toHaveLength(100);
    expect(page.decoded).toEqual([]);
    expect(decoded()).toEqual(everySource);
    expect(outputs()).toEqual(everySource.map(String));
  });

  it("what no worker can do the page does, also when none starts", async () => {
    const broken = () => new FakeEngine("worker", ({ name }) => (name === "start" ? "break" : "answer"));
    for (const workers of [[], [broken(), broken()]]) {
      const { measure, outputs, page } = crewOf(workers);
      expect((await measure()).workers).toBe(0);
      expect(page.decoded).toEqual(everySource);
      expect(outputs()).toEqual(everySource.map(String));
    }
  });

  it("a silent worker is not waited for", async () => {
    const silent = new FakeEngine("worker", () => "silence");
    const { measure, outputs } = crewOf([silent, new FakeEngine("worker", answers)]);
    expect((await measure()).workers).toBe(1);
    expect(outputs()).toEqual(everySource.map(String));
    expect(silent.closed).toBe(1);
  });

  it("a worker that falls silent in the middle of a slice is given up", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const silent = new FakeEngine("worker", (_, engine) => (engine.decoded.length >= 50 ? "silence" : "answer"));
    const { measure, outputs, decoded } = crewOf([silent]);
    const measured = measure();
    for (let k = 0; k < 20; ++k) await nextTask();
    expect(silent.decoded).toHaveLength(50);
    expect(silent.closed).toBe(0);
    vi.advanceTimersByTime(START_LIMIT_MS);
    await measured;
    expect(silent.closed).toBe(1);
    expect(decoded()).toEqual(everySource);
    expect(outputs()).toEqual(everySource.map(String));
  });

  it("on the page no turn holds the thread for as long as a frame", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const COST_MS = 3;
    let turn = 0;
    let longest = 0;
    const page = new FakeEngine("page", ({ name }) => {
      if (name !== "decode_test") return "answer";
      vi.advanceTimersByTime(COST_MS);
      turn += COST_MS;
      longest = Math.max(longest, turn);
      return "answer";
    });
    const { measure } = crewOf([], page);
    let over = false;
    const others = (async () => {
      for (; !over; turn = 0) await nextTask();
    })();
    await measure();
    over = true;
    await others;
    expect(longest).toBeLessThan(16);
  });

  it("a signal ends every engine in the middle of a slice", async () => {
    const stop = new AbortController();
    const workers = [1, 2].map(
      () => new FakeEngine("worker", (_, engine) => (engine.decoded.length >= 100 ? "silence" : "answer")),
    );
    const { measure, page, all } = crewOf(workers);
    const ended = measure(stop.signal).catch((reason) => reason);
    for (let k = 0; k < 20; ++k) await nextTask();
    stop.abort("enough");
    expect(await ended).toBe("enough");
    expect(page.decoded).toEqual([]);
    expect(all.map(({ closed }) => closed)).toEqual([1, 1, 0]);
    await expect(crewOf([]).measure(AbortSignal.abort("before"))).rejects.toBe("before");
  });

  it("a signal ends an engine on the page between two of its turns", async () => {
    const stop = new AbortController();
    const page = new FakeEngine("page", () => "answer");
    const { measure } = crewOf([], page);
    const onProgress = (done: number) => done === 100 && stop.abort("enough");
    await expect(measure(stop.signal, onProgress)).rejects.toBe("enough");
    expect(page.decoded).toHaveLength(100);
    expect(page.closed).toBe(1);
  });

  it("an error of the module comes through", async () => {
    const page = new FakeEngine("page", answers);
    const call = page.line.call.bind(page.line);
    page.line.call = (...args: Parameters<typeof call>) =>
      args[0] === "load" ? Promise.reject(new EngineError("BAD_WEIGHTS", "cut off")) : call(...args);
    const { measure } = crewOf([], page);
    await expect(measure()).rejects.toMatchObject({ code: "BAD_WEIGHTS" });
    expect(page.closed).toBe(1);
  });
});
