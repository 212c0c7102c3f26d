import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { JsonValue } from "../../src/json.ts";
import { equalJson } from "../../src/json-equal.ts";

describe("equalJson", () => {
  it("agrees with a strict deep comparison", () => {
    const small = fc.jsonValue({ maxDepth: 3 });

    fc.assert(
      fc.property(small, small, (a, b) => {
        assert.equal(
          equalJson(a as JsonValue, b as JsonValue),
          isDeepStrictEqual(a, b) || (a === 0 && b === 0),
        );
        assert.ok(equalJson(a, structuredClone(a)));
      }),
    );
  });

  it("does not mind the order of keys", () => {
    assert.ok(equalJson({ a: 1, b: [2] }, { b: [2], a: 1 }));
  });

  it("does not mistake what objects inherit for members", () => {
    assert.ok(!equalJson({ constructor: 1 }, { toString: 1 }));
    assert.ok(!equalJson(JSON.parse('{"__proto__":{}}') as JsonValue, { a: 1 }));
  });

  it("counts undefined members as missing", () => {
    assert.ok(equalJson({ a: 1, b: undefined }, { a: 1 }));
    assert.ok(!equalJson({ a: undefined }, { b: 1 }));
  });
});
