import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SyncOutcome } from "../../../../src/daemon/sync/outcome.ts";
import { parseResourceId } from "../../../../src/resource/id.ts";

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
      return Promise.resolve(undefined);
    });
    const next = Promise.withResolvers<undefined>();

    const sync = outcome.record(() => next.promise);

    assert.deepEqual(outcome.failures, ["before"]);
    next.resolve(undefined);
    await sync;
    assert.deepEqual(outcome.failures, []);
  });

  it("has what a sync waits for, and the failures of the one before, until the sync has ended", async () => {
    const outcome = new SyncOutcome();
    await outcome.record((failed) => {
      failed("before");
      return Promise.resolve(undefined);
    });
    const job = parseResourceId("demo:job/migrate");

    await outcome.record(() => Promise.resolve({ waitingFor: [job] }));
    assert.deepEqual([outcome.waitingFor, outcome.failures], [[job], ["before"]]);

    await outcome.record(() => Promise.resolve(undefined));
    assert.deepEqual([outcome.waitingFor, outcome.failures], [[], []]);
  });
});
