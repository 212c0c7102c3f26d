import assert from "node:assert/strict";
import { Session } from "node:inspector/promises";
import { describe, it } from "node:test";
import { getHeapStatistics } from "node:v8";
import fc from "fast-check";
import { TextBuilder } from "../../../src/text-builder.ts";

describe("TextBuilder", () => {
  it("puts any number of pieces together", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 20 }), fc.nat(300), (pieces, times) => {
        const builder = new TextBuilder();
        for (let time = 0; time < times; time += 1) {
          pieces.forEach((piece) => builder.add(piece));
        }

        const text = pieces.join("").repeat(times);
        assert.deepEqual([builder.text, builder.length], [text, text.length]);
      }),
    );
  });

  it("takes the memory of the text, not of its pieces", async () => {
    const before = await liveBytes();
    const builder = new TextBuilder();
    for (let piece = 0; piece < 2_000_000; piece += 1) {
      builder.add("x");
    }

    const held = (await liveBytes()) - before;

    assert.equal(builder.length, 2_000_000);
    assert.ok(held < 16_000_000, `${held} bytes`);
  });
});

/** What lives on the heap, after its garbage was collected. */
async function liveBytes(): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
  return getHeapStatistics().used_heap_size;
}
