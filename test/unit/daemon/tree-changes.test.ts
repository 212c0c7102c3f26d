import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { TreeChanges } from "../../../src/daemon/tree-changes.ts";

const never = new AbortController().signal;

describe("changes of the tree", () => {
  it("are told at once to whoever has an older version", async () => {
    const changes = new TreeChanges(new FakeClock());
    const before = changes.version;

    changes.note();

    assert.equal(await changes.changed({ after: before, waitMs: 60_000 }, never), true);
  });

  it("are told to all who wait", async () => {
    const changes = new TreeChanges(new FakeClock());
    const query = { after: changes.version, waitMs: 60_000 };

    const waiting = [changes.changed(query, never), changes.changed(query, never)];
    changes.note();

    assert.deepEqual(await Promise.all(waiting), [true, true]);
  });

  it("are none when the wait is over without one", async () => {
    const clock = new FakeClock();
    const changes = new TreeChanges(clock);

    const waiting = changes.changed({ after: changes.version, waitMs: 60_000 }, never);
    await clock.advance(60_000);

    assert.equal(await waiting, false);
  });

  it("are assumed for the version of another process", async () => {
    const clock = new FakeClock();
    const before = new TreeChanges(clock).version;
    await clock.advance(1);

    assert.equal(await new TreeChanges(clock).changed({ after: before, waitMs: 0 }, never), true);
  });

  it("are no longer waited for when the caller is gone", async () => {
    const changes = new TreeChanges(new FakeClock());
    const caller = new AbortController();

    const waiting = changes.changed({ after: changes.version, waitMs: 60_000 }, caller.signal);
    caller.abort(new Error("gone"));

    await assert.rejects(waiting, /gone/);
  });
});
