import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { layOut } from "../../../../../cmd/weir/demo/narration/lay-out.ts";

describe("a text on the screen", () => {
  it("is broken at blanks", () => {
    assert.deepEqual(layOut("one two three", 8), ["one two", "three"]);
  });

  it("is broken anywhere in a word that is too long", () => {
    assert.deepEqual(layOut("see abcdefghijk", 5), ["see", "abcde", "fghij", "k"]);
  });

  it("ends with an ellipsis after four lines", () => {
    assert.deepEqual(layOut("a b c d e f", 1), ["a", "b", "c", "…"]);
  });

  it("does nothing to the terminal", () => {
    assert.deepEqual(layOut("a\u001b[2J", 20), [String.raw`a\u001b[2J`]);
  });

  it("is never wider than asked for, and keeps what fits", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z ]{0,60}$/), fc.integer({ min: 1, max: 40 }), (text, width) => {
        const lines = layOut(text, width);
        assert.ok(lines.length <= 4 && lines.every((line) => line.length <= width));
        if (lines.length < 4) {
          assert.equal(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
        }
      }),
    );
  });
});
