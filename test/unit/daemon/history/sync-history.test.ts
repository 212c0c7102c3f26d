import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Clock, silentLogger } from "@weir/base";
import { toldResourceId } from "@weir/flux";
import { FakeClock, RecordedLog, settled } from "@weir/testing";
import { parseRing } from "../../../../src/daemon/history/ring.ts";
import {
  createMemoryHistoryStore,
  type HistoryStore,
  SyncHistory,
} from "../../../../src/daemon/history/sync-history.ts";

const never = new AbortController().signal;

/** One second after the other. */
let now = 0;

function done(revision: string, count = 1) {
  now += 1_000;
  const change = { id: toldResourceId("default:configmap/a"), what: "changed" } as const;
  return {
    kind: "sync",
    at: new Date(now),
    revision,
    changes: Array(count).fill(change),
    failed: 0,
  } as const;
}

/** A store that can refuse, and that counts writes. */
function storeIn(world: { refuses: boolean; writes: number }): HistoryStore {
  const store = createMemoryHistoryStore();
  return {
    read: (signal) => (world.refuses ? Promise.reject(new Error("no answer")) : store.read(signal)),
    update: async (change, signal) => {
      await Promise.resolve();
      world.writes += 1;
      if (world.refuses) {
        throw new Error("no answer");
      }
      await store.update(change, signal);
    },
  };
}

function historyIn(store: HistoryStore, logger = new RecordedLog(), clock = new FakeClock()): SyncHistory {
  return new SyncHistory({ store, clock, logger });
}

async function revisions(history: SyncHistory): Promise<readonly string[]> {
  return (await history.records(never)).map(({ revision }) => revision);
}

describe("the history of syncs", () => {
  it("stores every sync, at whatever step it's recorded", async () => {
    for (let steps = 0; steps < 20; steps += 1) {
      const store = createMemoryHistoryStore();
      const clock: Clock = { now: () => 0, sleep: () => Promise.resolve() };
      const history = new SyncHistory({ store, clock, logger: silentLogger });

      history.record(done("a"));
      for (let step = 0; step < steps; step += 1) {
        await Promise.resolve();
      }
      history.record(done("b"));
      await settled();

      const stored = parseRing((await store.read(never)) ?? "");
      assert.deepEqual(
        stored?.map(({ revision }) => revision),
        ["b", "a"],
        `after ${steps} steps`,
      );
    }
  });

  it("survives in its store, and has what happened since", async () => {
    const store = createMemoryHistoryStore();
    const before = historyIn(store);
    before.record(done("a"));
    await before.flush();

    const after = historyIn(store);
    after.record(done("b"));
    const early = await revisions(after);
    await after.flush();

    assert.deepEqual(
      [early, await revisions(after)],
      [
        ["b", "a"],
        ["b", "a"],
      ],
    );
  });

  it("writes nothing for a sync that did nothing, and once for all that happen within a minute", async () => {
    const world = { refuses: false, writes: 0 };
    const store = storeIn(world);
    const clock = new FakeClock();
    const history = historyIn(store, new RecordedLog(), clock);

    history.record(done("idle", 0));
    await history.flush();
    assert.equal(world.writes, 0);
    for (const revision of ["a", "b", "c", "d"]) {
      history.record(done(revision));
    }
    await clock.advance(59_999);
    assert.equal(world.writes, 0);
    await clock.advance(1);

    assert.equal(world.writes, 1);
    assert.deepEqual(
      parseRing((await store.read(never)) ?? "")?.map(({ revision }) => revision),
      ["d", "c", "b", "a"],
    );
  });

  it("tries a failing write again every minute, without another sync", async () => {
    const world = { refuses: true, writes: 0 };
    const store = storeIn(world);
    const clock = new FakeClock();
    const history = historyIn(store, new RecordedLog(), clock);

    history.record(done("a"));
    await clock.advance(60_000);
    await clock.advance(60_000);
    assert.equal(world.writes, 2);
    world.refuses = false;
    await clock.advance(60_000);

    assert.equal(world.writes, 3);
    assert.equal(parseRing((await store.read(never)) ?? "")?.length, 1);
    await clock.advance(60_000);
    assert.equal(world.writes, 3);
  });

  it("logs a failing write once, and makes up for it with the next sync", async () => {
    const world = { refuses: true, writes: 0 };
    const logger = new RecordedLog();
    const history = historyIn(storeIn(world), logger);

    for (const revision of ["a", "b"]) {
      history.record(done(revision));
      await history.flush();
    }
    assert.deepEqual(await revisions(history), ["b", "a"]);
    world.refuses = false;
    history.record(done("c"));
    await history.flush();

    assert.deepEqual(await revisions(history), ["c", "b", "a"]);
    assert.deepEqual(
      logger.lines,
      ["writing", "reading"].map((what) => `warning=${what} the history of syncs failed err=no answer`),
    );
  });

  it("ignores a text that it can't read, and says so once", async () => {
    const store = createMemoryHistoryStore();
    await store.update(() => "from the future", never);
    const logger = new RecordedLog();
    const history = historyIn(store, logger);

    assert.deepEqual([await revisions(history), await revisions(history)], [[], []]);
    assert.equal(logger.lines.length, 1);
  });
});
