// The last text wins: one job at a time, and of those that wait only the newest.
import { describe, expect, it } from "vitest";
import { Latest } from "../../web/src/engine/latest.ts";
import { EngineError } from "../../web/src/engine/protocol.ts";

/** Jobs that end when told, in the order in which they were begun. */
function jobs() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const latest = new Latest<string, string>((text) => {
    begun.push(text);
    return new Promise((resolve, reject) => {
      ends.push(() => (text === "bad" ? reject(new EngineError("EMPTY", "nothing to read")) : resolve(`read ${text}`)));
    });
  });
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { begun, latest, end };
}

const outcome = (promise: Promise<string>) => promise.catch((error: EngineError) => error.code);

describe("Latest", () => {
  it("runs the first at once and then only the last of those that came meanwhile", async () => {
    const { begun, latest, end } = jobs();
    const outcomes = ["3", "3 ", "3 M", "3 Ma"].map((text) => outcome(latest.request(text)));
    expect(begun).toEqual(["3"]);
    await end();
    expect(begun).toEqual(["3", "3 Ma"]);
    await end();
    expect(await Promise.all(outcomes)).toEqual(["read 3", "SUPERSEDED", "SUPERSEDED", "read 3 Ma"]);
  });

  it("goes on after a job that failed", async () => {
    const { begun, latest, end } = jobs();
    const outcomes = [outcome(latest.request("bad")), outcome(latest.request("good"))];
    await end();
    await end();
    expect(await Promise.all(outcomes)).toEqual(["EMPTY", "read good"]);
    const later = outcome(latest.request("later"));
    await end();
    expect(await later).toBe("read later");
    expect(begun).toEqual(["bad", "good", "later"]);
  });
});
