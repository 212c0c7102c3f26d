import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import fc from "fast-check";
import { pruneUnknown } from "../../../src/custom-resources/prune.ts";
import { setSchemaDefaults } from "../../../src/custom-resources/set-defaults.ts";
import type { Tree } from "../../../src/tree.ts";

const part = { type: "object", properties: { a: { type: "string", default: "x" }, b: { type: "string" } } };
const schema: JsonObject = {
  type: "object",
  properties: {
    ...part.properties,
    one: part,
    many: { type: "array", items: part },
    named: { type: "object", additionalProperties: part },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    maybe: { type: "string", nullable: true, default: "y" },
  },
};

describe("pruneUnknown", () => {
  it("removes what is not declared, and tells where it stood", () => {
    const object = {
      kind: "K",
      a: "1",
      x: 1,
      one: { b: "2", x: 1 },
      many: [{ x: 1 }],
      named: { n: { x: 1 } },
      free: { x: 1 },
    };

    const removed = pruneUnknown(schema, object);

    assert.deepEqual(removed, ["many[0].x", "named.n.x", "one.x", "x"]);
    assert.deepEqual(object, {
      kind: "K",
      a: "1",
      one: { b: "2" },
      many: [{}],
      named: { n: {} },
      free: { x: 1 },
    });
  });
});

describe("setSchemaDefaults", () => {
  it("fills in what is missing, where its parent is there", () => {
    const object: Tree = { one: {}, many: [{ b: "1" }], named: { n: {} } };

    setSchemaDefaults(schema, object);

    assert.deepEqual(object, {
      a: "x",
      maybe: "y",
      one: { a: "x" },
      many: [{ b: "1", a: "x" }],
      named: { n: { a: "x" } },
    });
  });

  it("takes a null for nothing, where none may be", () => {
    const object: Tree = { a: null, b: null, maybe: null };

    setSchemaDefaults(schema, object);

    assert.deepEqual(object, { a: "x", maybe: null });
  });
});

describe("pruning and defaulting", () => {
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom("x", 1, null),
      fc.array(tie("node"), { maxLength: 2 }),
      tie("tree"),
    ),
    tree: fc.dictionary(
      fc.constantFrom("a", "b", "one", "many", "named", "free", "maybe", "x", "__proto__"),
      tie("node"),
    ),
  })).tree;

  it("change nothing the second time", () => {
    fc.assert(
      fc.property(value, (drawn) => {
        const object = structuredClone(drawn) as Tree;
        pruneUnknown(schema, object);
        setSchemaDefaults(schema, object);
        const once = structuredClone(object);

        const removed = pruneUnknown(schema, object);
        setSchemaDefaults(schema, object);

        assert.deepEqual(removed, []);
        assert.deepEqual(object, once);
      }),
    );
  });
});
