// A line answers, refuses what is not answered when it breaks or stays silent, and closes its engine once.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Line } from "../../web/src/engine/line.ts";
import type { EngineError, Reply, Request } from "../../web/src/engine/protocol.ts";

const sample = { source: "3 March 2021", target: "2021-03-03", K: 1, index: 0 };

function open() {
  const posted: Request[] = [];
  let closed = 0;
  let reply: (reply: Reply) => void = () => {};
  let breakDown = () => {};
  const line = new Line("worker", (onReply, onBroken) => {
    reply = onReply;
    breakDown = onBroken;
    return { post: (request) => posted.push(request), close: () => (closed += 1) };
  });
  return { line, posted, closed: () => closed, reply: (answer: Reply) => reply(answer), breakDown: () => breakDown() };
}

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "answered",
    (error: EngineError) => error.code,
  );

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("Line", () => {
  it("gives each call the reply with its number, in whatever order they come", async () => {
    const { line, posted, reply } = open();
    const first = line.call("sample", { K: 1, index: 0 });
    const second = line.call("sample", { K: 9, index: 0 });
    const [{ id: one = 0 } = {}, { id: two = 0 } = {}] = posted;
    reply({ id: two, error: { code: "BAD_VALUE", message: "no such bucket" } });
    reply({ id: one, result: sample });
    expect(await first).toBe(sample);
    await expect(second).rejects.toMatchObject({ code: "BAD_VALUE", message: "no such bucket" });
  });

  it("is broken when no answer comes within the limit, and not before", async () => {
    const { line, closed } = open();
    const other = code(line.call("sample", { K: 1, index: 0 }));
    const silent = line.call("sample", { K: 1, index: 1 }, 10_000);
    const refused = expect(silent).rejects.toMatchObject({
      code: "NO_ENGINE",
      message: expect.stringContaining("10 seconds"),
    });
    vi.advanceTimersByTime(9_999);
    expect(closed()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(closed()).toBe(1);
    await refused;
    expect(await other).toBe("NO_ENGINE");
  });

  it("an answer in time ends the limit", async () => {
    const { line, posted, reply, closed } = open();
    const call = line.call("sample", { K: 1, index: 0 }, 10_000);
    reply({ id: posted[0]?.id ?? 0, result: sample });
    await call;
    expect(vi.getTimerCount()).toBe(0);
    expect(closed()).toBe(0);
  });

  it("refuses everything once it is broken or closed, and closes its engine once", async () => {
    const { line, breakDown, closed, posted } = open();
    const waiting = code(line.call("sample", { K: 1, index: 0 }, 10_000));
    breakDown();
    line.close();
    expect(await waiting).toBe("NO_ENGINE");
    expect(await code(line.call("sample", { K: 1, index: 0 }))).toBe("NO_ENGINE");
    expect(posted).toHaveLength(1);
    expect(closed()).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
