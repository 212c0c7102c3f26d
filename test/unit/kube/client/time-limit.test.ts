import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { timeLimit } from "../../../../src/kube/client/time-limit.ts";
import { FakeClock } from "../../../support/fake-clock.ts";

describe("timeLimit", () => {
  it("aborts when the time is over", async () => {
    const clock = new FakeClock();
    using limit = timeLimit(clock, 1_500);

    await clock.advance(1_499);
    assert.equal(limit.signal.aborted, false);
    await clock.advance(1);

    assert.throws(() => limit.signal.throwIfAborted(), {
      name: "TimeLimitError",
      message: "it takes longer than 1.5 s",
    });
  });

  it("aborts with the signal it is given, and its reason", () => {
    const stopping = new AbortController();
    using limit = timeLimit(new FakeClock(), 1_000, stopping.signal);

    stopping.abort(new Error("enough"));

    assert.throws(() => limit.signal.throwIfAborted(), { message: "enough" });
  });

  it("is let go when it is disposed of", async () => {
    const clock = new FakeClock();
    const limit = timeLimit(clock, 1_000);

    limit[Symbol.dispose]();
    await clock.advance(2_000);

    assert.equal(limit.signal.aborted, false);
  });
});
