import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type FluxEvent, parseResourceId } from "@weir/flux";
import { FakeClock } from "@weir/testing";
import { EventLog } from "../../../src/daemon/event-log.ts";

const never = new AbortController().signal;
const all = { after: 0, waitMs: 0 };

function commitEvent(revision: string): FluxEvent {
  return {
    workloads: [parseResourceId("shop:deployment/web")],
    startedAt: new Date(0),
    endedAt: new Date(1_000),
    logLevel: "info",
    detail: { type: "commit", revision, spec: null, result: null },
  };
}

/** What is remembered, waiting for nothing. */
async function remembered(log: EventLog, clock: FakeClock, after = 0) {
  const events = log.events({ after, waitMs: 0 }, never);
  await clock.advance(0);
  return events;
}

describe("event log", () => {
  it("remembers events with their message and what upstreams get", async () => {
    const clock = new FakeClock();
    const log = new EventLog(clock, { count: 10, weight: 10_000 });

    log.add(commitEvent("0123456789"));

    assert.deepEqual(await remembered(log, clock), [
      {
        id: 1,
        type: "commit",
        workloads: ["shop:deployment/web"],
        startedAt: new Date(0),
        endedAt: new Date(1_000),
        logLevel: "info",
        message: "Commit: 0123456, shop:deployment/web",
        metadata: { revision: "0123456789", spec: null },
      },
    ]);
  });

  it("forgets the oldest when they take too much memory, and never the last one", async () => {
    const clock = new FakeClock();
    const log = new EventLog(clock, { count: 10, weight: 2_000 });

    for (const letter of ["a", "b", "c"]) {
      log.addFailure(letter.repeat(700));
    }
    const before = await remembered(log, clock);
    log.addFailure("d".repeat(5_000));
    const after = await remembered(log, clock);
    log.addFailure("e");

    assert.deepEqual(
      [before, after, await remembered(log, clock)].map((events) =>
        events.map(({ message }) => message.slice(0, 1)),
      ),
      [["b", "c"], ["d"], ["e"]],
    );
  });

  it("forgets the oldest when there are too many", async () => {
    const clock = new FakeClock();
    const log = new EventLog(clock, { count: 2, weight: 10_000 });

    ["a", "b", "c"].forEach((revision) => log.add(commitEvent(revision)));

    const events = await remembered(log, clock);
    assert.deepEqual(
      events.map(({ id, message }) => [id, message.slice(0, 9)]),
      [
        [2, "Commit: b"],
        [3, "Commit: c"],
      ],
    );
  });

  it("counts a failure that comes back after hours as another one", async () => {
    const clock = new FakeClock();
    const log = new EventLog(clock, { count: 10, weight: 10_000 });

    log.addFailure("sync failed: no such host");
    await clock.advance(3_599_000);
    log.addFailure("sync failed: no such host");
    await clock.advance(3_600_000);
    log.addFailure("sync failed: no such host");

    const events = await remembered(log, clock);
    assert.deepEqual(
      events.map(({ id, endedAt }) => [id, endedAt.getTime()]),
      [
        [1, 3_599_000],
        [2, 7_199_000],
      ],
    );
  });

  it("counts the same failure again and again as one that ends later", async () => {
    const clock = new FakeClock();
    const log = new EventLog(clock, { count: 10, weight: 10_000 });

    log.addFailure("sync failed: no such file");
    await clock.advance(5_000);
    log.addFailure("sync failed: no such file");
    log.addFailure("sync failed: another reason");

    const events = await remembered(log, clock);
    assert.deepEqual(
      events.map(({ id, message, startedAt, endedAt }) => [
        id,
        message,
        startedAt.getTime(),
        endedAt.getTime(),
      ]),
      [
        [1, "sync failed: no such file", 0, 5_000],
        [2, "sync failed: another reason", 5_000, 5_000],
      ],
    );
  });

  it("gives later runs greater IDs", async () => {
    const clock = new FakeClock();
    const before = new EventLog(clock, { count: 10, weight: 10_000 });
    before.addFailure("one");
    before.addFailure("two");
    const [, last] = await remembered(before, clock);

    await clock.advance(1_000);
    const after = new EventLog(clock, { count: 10, weight: 10_000 });
    after.addFailure("three");

    const found = await remembered(after, clock, last?.id);
    assert.deepEqual(
      found.map(({ message }) => message),
      ["three"],
    );
  });

  it("answers who waits as soon as there is something new", async () => {
    const log = new EventLog(new FakeClock(), { count: 10, weight: 10_000 });

    const waiting = log.events({ after: 0, waitMs: 60_000 }, never);
    log.addFailure("sync failed");

    assert.equal((await waiting).length, 1);
  });

  it("answers with nothing when the wait is over", async () => {
    const clock = new FakeClock();
    const log = new EventLog(clock, { count: 10, weight: 10_000 });

    const waiting = log.events({ after: 0, waitMs: 60_000 }, never);
    await clock.advance(60_000);

    assert.deepEqual(await waiting, []);
  });

  it("lets a wait be aborted", async () => {
    const log = new EventLog(new FakeClock(), { count: 10, weight: 10_000 });
    const gone = new AbortController();

    const waiting = log.events({ ...all, waitMs: 60_000 }, gone.signal);
    gone.abort(new Error("the client went away"));

    await assert.rejects(waiting, /the client went away/);
  });
});
