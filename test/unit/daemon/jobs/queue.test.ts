import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Job, JobQueue, newJobId } from "../../../../src/daemon/jobs/queue.ts";

function job(id: string): Job {
  return { id, enqueuedAt: 0, run: () => Promise.resolve() };
}

describe("job queue", () => {
  it("hands jobs out in the order in which they came and tells its length", () => {
    const lengths: number[] = [];
    const queue = new JobQueue((length) => lengths.push(length));

    queue.add(job("a"));
    queue.add(job("b"));
    const taken = [queue.take()?.id, queue.take()?.id, queue.take()?.id];

    assert.deepEqual(taken, ["a", "b", undefined]);
    assert.deepEqual(lengths, [1, 2, 1, 0]);
  });
});

describe("job ID", () => {
  it("is 8-4-4-4-12 hex digits, another one each time", () => {
    const [first, second] = [newJobId(), newJobId()];

    assert.match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    assert.notEqual(first, second);
  });
});
