import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject, JsonValue } from "@weir/base";
import fc from "fast-check";
import { applyJsonMergePatch } from "../../../src/patch/json-merge.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { createTwoWayJsonMergePatch } from "../../../src/patch/two-way-json-merge.ts";

describe("createTwoWayJsonMergePatch", () => {
  it("has changes, additions and deletions in one, and lists as a whole", () => {
    const original = { kept: { a: 1 }, gone: true, list: [1, 2], deep: { x: 1, y: { z: 1 } } };
    const modified = { kept: { a: 1 }, list: [1], deep: { x: "1", y: { z: 1, added: {} } } };

    assert.deepEqual(createTwoWayJsonMergePatch(original, modified), {
      gone: null,
      list: [1],
      deep: { x: "1", y: { added: {} } },
    });
  });

  it("makes the modified object of the original one, where that has no null", () => {
    fc.assert(
      fc.property(objects(), objects(), (original, modified) => {
        const patch = createTwoWayJsonMergePatch(original, modified);

        assert.deepEqual(applyJsonMergePatch(original, patch), modified);
      }),
    );
  });

  it("is empty only where nothing differs", () => {
    fc.assert(
      fc.property(objects(), (object) => {
        assert.deepEqual(createTwoWayJsonMergePatch(object, structuredClone(object)), {});
      }),
    );
  });

  it("refuses by name what is nested ten thousand deep", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`) as JsonObject;

    assert.throws(() => createTwoWayJsonMergePatch({}, deep), PatchError);
  });
});

/** Objects that have much in common, without null. */
function objects(): fc.Arbitrary<JsonObject> {
  const { object } = fc.letrec<{ object: JsonObject; value: JsonValue }>((tie) => ({
    object: fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("value"), {
      noNullPrototype: true,
    }),
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>(0, 1, "x", true),
      fc.array(tie("object"), { maxLength: 2 }),
      tie("object"),
    ),
  }));
  return object;
}
