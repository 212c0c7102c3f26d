import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { clip, fit, span, widthOf, wrap } from "../../../../../cmd/fluxctl/top/line.ts";

const texts = fc.string({ unit: "grapheme", maxLength: 40 });
const widths = fc.integer({ min: 1, max: 30 });

describe("lines of fluxctl top", () => {
  it("are cut where a character would be halved", () => {
    assert.deepEqual(
      [
        clip("日本語日本語", 5),
        clip("e\u0301e\u0301e\u0301e\u0301e\u0301", 4),
        clip("👩‍👩‍👧abc", 4),
        clip("abcdef", 3),
      ],
      ["日本…", "e\u0301e\u0301e\u0301…", "👩‍👩‍👧a…", "abc"],
    );
  });

  it("are filled up to the width, also if a wide character doesn't fit", () => {
    assert.deepEqual([fit("ab", 4), fit("日本語", 4)], ["ab  ", "日… "]);
  });

  it("show what a terminal would interpret, on one line", () => {
    assert.equal(span("a\x1b[2Jb\nc\td\u202e").text, "a\\u001b[2Jb c d\\u202e");
  });

  it("keep the spaces of a diff", () => {
    assert.equal(span("+    image:  x").text, "+    image:  x");
  });

  it("never get wider than the room, and lose nothing when wrapped", () => {
    fc.assert(
      fc.property(texts, widths, (raw, width) => {
        const { text } = span(raw);
        assert.ok(widthOf(clip(text, width)) <= width);
        assert.equal(widthOf(fit(text, width)), width);
        const lines = wrap(text, Math.max(2, width));
        assert.equal(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
        assert.ok(lines.every((line) => widthOf(line) <= Math.max(2, width)));
      }),
    );
  });
});
