// How a measurement shares its slices out: every source once and in its place, whatever becomes of the workers.
import { afterEach, describe, expect, it, vi } from "vitest";
import { Gate } from "../../web/src/engine/gate.ts";
import { Line, START_LIMIT_MS } from "../../web/src/engine/line.ts";
import { measureAlignment, measureModel, type Options, type OutputProgress } from "../../web/src/engine/measure.ts";
import { EngineError, type Reply, type Request, SPLIT_SIZE } from "../../web/src/engine/protocol.ts";
import { interleaved } from "../../web/src/engine/slices.ts";

const nextTask = () => new Promise((resolve) => setImmediate(resolve));

/** An engine that writes the number of each source, rightly where that is odd; `meet` may break the line or keep silent instead of answering. */
class FakeEngine {
  decoded: number[] = [];
  outputs: string[] = [];
  asked: string[] = [];
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
    this.asked.push(name);
    if (name === "measure") {
      this.outputs = args.outputs;
      return { n: [], exact_match: [], per_date: [], well_formed: [] };
    }
    if (name === "measure_alignment") this.outputs = [...args.positions].map(String);
    if (name !== "decode_test" && name !== "align_test") return {};
    const sources = Array.from({ length: args.count }, (_, k) => args.first + k);
    this.decoded.push(...sources);
    if (name === "align_test") return Int32Array.from(sources);
    return { outputs: sources.map(String), right: Uint8Array.from(sources, (source) => source % 2) };
  }
}

const answers = () => "answer" as const;
const subject = { wasmBinary: new Uint8Array(), model: "dot", recipe: { weights: new Uint8Array() } };

/** A crew of these workers, and an engine on the page for when there is none. */
function crewOf(workers: FakeEngine[], page = new FakeEngine("page", answers)) {
  const all = [...workers, page];
  const waiting = [...workers];
  const crew = { size: workers.length, worker: () => waiting.shift()?.line, page: async () => page.line };
  const measure = ({ signal = new AbortController().signal, ...options }: Options<OutputProgress> = {}) =>
    measureModel(crew, subject, { ...options, signal });
  const decoded = () => all.flatMap((engine) => engine.decoded).sort((a, b) => a - b);
  const outputs = () => all.find((engine) => engine.outputs.length > 0)?.outputs ?? [];
  return { all, crew, page, measure, decoded, outputs };
}

const everySource = Array.from({ length: SPLIT_SIZE }, (_, k) => k);

afterEach(() => {
  vi.useRealTimers();
});

describe("measureModel", () => {
  it("shares the split out among the workers, each source once and in its place", async () => {
    const workers = Array.from({ length: 3 }, () => new FakeEngine("worker", answers));
    const { measure, decoded, outputs, all } = crewOf(workers);
    const progress: OutputProgress[] = [];
    const measured = await measure({ onProgress: (now) => progress.push(now) });
    expect(measured.workers).toBe(3);
    expect(measured.outputs).toEqual(everySource.map(String));
    expect([...measured.right]).toEqual(everySource.map((source) => source % 2));
    expect(decoded()).toEqual(everySource);
    expect(outputs()).toEqual(everySource.map(String));
    expect(progress.map(({ done }) => done)).toEqual(progress.map((_, k) => (k + 1) * 50));
    const [n, right] = [500, 250].map((each) => [each, each, each, each]);
    expect(progress.at(-1)).toEqual({ done: SPLIT_SIZE, total: SPLIT_SIZE, n, right });
    for (const { done, n, right } of progress) {
      expect(n.reduce((sum, each) => sum + each)).toBe(done);
      expect(right).toEqual(n.map((each) => each / 2));
      expect(Math.max(...n) - Math.min(...n)).toBeLessThanOrEqual(3 * 50);
    }
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
      const { measure, outputs, decoded, page } = crewOf(workers);
      expect((await measure()).workers).toBe(0);
      expect(page.decoded).toHaveLength(SPLIT_SIZE);
      expect(decoded()).toEqual(everySource);
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
    const ended = measure({ signal: stop.signal }).catch((reason) => reason);
    for (let k = 0; k < 20; ++k) await nextTask();
    stop.abort("enough");
    expect(await ended).toBe("enough");
    expect(page.decoded).toEqual([]);
    expect(all.map(({ closed }) => closed)).toEqual([1, 1, 0]);
    await expect(crewOf([]).measure({ signal: AbortSignal.abort("before") })).rejects.toBe("before");
  });

  it("a signal ends an engine on the page between two of its turns", async () => {
    const stop = new AbortController();
    const page = new FakeEngine("page", () => "answer");
    const { measure } = crewOf([], page);
    const onProgress = ({ done }: OutputProgress) => done === 100 && stop.abort("enough");
    await expect(measure({ signal: stop.signal, onProgress })).rejects.toBe("enough");
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

  it("while it is held no slice is begun, and the pause does not count", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const pause = new Gate();
    const workers = [1, 2].map(() => new FakeEngine("worker", answers));
    const { measure, outputs, decoded } = crewOf(workers);
    const measured = measure({ pause, onProgress: ({ done }) => done === 300 && pause.hold() });
    for (let k = 0; k < 50; ++k) await nextTask();
    // The slice that the other worker had begun is done, no more.
    const atPause = decoded().length;
    expect(atPause).toBeGreaterThanOrEqual(300);
    expect(atPause).toBeLessThanOrEqual(350);
    vi.advanceTimersByTime(60_000);
    pause.release();
    expect((await measured).seconds).toBe(0);
    expect(decoded()).toEqual(everySource);
    expect(outputs()).toEqual(everySource.map(String));
  });

  it("a held measurement can be ended", async () => {
    const [pause, stop] = [new Gate(), new AbortController()];
    const { measure, all } = crewOf([new FakeEngine("worker", answers)]);
    const ended = measure({ pause, signal: stop.signal, onProgress: () => pause.hold() }).catch((reason) => reason);
    for (let k = 0; k < 20; ++k) await nextTask();
    stop.abort("enough");
    expect(await ended).toBe("enough");
    expect(all.map(({ closed }) => closed)).toEqual([1, 0]);
  });

  it("an untrained model is made on every engine, from what it is like", async () => {
    const workers = [1, 2].map(() => new FakeEngine("worker", answers));
    const { crew } = crewOf(workers);
    const untrained = { ...subject, recipe: { like: { like: subject.recipe, seed: 1 }, seed: 2 } };
    await measureModel(crew, untrained, { signal: new AbortController().signal });
    for (const { asked } of workers) expect(asked.slice(0, 4)).toEqual(["start", "load", "untrained", "untrained"]);
  });
});

describe("measureAlignment", () => {
  it("collects the positions in the order of the split, and tells how far it is", async () => {
    const { crew, outputs } = crewOf([1, 2].map(() => new FakeEngine("worker", answers)));
    const progress: number[][] = [];
    const signal = new AbortController().signal;
    const measured = await measureAlignment(crew, subject, { signal, onProgress: ({ n }) => progress.push(n) });
    expect(outputs()).toEqual(everySource.map(String));
    expect(measured).toMatchObject({ n: [500, 500, 500, 500], workers: 2 });
    expect(progress.map((n) => n.reduce((sum, each) => sum + each))).toEqual(progress.map((_, k) => (k + 1) * 50));
  });
});

it("slices go through the numbers of dates in turn, and leave nothing out", () => {
  const firsts = interleaved();
  expect(firsts.slice(0, 6)).toEqual([0, 500, 1000, 1500, 50, 550]);
  expect([...firsts].sort((a, b) => a - b)).toEqual(Array.from({ length: SPLIT_SIZE / 50 }, (_, k) => 50 * k));
});

describe("Gate", () => {
  it("is held until it is released, and says for how long it was", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const gate = new Gate();
    expect([gate.held, gate.whileHeld(), gate.heldMs]).toEqual([false, undefined, 0]);
    const told: string[] = [];
    void gate.untilHeld().then(() => told.push("held"));
    await nextTask();
    expect(told).toEqual([]);
    gate.hold();
    gate.hold();
    void gate.whileHeld()?.then(() => told.push("released"));
    await nextTask();
    expect(told).toEqual(["held"]);
    vi.advanceTimersByTime(40);
    expect(gate.heldMs).toBe(40);
    gate.release();
    gate.release();
    vi.advanceTimersByTime(40);
    await nextTask();
    expect(told).toEqual(["held", "released"]);
    expect([gate.held, gate.whileHeld(), gate.heldMs]).toEqual([false, undefined, 40]);
    gate.hold();
    await gate.untilHeld();
    vi.advanceTimersByTime(2);
    expect(gate.heldMs).toBe(42);
  });
});
