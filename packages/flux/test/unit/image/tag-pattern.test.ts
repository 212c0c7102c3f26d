import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseTagPattern } from "../../../src/image/tag-pattern.ts";

describe("parseTagPattern", () => {
  it("takes no time over an expression that makes others search for ever", () => {
    assert.equal(parseTagPattern("regexp:^(a+)+$").matches(`${"a".repeat(5_000)}!`), false);
  });
});
