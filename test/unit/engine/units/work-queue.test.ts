import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WorkQueue } from "../../../../src/engine/units/work-queue.ts";

describe("WorkQueue", () => {
  it("works on each name once, however often it was added while it waited", async () => {
    const queue = new WorkQueue();
    const abort = new AbortController();
    const worked: string[] = [];
    for (const name of ["a", "b", "a", "c", "b"]) {
      queue.add(name);
    }

    await queue.run(
      2,
      async (name) => {
        worked.push(name);
        if (worked.length === 3) {
          abort.abort();
        }
        await new Promise(setImmediate);
      },
      abort.signal,
    );

    assert.deepEqual(worked, ["a", "b", "c"]);
  });

  it("works again on what is added while it is being worked on, and never twice at a time", async () => {
    const queue = new WorkQueue();
    const abort = new AbortController();
    let active = 0;
    let times = 0;
    queue.add("a");

    await queue.run(
      3,
      async () => {
        active += 1;
        times += 1;
        assert.equal(active, 1);
        if (times === 3) {
          abort.abort();
        } else {
          queue.add("a");
        }
        await new Promise(setImmediate);
        active -= 1;
      },
      abort.signal,
    );

    assert.equal(times, 3);
  });

  it("works on as many names at once as it has workers", async () => {
    const queue = new WorkQueue();
    const abort = new AbortController();
    let active = 0;
    let most = 0;
    let left = 10;
    for (let name = 0; name < 10; name += 1) {
      queue.add(String(name));
    }

    await queue.run(
      4,
      async () => {
        active += 1;
        most = Math.max(most, active);
        await new Promise(setImmediate);
        active -= 1;
        left -= 1;
        if (left === 0) {
          abort.abort();
        }
      },
      abort.signal,
    );

    assert.equal(most, 4);
  });

  it("ends idle workers when aborted", async () => {
    const queue = new WorkQueue();
    const abort = new AbortController();
    const running = queue.run(2, () => Promise.resolve(), abort.signal);

    abort.abort();

    await running;
  });
});
