import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settled } from "@weir/testing";
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
      await settled();
      active -= 1;
    });

    assert.deepEqual([begun, most], [items, 3]);
  });

  it("begins nothing more when aborted, and waits for what was begun", async () => {
    const abort = new AbortController();
    const slow = Promise.withResolvers<undefined>();
    const log: string[] = [];

    const all = forEachBounded(
      [1, 2, 3, 4, 5],
      2,
      async (item) => {
        abort.abort();
        await slow.promise;
        log.push(`${item} ended`);
      },
      abort.signal,
    ).then(() => log.push("all ended"));
    await settled();
    assert.deepEqual(log, []);
    slow.resolve(undefined);
    await all;

    assert.deepEqual(log, ["1 ended", "all ended"]);
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
    const second = Promise.withResolvers<undefined>();
    const failing = forEachBounded([1, 2], 2, async (item) => {
      if (item === 1) {
        await second.promise;
      }
      second.resolve(undefined);
      throw new Error(`failed at ${item}`);
    });

    await assert.rejects(failing, /^Error: failed at 2$/);
  });

  it("does nothing for nothing", async () => {
    await forEachBounded([], 4, () => assert.fail("no item"));
  });
});

describe("mapBounded", () => {
  it("gives results in the order of the items, and never does more at a time", async () => {
    const ends = new Map<number, () => void>();
    const running: string[] = [];
    const all = mapBounded([1, 2, 3, 4, 5], 2, async (item) => {
      await new Promise<void>((resolve) => ends.set(item, resolve));
      ends.delete(item);
      return item * 10;
    });

    for (const item of [2, 3, 1, 5, 4]) {
      await settled();
      running.push([...ends.keys()].join());
      ends.get(item)?.();
    }

    assert.deepEqual(await all, [10, 20, 30, 40, 50]);
    assert.deepEqual(running, ["1,2", "1,3", "1,4", "4,5", "4"]);
  });

  it("rejects with what an item rejects with", async () => {
    await assert.rejects(
      mapBounded([1, 2], 2, (item) => (item === 2 ? Promise.reject(new Error("two")) : Promise.resolve())),
      /^Error: two$/,
    );
  });
});
