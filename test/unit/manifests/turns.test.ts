import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Clock, systemClock } from "@weir/base";
import type { Steps } from "@weir/yaml/go-yaml";
import { Turns } from "../../../src/manifests/turns.ts";

/** A clock on which each step of work takes as long as a test says. */
class WorkClock implements Clock {
  #now = 1_000;

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  pass(ms: number): void {
    this.#now += ms;
  }
}

function* work(name: string, steps: number, each: (step: string) => void): Steps<string> {
  for (let step = 1; step <= steps; step += 1) {
    each(`${name}${step}`);
    yield;
  }
  return name;
}

const { signal } = new AbortController();

describe("turns", () => {
  it("let others in after some milliseconds, in the midst of a single piece of work", async () => {
    const clock = new WorkClock();
    const log: string[] = [];
    // The others are a timer that is always due: work that ends its turn lets it run.
    const others = setInterval(() => log.at(-1) !== "|" && log.push("|"));
    const note = (step: string): void => {
      log.push(step);
      clock.pass(4);
    };

    const result = await new Turns(clock).run(work("a", 7, note), signal);

    clearInterval(others);
    assert.equal(result, "a");
    assert.deepEqual(
      log.filter((entry) => entry !== "|"),
      ["a1", "a2", "a3", "a4", "a5", "a6", "a7"],
    );
    assert.ok(log.indexOf("|") > 0 && log.indexOf("|") < log.indexOf("a7"), log.join(" "));
  });

  it("are shared: pieces of work beside each other take no longer than one of them", async () => {
    const clock = new WorkClock();
    const log: string[] = [];
    // Counts the turns of the event loop, which are what the work is divided into.
    let turn = 0;
    const count = (): void => {
      turn += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const note = (step: string): void => {
      log.push(`${turn} ${step}`);
      clock.pass(10);
    };
    const turns = new Turns(clock);

    await Promise.all([turns.run(work("a", 3, note), signal), turns.run(work("b", 3, note), signal)]);

    clearImmediate(next);
    const turnsTaken = log.map((entry) => entry.split(" ")[0]);
    assert.equal(new Set(turnsTaken).size, 6, log.join(", "));
  });

  it("let others in before a piece of work without steps", async () => {
    const clock = new WorkClock();
    const log: string[] = [];
    const turns = new Turns(clock);
    setImmediate(() => log.push("other"));

    await turns.end(signal);
    log.push("first");
    clock.pass(10);
    await turns.end(signal);
    log.push("second");

    assert.deepEqual(log, ["first", "other", "second"]);
  });

  it("end with the signal's reason", async () => {
    const clock = new WorkClock();
    const stopping = new AbortController();
    const note = (step: string): void => {
      clock.pass(10);
      if (step === "a2") {
        stopping.abort(new Error("enough"));
      }
    };

    await assert.rejects(new Turns(clock).run(work("a", 5, note), stopping.signal), { message: "enough" });
  });

  it("go on where the clock is set back", async () => {
    const clock = new WorkClock();

    const result = await new Turns(clock).run(
      work("a", 3, () => clock.pass(-100_000)),
      signal,
    );

    assert.equal(result, "a");
  });
});
