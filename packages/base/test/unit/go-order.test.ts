import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { compareGoStrings } from "../../src/go-order.ts";

describe("compareGoStrings", () => {
  it("orders as the UTF-8 bytes of the strings", () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom("\u{1F600}", "\uffff", "\ue000", "a"), fc.string()),
    });

    fc.assert(
      fc.property(text, text, (a, b) => {
        const [first, second] = [a.toWellFormed(), b.toWellFormed()];

        assert.equal(
          Math.sign(compareGoStrings(first, second)),
          Buffer.compare(Buffer.from(first), Buffer.from(second)),
        );
      }),
    );
  });
});
