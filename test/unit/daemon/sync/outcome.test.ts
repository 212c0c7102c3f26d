import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseResourceId, RefusedSyncError } from "@weir/flux";
import { SyncOutcome } from "../../../../src/daemon/sync/outcome.ts";

const id = parseResourceId("demo:configmap/one");
const refusal = { id, source: "one.yaml", error: "refused" };
const endedAt = new Date(5);

function newOutcome(): SyncOutcome {
  return new SyncOutcome({ now: () => endedAt.getTime() });
}

/** An outcome after a sync in which one object was refused. */
async function withRefusal(): Promise<SyncOutcome> {
  const outcome = newOutcome();
  await outcome.record("c0ffee", (note) => {
    note([refusal]);
    return Promise.resolve(undefined);
  });
  return outcome;
}

describe("SyncOutcome", () => {
  it("has what the last sync told of, and what ended it", async () => {
    const outcome = newOutcome();

    const sync = outcome.record("c0ffee", (note) => {
      note([refusal]);
      return Promise.reject(new Error("all of it"));
    });

    await assert.rejects(sync, /all of it/);
    assert.deepEqual(outcome.failures, ["demo:configmap/one: refused", "all of it"]);
    assert.deepEqual(outcome.report(), {
      revision: "c0ffee",
      endedAt,
      failure: "all of it",
      errors: [refusal],
      isRunning: false,
      waitingFor: [],
    });
  });

  it("has each object of a sync that was refused as a whole", async () => {
    const outcome = newOutcome();

    await assert.rejects(
      outcome.record("c0ffee", () => Promise.reject(new RefusedSyncError([refusal]))),
      RefusedSyncError,
    );

    const { failure, errors } = outcome.report();
    assert.deepEqual(
      [failure, errors],
      ["nothing was applied, because some resources would be refused", [refusal]],
    );
  });

  it("forgets it when the next one has ended well, not before", async () => {
    const outcome = await withRefusal();
    const next = Promise.withResolvers<undefined>();

    const sync = outcome.record("c0ffee2", () => next.promise);

    assert.deepEqual(outcome.failures, ["demo:configmap/one: refused"]);
    assert.deepEqual([outcome.report().isRunning, outcome.report().revision], [true, "c0ffee"]);
    next.resolve(undefined);
    await sync;
    assert.deepEqual(outcome.failures, []);
    assert.deepEqual([outcome.report().isRunning, outcome.report().revision], [false, "c0ffee2"]);
  });

  it("has what a sync waits for, and the failures of the one before, until the sync has ended", async () => {
    const outcome = await withRefusal();
    const job = parseResourceId("demo:job/migrate");

    await outcome.record("c0ffee2", () => Promise.resolve({ waitingFor: [job] }));
    assert.deepEqual([outcome.waitingFor, outcome.errors], [[job], [refusal]]);
    assert.equal(outcome.report().revision, "c0ffee");

    await outcome.record("c0ffee2", () => Promise.resolve(undefined));
    assert.deepEqual([outcome.waitingFor, outcome.failures], [[], []]);
  });
});
