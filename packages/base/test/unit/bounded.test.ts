import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { forEachBounded, mapBounded } from "../../src/bounded.ts";

describe("forEachBounded", () => {
  it("works on all items, in their order and never on more than the limit", async () => {
    const begun: number[] = [];
    let active = 0;
    let most = 0;
    const items = Array.from({ length: 20 }, (_, index) => index);

    await forEachBounded(items, 3, async (item) => {
      begun.push(item);
      active += 1;
      most = Math.max(most, active);
      await new Promise(setImmediate);
      active -= 1;
    });

    assert.deepEqual([begun, most], [items, 3]);
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

  it("begins nothing more when an item fails, and rejects when what was begun has ended", async () => {
    const ended: number[] = [];
    const slow = Promise.withResolvers<undefined>();

    const all = forEachBounded([1, 2, 3, 4], 2, async (item) => {
      if (item === 2) {
        throw new Error("two");
      }
      await slow.promise;
      ended.push(item);
    });
    const rejected = assert.rejects(all, /^Error: two$/);
    slow.resolve(undefined);
    await rejected;

    assert.deepEqual(ended, [1]);
  });

  it("rejects with the failure that came first", async () => {
    const failing = forEachBounded([1, 2], 2, async (item) => {
      await new Promise(setImmediate);
      throw new Error(`failed at ${item}`);
    });

    await assert.rejects(failing, /^Error: failed at 1$/);
  });

  it("does nothing for nothing", async () => {
    await forEachBounded([], 4, () => assert.fail("no item"));
  });
});

describe("mapBounded", () => {
  it("gives results in the order of the items, and never does more at a time", async () => {
    let running = 0;
    let most = 0;
    const work = async (item: number): Promise<number> => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < 5 - item; turn += 1) {
        await Promise.resolve();
      }
      running -= 1;
      return item * 10;
    };

    const results = await mapBounded([1, 2, 3, 4, 5], 2, work);

    assert.deepEqual([results, most], [[10, 20, 30, 40, 50], 2]);
  });

  it("rejects with what an item rejects with", async () => {
    await assert.rejects(
      mapBounded([1, 2], 2, (item) => (item === 2 ? Promise.reject(new Error("two")) : Promise.resolve())),
      /^Error: two$/,
    );
  });
});
