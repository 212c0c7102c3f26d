import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TimeoutError } from "@weir/base";
import type { JobResult } from "@weir/flux/api";
import { FakeClock } from "@weir/testing";
import { JobError, Jobs } from "../../../../src/daemon/jobs/jobs.ts";
import { JobQueue } from "../../../../src/daemon/jobs/queue.ts";

const result: JobResult = { revision: "0123456" };

const timeout = 60_000;

function newJobs() {
  const clock = new FakeClock();
  const queue = new JobQueue({ jobs: 10, weight: 10 }, () => undefined);
  const told: number[] = [];
  const jobs = new Jobs({
    queue,
    clock,
    timeout,
    remembered: { count: 2, weight: 10_000 },
    onQueued: () => told.push(queue.length),
  });
  const runNext = async (): Promise<void> => queue.take()?.run(new AbortController().signal);
  return { jobs, clock, told, runNext };
}

describe("Jobs", () => {
  it("leaves work to the loop, and tells how far it has come", async () => {
    const { jobs, told, runNext } = newJobs();
    const seen: unknown[] = [];

    const id = jobs.enqueue((own) => {
      seen.push(own, jobs.status(own));
      return Promise.resolve(result);
    }, 0);
    const before = jobs.status(id);
    await runNext();

    assert.deepEqual(told, [1]);
    assert.deepEqual(before, { state: "queued", error: "", result: {} });
    assert.deepEqual(seen, [id, { state: "running", error: "", result: {} }]);
    assert.deepEqual(jobs.status(id), { state: "succeeded", error: "", result });
  });

  it("does work at once where it is asked to, and throws what it throws", async () => {
    const { jobs, told } = newJobs();
    const { signal } = new AbortController();

    const id = await jobs.runNow(() => Promise.resolve(result), signal);
    const failing = jobs.runNow(() => Promise.reject(new Error("no")), signal);

    await assert.rejects(failing, { message: "no" });
    assert.deepEqual(jobs.status(id), { state: "succeeded", error: "", result });
    assert.deepEqual(told, []);
  });

  it("remembers why work failed, and what it had done by then", async () => {
    const { jobs, runNext } = newJobs();
    const plain = jobs.enqueue(() => Promise.reject(new Error("no luck")), 0);
    const half = jobs.enqueue(() => Promise.reject(new JobError(result, new Error("nobody listens"))), 0);

    await assert.rejects(runNext(), { message: "no luck" });
    await assert.rejects(runNext(), { message: "nobody listens" });

    assert.deepEqual(jobs.status(plain), { state: "failed", error: "no luck", result: {} });
    assert.deepEqual(jobs.status(half), { state: "failed", error: "nobody listens", result });
  });

  it("ends work that takes too long", async () => {
    const { jobs, clock } = newJobs();
    const { signal } = new AbortController();
    const forever = jobs.runNow(
      (_id, each) =>
        new Promise((_resolve, reject) => each.addEventListener("abort", () => reject(each.reason as Error))),
      signal,
    );

    const rejected = assert.rejects(forever, TimeoutError);
    await clock.advance(timeout);

    await rejected;
  });

  it("forgets the oldest that has ended, and none that waits", async () => {
    const { jobs, runNext } = newJobs();
    const ids = [1, 2, 3, 4].map(() => jobs.enqueue(() => Promise.resolve(result), 0));

    await runNext();
    await runNext();
    await runNext();

    assert.deepEqual(
      ids.map((id) => jobs.status(id)?.state),
      [undefined, "succeeded", "succeeded", "queued"],
    );
  });
});
