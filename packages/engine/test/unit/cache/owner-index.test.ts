import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { HeldObject } from "../../../src/cache/held-object.ts";
import { OwnerIndex } from "../../../src/cache/owner-index.ts";

function held(uid: string, owners: readonly string[], claims: readonly string[] = []): HeldObject {
  const object = { apiVersion: "v1", kind: "Pod", metadata: { name: uid, uid } };
  return new HeldObject({ object, isWhole: false, owners, claims, health: null });
}

function childrenOf(index: OwnerIndex, uid: string, claims: readonly string[] = []): readonly string[] {
  return [...index.childrenOf(held(uid, [], claims))].map(({ object }) => object.metadata.uid ?? "").sort();
}

describe("OwnerIndex", () => {
  it("follows owners as objects come, change and go", () => {
    const index = new OwnerIndex();
    const [a, b, moved] = [held("a", ["x"]), held("b", ["x", "y"]), held("b", ["y"])];

    index.replace(undefined, a);
    index.replace(undefined, b);
    assert.deepEqual([childrenOf(index, "x"), childrenOf(index, "y")], [["a", "b"], ["b"]]);

    index.replace(b, moved);
    assert.deepEqual([childrenOf(index, "x"), childrenOf(index, "y")], [["a"], ["b"]]);

    index.replace(a, undefined);
    assert.deepEqual([childrenOf(index, "x"), childrenOf(index, "z")], [[], []]);
  });

  it("names a child once that is owned in two ways", () => {
    const index = new OwnerIndex();
    index.replace(undefined, held("claim", ["set", "volumes of ns/data-set"]));

    assert.deepEqual(childrenOf(index, "set", ["volumes of ns/data-set"]), ["claim"]);
  });

  it("knows what a search of all objects would find", () => {
    const owners = fc.uniqueArray(fc.constantFrom("x", "y", "z"));
    const step = fc.record({ name: fc.constantFrom("a", "b", "c"), owners, gone: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const index = new OwnerIndex();
        const all = new Map<string, HeldObject>();
        for (const { name, owners: named, gone } of steps) {
          const after = gone ? undefined : held(name, named);
          index.replace(all.get(name), after);
          if (after === undefined) {
            all.delete(name);
          } else {
            all.set(name, after);
          }
          for (const owner of ["x", "y", "z"]) {
            const found = [...all.values()].filter((each) => each.owners.includes(owner));
            assert.deepEqual(
              childrenOf(index, owner),
              found.map(({ object }) => object.metadata.uid ?? "").sort(),
            );
          }
        }
      }),
    );
  });
});
