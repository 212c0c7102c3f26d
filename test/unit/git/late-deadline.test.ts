import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settled } from "@weir/testing";
import { LateDeadline } from "../../../src/git/late-deadline.ts";

describe("a late deadline", () => {
  it("comes some time after everything else was aborted, and not before", async () => {
    const clock = new FakeClock();
    const parent = new AbortController();
    using limit = new LateDeadline(clock, 3_000, parent.signal);

    await clock.advance(60_000);
    assert.equal(limit.signal.aborted, false);
    parent.abort();
    await clock.advance(2_999);
    assert.equal(limit.signal.aborted, false);
    await clock.advance(1);
    await settled();
    assert.equal(limit.signal.aborted, true);
  });

  it("is counted from now on if everything was aborted before", async () => {
    const clock = new FakeClock();
    using limit = new LateDeadline(clock, 3_000, AbortSignal.abort());

    await clock.advance(2_999);
    assert.equal(limit.signal.aborted, false);
    await clock.advance(1);
    await settled();
    assert.equal(limit.signal.aborted, true);
  });

  it("never comes once the work is done", async () => {
    const clock = new FakeClock();
    const parent = new AbortController();
    const limit = new LateDeadline(clock, 3_000, parent.signal);
    limit[Symbol.dispose]();

    parent.abort();
    await clock.advance(3_000);
    await settled();
    assert.equal(limit.signal.aborted, false);
  });
});
