import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type FieldRules, fieldsWithin, schemaOfType } from "../../../src/patch/patch-types.ts";

const types: Readonly<Record<string, ReadonlyMap<string, FieldRules>>> = {
  Tree: new Map<string, FieldRules>([
    ["children", { strategies: ["merge"], mergeKey: "name", type: "Tree" }],
    ["size", { strategies: [], isQuantity: true }],
    ["leaf", { strategies: [], type: "Unknown" }],
  ]),
  Other: new Map(),
};

describe("schemaOfType", () => {
  it("follows types that speak of themselves", () => {
    const tree = schemaOfType("Tree", (type) => types[type]);
    const children = tree?.field("children");

    assert.deepEqual([children?.strategies, children?.mergeKey], [["merge"], "name"]);
    assert.equal(children?.schema, tree);
    assert.deepEqual(tree?.field("size"), { strategies: [], isQuantity: true });
  });

  it("has no schema for types that are not known", () => {
    assert.equal(
      schemaOfType("Unknown", (type) => types[type]),
      undefined,
    );
    assert.deepEqual(schemaOfType("Tree", (type) => types[type])?.field("leaf"), { strategies: [] });
  });

  it("reads a type when it is asked for, and once", () => {
    const asked: string[] = [];
    const tree = schemaOfType("Tree", (type) => {
      asked.push(type);
      return types[type];
    });

    assert.deepEqual(asked, ["Tree"]);

    tree?.field("leaf");
    tree?.field("leaf");
    tree?.field("children");

    assert.deepEqual(asked, ["Tree", "Unknown"]);
  });
});

describe("fieldsWithin", () => {
  it("keeps the types that a type has within it, and no others", () => {
    const fieldsOf = fieldsWithin("Tree", (type) => types[type]);

    assert.equal(fieldsOf("Tree"), types["Tree"]);
    assert.equal(fieldsOf("Other"), undefined);
  });
});
