import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { applyJsonMergePatch } from "../../../src/patch/json-merge.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";

describe("applyJsonMergePatch", () => {
  // The examples of RFC 7386, appendix A.
  const examples: readonly (readonly [JsonValue, JsonValue, JsonValue])[] = [
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [
      ["a", "b"],
      ["c", "d"],
      ["c", "d"],
    ],
    [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, null, null],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, result] of examples) {
    it(`makes ${JSON.stringify(result)} of ${JSON.stringify(target)} by ${JSON.stringify(patch)}`, () => {
      assert.deepEqual(applyJsonMergePatch(target, patch), result);
    });
  }

  it("changes neither the target nor the patch", () => {
    const target = { a: { b: 1 } };
    const patch = { a: { b: null, c: { d: 1 } } };
    const before = structuredClone({ target, patch });

    applyJsonMergePatch(target, patch);

    assert.deepEqual({ target, patch }, before);
  });

  it("takes a key named __proto__ as any other", () => {
    const patch = JSON.parse('{"__proto__":{"polluted":1},"b":{"__proto__":null}}') as JsonValue;

    assert.equal(JSON.stringify(applyJsonMergePatch({}, patch)), '{"__proto__":{"polluted":1},"b":{}}');
    assert.ok(!("polluted" in {}));
  });

  it("refuses by name what is nested ten thousand deep", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`) as JsonValue;

    assert.throws(() => applyJsonMergePatch({}, deep), PatchError);
    assert.throws(() => applyJsonMergePatch(deep, {}), PatchError);
  });
});
