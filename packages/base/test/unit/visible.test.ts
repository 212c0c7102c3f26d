import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { makeVisible } from "../../src/visible.ts";

describe("makeVisible", () => {
  for (const [what, text, shown] of [
    ["the title of a window", "a\x1b]0;title\x07b", "a\\u001b]0;title\\u0007b"],
    ["a colour", "\x1b[31mred", "\\u001b[31mred"],
    ["a line that is written over", "good\rbad", "good\\u000dbad"],
    ["the control characters beyond ASCII", "\x7f\x9b31m", "\\u007f\\u009b31m"],
    ["a turned direction", "a\u202eb\u2066c", "a\\u202eb\\u2066c"],
  ] as const) {
    it(`shows ${what}`, () => {
      assert.equal(makeVisible(text), shown);
    });
  }

  it("leaves lines, tabs and the letters of all languages alone", () => {
    const text = "one\n\ttwo\r\n\u00e9 \u6f22 \u05d0 \u0623 \u{1f600} \u200d";

    assert.equal(makeVisible(text), text);
  });

  it("leaves nothing that a terminal acts upon, and changes nothing else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const shown = makeVisible(text);

        assert.doesNotMatch(
          shown.replaceAll("\r\n", ""),
          /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/,
        );
        const back = shown.replaceAll(/\\u([0-9a-f]{4})/g, (_all, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
        assert.equal(back, text);
      }),
      runs(5_000),
    );
  });

  it("leaves JSON the value that it has", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        assert.deepEqual(JSON.parse(makeVisible(JSON.stringify(value))), JSON.parse(JSON.stringify(value)));
      }),
      runs(2_000),
    );
  });
});
