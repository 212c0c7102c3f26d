import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Job, JobQueue, newJobId } from "../../../../src/daemon/jobs/queue.ts";

function job(id: string, weight = 0): Job {
  return { id, enqueuedAt: 0, weight, run: () => Promise.resolve() };
}

describe("job queue", () => {
  it("hands jobs out in the order in which they came and tells its length", () => {
    const lengths: number[] = [];
    const queue = new JobQueue({ jobs: 10, weight: 10 }, (length) => lengths.push(length));

    queue.add(job("a"));
    queue.add(job("b"));
    const taken = [queue.take()?.id, queue.take()?.id, queue.take()?.id];

    assert.deepEqual(taken, ["a", "b", undefined]);
    assert.deepEqual(lengths, [1, 2, 1, 0]);
  });

  it("has room for so many jobs, and again when one is taken", () => {
    const queue = new JobQueue({ jobs: 2, weight: 10 }, () => undefined);

    const rooms = [queue.hasRoomFor(1)];
    queue.add(job("a"));
    queue.add(job("b"));
    rooms.push(queue.hasRoomFor(0));
    queue.take();
    rooms.push(queue.hasRoomFor(0));

    assert.deepEqual(rooms, [true, false, true]);
  });

  it("has room for so much weight, counting what is done past it", async () => {
    const queue = new JobQueue({ jobs: 3, weight: 10 }, () => undefined);
    const rooms: boolean[] = [];

    queue.add(job("a", 6));
    await queue.beside(4, () => Promise.resolve(rooms.push(queue.hasRoomFor(0), queue.hasRoomFor(1))));
    rooms.push(queue.hasRoomFor(4), queue.hasRoomFor(5));
    queue.take();
    rooms.push(queue.hasRoomFor(10));

    assert.deepEqual(rooms, [true, false, true, false, true]);
  });

  it("takes a job where there is no room, too", () => {
    const queue = new JobQueue({ jobs: 0, weight: 0 }, () => undefined);

    queue.add(job("own", 5));

    assert.equal(queue.take()?.id, "own");
  });
});

describe("job ID", () => {
  it("is 8-4-4-4-12 hex digits, another one each time", () => {
    const [first, second] = [newJobId(), newJobId()];

    assert.match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    assert.notEqual(first, second);
  });
});
