import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject, JsonValue } from "@weir/base";
import fc from "fast-check";
import { applyJsonMergePatch } from "../../../src/patch/json-merge.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { createThreeWayJsonMergePatch } from "../../../src/patch/three-way-json-merge.ts";

describe("createThreeWayJsonMergePatch", () => {
  it("sets what differs, deletes what was applied once, and leaves what others set", () => {
    const original = { spec: { a: 1, gone: 2, list: [1] } };
    const modified = { spec: { a: 1, list: [1, 2], map: { x: 1 } } };
    const live = { spec: { a: 5, gone: 2, other: 3, list: [1] }, status: { ready: true } };

    assert.deepEqual(createThreeWayJsonMergePatch({ original, modified, current: live }), {
      spec: { a: 1, gone: null, list: [1, 2], map: { x: 1 } },
    });
  });

  it("deletes what is newly set to null, and lets a null rest that was applied before", () => {
    const modified = { spec: { off: null, map: { off: null } } };

    assert.deepEqual(
      createThreeWayJsonMergePatch({ original: { spec: {} }, modified, current: {} }),
      modified,
    );
    assert.deepEqual(
      createThreeWayJsonMergePatch({ original: modified, modified, current: { spec: { off: 1, map: {} } } }),
      {},
    );
  });

  it("takes an empty map as a value, and a map of nulls as none", () => {
    assert.deepEqual(
      createThreeWayJsonMergePatch({ original: null, modified: { a: {}, b: { c: null } }, current: {} }),
      {
        a: {},
        b: { c: null },
      },
    );
    assert.deepEqual(
      createThreeWayJsonMergePatch({
        original: { b: { c: null } },
        modified: { b: { c: null } },
        current: {},
      }),
      {},
    );
  });

  it("takes nulls out of maps within lists, and leaves those that are items", () => {
    assert.deepEqual(
      createThreeWayJsonMergePatch({
        original: null,
        modified: { a: [null, { b: null, c: 1 }] },
        current: { a: [] },
      }),
      {
        a: [null, { c: 1 }],
      },
    );
  });

  it("brings any object to any other that has no nulls", () => {
    const object = fc.dictionary(fc.constantFrom("a", "b", "c"), withoutNulls(3), { maxKeys: 3 });

    fc.assert(
      fc.property(object, object, object, (original, modified, live) => {
        const result = applyJsonMergePatch(
          live,
          createThreeWayJsonMergePatch({ original, modified, current: live }),
        );

        assert.deepEqual(
          createThreeWayJsonMergePatch({ original: modified, modified, current: result as JsonObject }),
          {},
        );
      }),
    );
  });

  it("refuses by name what is nested ten thousand deep", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`) as JsonObject;

    assert.throws(
      () => createThreeWayJsonMergePatch({ original: null, modified: deep, current: {} }),
      PatchError,
    );
  });

  it("takes a key named __proto__ as any other", () => {
    const hostile = JSON.parse('{"__proto__":{"a":1}}') as JsonObject;

    assert.equal(
      JSON.stringify(createThreeWayJsonMergePatch({ original: null, modified: hostile, current: {} })),
      '{"__proto__":{"a":1}}',
    );
    assert.equal(
      JSON.stringify(createThreeWayJsonMergePatch({ original: hostile, modified: {}, current: hostile })),
      '{"__proto__":null}',
    );
  });
});

function withoutNulls(depth: number): fc.Arbitrary<JsonValue> {
  const scalar = fc.oneof(fc.integer(), fc.boolean(), fc.constantFrom("x", "y", ""));
  return depth === 0
    ? scalar
    : fc.oneof(
        scalar,
        fc.array(withoutNulls(depth - 1), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c"), withoutNulls(depth - 1), { maxKeys: 3 }),
      );
}
