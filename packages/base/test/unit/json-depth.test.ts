import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "../../src/json.ts";
import { isTooDeep, maxJsonDepth } from "../../src/json-depth.ts";

describe("isTooDeep", () => {
  it("takes values up to the limit", () => {
    assert.ok(!isTooDeep("scalar"));
    assert.ok(!isTooDeep(nested(maxJsonDepth)));
  });

  it("finds deeper ones, however deep", () => {
    assert.ok(isTooDeep(nested(maxJsonDepth + 1)));
    assert.ok(isTooDeep({ wide: [1, 2, { deep: nested(100_000) }] }));
  });
});

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level++) {
    value = level % 2 === 0 ? [value] : { a: value };
  }
  return value;
}
