import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Tail } from "../../../src/node/tail.ts";

describe("Tail", () => {
  it("is all that was said, as long as that is not too much", () => {
    assert.equal(tailOf(6, ["abc", "", "def"]).text, "abcdef");
  });

  it("is the end, and says how much came before", () => {
    assert.equal(tailOf(4, ["abc", "def", "g"]).text, "... (3 bytes left out)\ndefg");
  });

  it("is the same however the output came in pieces", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme-ascii" })),
        fc.integer({ min: 1, max: 9 }),
        (pieces, most) => {
          assert.equal(tailOf(most, pieces).text, tailOf(most, [pieces.join("")]).text);
        },
      ),
    );
  });
});

function tailOf(most: number, pieces: readonly string[]): Tail {
  const tail = new Tail(most);
  pieces.forEach((piece) => tail.add(Buffer.from(piece)));
  return tail;
}
