import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "../../src/json.ts";
import { weightOfJson } from "../../src/json-weight.ts";

describe("the weight of a JSON value", () => {
  for (const [value, weight] of [
    [null, 64],
    ["four", 68],
    [[1, true], 192],
    [{ key: "four", more: undefined }, 203],
  ] as const satisfies readonly (readonly [JsonValue, number])[]) {
    it(`of ${JSON.stringify(value)} is ${weight}`, () => {
      assert.equal(weightOfJson(value), weight);
    });
  }

  it("is known of a value of any depth and breadth", () => {
    let deep: JsonValue = [];
    for (let level = 0; level < 100_000; level += 1) {
      deep = [deep];
    }

    assert.equal(
      weightOfJson([deep, Array.from({ length: 300_000 }, () => 0)]),
      64 * (2 + 100_001 + 300_000),
    );
  });
});
