import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { forEachBounded } from "../../../../src/engine/sync/bounded.ts";

const never = new AbortController().signal;

describe("forEachBounded", () => {
  it("works on all items, in their order and never on more than the limit", async () => {
    const begun: number[] = [];
    let active = 0;
    let most = 0;
    const items = Array.from({ length: 20 }, (_, index) => index);

    await forEachBounded(
      items,
      3,
      async (item) => {
        begun.push(item);
        active += 1;
        most = Math.max(most, active);
        await new Promise(setImmediate);
        active -= 1;
      },
      never,
    );

    assert.deepEqual(begun, items);
    assert.equal(most, 3);
  });

  it("begins nothing more when aborted, and waits for what was begun", async () => {
    const abort = new AbortController();
    const ended: number[] = [];

    await forEachBounded(
      [1, 2, 3, 4, 5],
      2,
      async (item) => {
        abort.abort();
        await new Promise(setImmediate);
        ended.push(item);
      },
      abort.signal,
    );

    assert.deepEqual(ended, [1]);
  });

  it("does nothing for nothing", async () => {
    await forEachBounded([], 4, () => assert.fail("no item"), never);
  });
});
