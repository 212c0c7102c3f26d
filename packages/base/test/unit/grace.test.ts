import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settled } from "@weir/testing";
import { Grace } from "../../src/grace.ts";

describe("grace", () => {
  it("ends some time after everything else was aborted, for the same reason, and not before", async () => {
    const clock = new FakeClock();
    const parent = new AbortController();
    using grace = new Grace(clock, 3_000, parent.signal);

    await clock.advance(60_000);
    assert.equal(grace.signal.aborted, false);
    const reason = new Error("stop");
    parent.abort(reason);
    await clock.advance(2_999);
    assert.equal(grace.signal.aborted, false);
    await clock.advance(1);
    await settled();
    assert.equal(grace.signal.reason, reason);
  });

  it("is counted from now on if everything was aborted before", async () => {
    const clock = new FakeClock();
    using grace = new Grace(clock, 3_000, AbortSignal.abort());

    await clock.advance(2_999);
    assert.equal(grace.signal.aborted, false);
    await clock.advance(1);
    await settled();
    assert.equal(grace.signal.aborted, true);
  });

  it("never ends once the work is done", async () => {
    const clock = new FakeClock();
    const parent = new AbortController();
    const grace = new Grace(clock, 3_000, parent.signal);
    grace[Symbol.dispose]();

    parent.abort();
    await clock.advance(3_000);
    await settled();
    assert.equal(grace.signal.aborted, false);
  });
});
