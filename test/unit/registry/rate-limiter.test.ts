import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { RateLimitError, RateLimiter } from "../../../src/registry/rate-limiter.ts";

const never = new AbortController().signal;
const minute = 60_000;

describe("a rate limiter", () => {
  it("lets a burst through at once, and then the rate", async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ rps: 10, burst: 3 }, clock);
    let taken = 0;
    for (let i = 0; i < 5; i += 1) {
      void limiter.take(minute, never).then(() => (taken += 1));
    }

    await clock.advance(0);
    assert.equal(taken, 3);
    await clock.advance(100);
    assert.equal(taken, 4);
    await clock.advance(100);
    assert.equal(taken, 5);
  });

  it("refuses at once who would wait for too long, and takes nothing from the others", async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ rps: 0.1, burst: 1 }, clock);
    await limiter.take(minute, never);

    await assert.rejects(limiter.take(5_000, never), RateLimitError);
    const next = limiter.take(10_000, never);
    await clock.advance(10_000);
    await next;
  });

  it("is halved when it was too much, and not below a request in ten seconds", () => {
    const limiter = new RateLimiter({ rps: 50, burst: 10 }, new FakeClock());

    assert.equal(limiter.backOff(), true);
    assert.equal(limiter.rate, 25);
    for (let i = 0; i < 20; i += 1) {
      limiter.backOff();
    }
    assert.equal(limiter.rate, 0.1);
    assert.equal(limiter.backOff(), false);
  });

  it("comes back after twenty minutes without trouble, up to where it was", async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ rps: 50, burst: 10 }, clock);
    limiter.backOff();

    assert.equal(limiter.recover(), false);
    await clock.advance(20 * minute);
    assert.equal(limiter.recover(), true);
    assert.equal(limiter.rate, 37.5);
    assert.equal(limiter.recover(), true);
    assert.equal(limiter.rate, 50);
    assert.equal(limiter.recover(), false);
  });

  it("waits as long as the host wishes, but for an hour at most", async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ rps: 50, burst: 10 }, clock);

    limiter.pause(30_000);
    await assert.rejects(limiter.take(29_999, never), RateLimitError);
    limiter.pause(Number.MAX_SAFE_INTEGER);
    await clock.advance(60 * minute);
    await limiter.take(clock.now(), never);
  });

  it("does not limit where there is no limit", async () => {
    const limiter = new RateLimiter({ rps: Infinity, burst: 1 }, new FakeClock());

    for (let i = 0; i < 100; i += 1) {
      await limiter.take(0, never);
    }
  });

  it("ends the wait of those who are told to stop", async () => {
    const stop = new AbortController();
    const limiter = new RateLimiter({ rps: 1, burst: 1 }, new FakeClock());
    await limiter.take(minute, stop.signal);

    const waiting = limiter.take(minute, stop.signal);
    stop.abort(new Error("stopped"));
    await assert.rejects(waiting, /stopped/);
  });
});
