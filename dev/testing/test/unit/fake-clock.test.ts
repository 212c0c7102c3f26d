import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../src/index.ts";

describe("FakeClock", () => {
  it("wakes sleepers by their times, and those of one time in their order", async () => {
    const clock = new FakeClock();
    const log: string[] = [];
    for (const [name, ms] of [
      ["late", 20],
      ["early", 10],
      ["early too", 10],
      ["later", 21],
    ] as const) {
      void clock.sleep(ms).then(() => log.push(`${name} at ${clock.now()}`));
    }

    await clock.advance(20);

    assert.deepEqual(log, ["early at 10", "early too at 10", "late at 20"]);
    assert.equal(clock.now(), 20);
  });

  it("wakes who goes to sleep only after some promises, before it advances or between two steps", async () => {
    const clock = new FakeClock();
    const woken: number[] = [];
    const work = async (): Promise<void> => {
      for (let round = 0; round < 3; round += 1) {
        for (let turn = 0; turn < 50; turn += 1) {
          await Promise.resolve();
        }
        await clock.sleep(10);
        woken.push(clock.now());
      }
    };

    const working = work();
    await clock.advance(30);

    await working;
    assert.deepEqual(woken, [10, 20, 30]);
  });

  it("wakes nobody who was told to stop", async () => {
    const clock = new FakeClock();
    const stop = new AbortController();
    const sleep = clock.sleep(10, stop.signal);

    stop.abort(new Error("stopped"));

    await assert.rejects(sleep, /stopped/);
    await clock.advance(10);
  });

  it("says when somebody sleeps for that time", async () => {
    const clock = new FakeClock();
    const log: string[] = [];
    const sleeping = clock.sleeping(10).then(() => log.push("sleeps"));
    await clock.advance(0);
    assert.deepEqual(log, []);

    const sleep = clock.sleep(10);
    await sleeping;

    await clock.advance(10);
    await sleep;
    assert.deepEqual(log, ["sleeps"]);
  });
});
