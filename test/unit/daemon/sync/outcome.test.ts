import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SyncOutcome } from "../../../../src/daemon/sync/outcome.ts";

describe("SyncOutcome", () => {
  it("has what the last sync told of, and what ended it", async () => {
    const outcome = new SyncOutcome();

    const sync = outcome.record((failed) => {
      failed("one object");
      return Promise.reject(new Error("all of it"));
    });

    await assert.rejects(sync, /all of it/);
    assert.deepEqual(outcome.failures, ["one object", "all of it"]);
  });

  it("forgets it when the next one has ended well, not before", async () => {
    const outcome = new SyncOutcome();
    await outcome.record((failed) => {
      failed("before");
      return Promise.resolve();
    });
    const next = Promise.withResolvers<string>();

    const sync = outcome.record(() => next.promise);

    assert.deepEqual(outcome.failures, ["before"]);
    next.resolve("done");
    assert.equal(await sync, "done");
    assert.deepEqual(outcome.failures, []);
  });
});
