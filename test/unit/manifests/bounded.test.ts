import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mapBounded } from "../../../src/manifests/bounded.ts";

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
