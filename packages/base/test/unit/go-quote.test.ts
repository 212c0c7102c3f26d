import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { quoteGo } from "../../src/go-quote.ts";

describe("quoteGo", () => {
  for (const [text, quoted] of [
    ["plain", '"plain"'],
    ['a "b" \\', '"a \\"b\\" \\\\"'],
    ["tab\there\n", '"tab\\there\\n"'],
    ["\x07\b\f\r\v", '"\\a\\b\\f\\r\\v"'],
    ["\x00\x1b\x7f", '"\\x00\\x1b\\x7f"'],
    ["h\u00fclle \u4e16 \u{1f600}", '"h\u00fclle \u4e16 \u{1f600}"'],
    ["\u200b\u2028", '"\\u200b\\u2028"'],
    ["\u{e0001}", '"\\U000e0001"'],
    ["<&>'", `"<&>'"`],
  ] as const) {
    it(`quotes ${JSON.stringify(text)} as Go's %q`, () => {
      assert.equal(quoteGo(text), quoted);
    });
  }
});
