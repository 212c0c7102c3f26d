import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { TextBuilder } from "../../../../src/manifests/yaml/text-builder.ts";

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
});
