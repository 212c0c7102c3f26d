import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { LookTimes } from "../../../src/daemons/look-times.ts";
import { Pace, type PaceLimits } from "../../../src/daemons/pace.ts";

const { signal } = new AbortController();
/** Holds nobody up. */
const quick = { perSecond: 1_000_000, burst: 1 };

describe("the times of looks", () => {
  it("come at least once in an interval", async () => {
    const { clock, looks } = started(60_000);

    await clock.advance(200_000);

    assert.ok(looks.length >= 3, String(looks));
  });

  it("are further and further apart while there are events", async () => {
    const { clock, times, looks } = started(60_000);

    for (let second = 0; second < 45; second += 1) {
      times.wake();
      await clock.advance(1_000);
    }

    assert.deepEqual(looks.slice(0, 5), [500, 2_000, 4_000, 8_000, 16_000]);
  });

  it("don't wait when something hurries, and then begin anew", async () => {
    const { clock, times, looks } = started(60_000);
    for (let second = 0; second < 20; second += 1) {
      times.wake();
      await clock.advance(1_000);
    }
    looks.length = 0;

    times.hurry();
    await clock.advance(600);
    times.wake();
    await clock.advance(1_000);

    assert.deepEqual(looks.slice(0, 3), [20_000, 20_500, 21_600]);
  });

  it("wait for their turn, unless something hurries", async () => {
    const { clock, times, looks } = started(60_000, { perSecond: 0.1, burst: 0 });

    times.wake();
    await clock.advance(20_000);
    times.wake();
    await clock.advance(2_000);
    times.hurry();
    await clock.advance(1_000);

    assert.deepEqual(looks, [10_500, 22_000]);
  });

  it("are over when the connection is", async () => {
    const clock = new FakeClock();
    const times = new LookTimes(clock, 60_000, new Pace(clock, quick));

    await assert.rejects(times.nextAfterLook(AbortSignal.abort(new Error("gone"))), /gone/);
  });
});

/** Looks that take no time. */
function started(interval: number, limits: PaceLimits = quick) {
  const clock = new FakeClock();
  const times = new LookTimes(clock, interval, new Pace(clock, limits));
  const looks: number[] = [];
  void (async () => {
    for (;;) {
      await times.nextAfterLook(signal);
      looks.push(clock.now());
    }
  })();
  return { clock, times, looks };
}
