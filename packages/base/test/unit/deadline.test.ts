import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { Deadline, isTimeout, TimeoutError } from "../../src/deadline.ts";

describe("a deadline", () => {
  it("ends the work when its time is up", async () => {
    const clock = new FakeClock();
    using deadline = new Deadline(clock, 1_000);

    await clock.advance(999);
    assert.equal(deadline.signal.aborted, false);
    await clock.advance(1);

    assert.equal(deadline.expired, true);
    assert.ok(deadline.signal.reason instanceof TimeoutError);
    assert.equal(isTimeout(deadline.signal), true);
  });

  it("ends the work for a reason of the caller's making", async () => {
    const clock = new FakeClock();
    using deadline = new Deadline(clock, 1_500, undefined, () => new TimeoutError("it takes too long"));

    await clock.advance(1_500);

    assert.throws(() => deadline.signal.throwIfAborted(), {
      name: "TimeoutError",
      message: "it takes too long",
    });
  });

  it("ends the work only with its parent once it's met", async () => {
    const clock = new FakeClock();
    const parent = new AbortController();
    using deadline = new Deadline(clock, 1_000, parent.signal);

    deadline.met();
    await clock.advance(1_000);
    assert.equal(deadline.signal.aborted, false);
    parent.abort(new Error("stopping"));

    assert.throws(() => deadline.signal.throwIfAborted(), { message: "stopping" });
    assert.equal(deadline.expired, false);
  });

  it("ends the work with its parent, for the parent's reason", async () => {
    const clock = new FakeClock();
    const parent = new AbortController();
    using deadline = new Deadline(clock, 1_000, parent.signal);
    const reason = new Error("stopping");

    parent.abort(reason);
    await clock.advance(1_000);

    assert.equal(deadline.signal.reason, reason);
    assert.equal(deadline.expired, false);
    assert.equal(isTimeout(deadline.signal), false);
  });

  it("ends the work at once where the parent has ended", () => {
    using deadline = new Deadline(new FakeClock(), 1_000, AbortSignal.abort(new Error("stopped")));

    assert.equal(deadline.signal.aborted, true);
    assert.equal(deadline.expired, false);
  });

  it("waits for nothing more when it is disposed", async () => {
    const clock = new FakeClock();
    const parent = new AbortController();
    const deadline = new Deadline(clock, 1_000, parent.signal);

    deadline[Symbol.dispose]();
    await clock.advance(1_000);
    parent.abort();

    assert.equal(deadline.signal.aborted, false);
  });
});
