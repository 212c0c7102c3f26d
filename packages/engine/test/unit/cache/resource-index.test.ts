import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import fc from "fast-check";
import { HeldObject } from "../../../src/cache/held-object.ts";
import { ResourceIndex } from "../../../src/cache/resource-index.ts";

function object(namespace: string, name: string, resourceVersion = "1"): HeldObject {
  return held({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name, resourceVersion } });
}

function held(whole: KubeObject): HeldObject {
  return new HeldObject({ object: whole, isWhole: true, owners: [], claims: [], health: null });
}

describe("ResourceIndex", () => {
  it("finds objects by namespace and name, and lists them by namespace", () => {
    const index = new ResourceIndex();
    const [a, b, c] = [object("one", "a"), object("one", "b"), object("two", "a")];
    [a, b, c].forEach((each) => index.set(each));

    assert.equal(index.get("two", "a"), c);
    assert.equal(index.get("three", "a"), undefined);
    assert.deepEqual([...index.list()], [a, b, c]);
    assert.deepEqual([...index.list("one")], [a, b]);
    assert.deepEqual([...index.list("three")], []);
  });

  it("has objects without a namespace under the empty one", () => {
    const index = new ResourceIndex();
    const node = held({ apiVersion: "v1", kind: "Node", metadata: { name: "n" } });
    index.set(node);

    assert.equal(index.get("", "n"), node);
    assert.deepEqual([...index.list("")], [node]);
  });

  it("does as a map of namespace and name does", () => {
    const key = fc.record({ namespace: fc.constantFrom("x", "y"), name: fc.constantFrom("a", "b", "c") });
    const step = fc.record({ key, set: fc.boolean(), version: fc.nat().map(String) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const index = new ResourceIndex();
        const model = new Map<string, HeldObject>();
        for (const { key, set, version } of steps) {
          const text = `${key.namespace}/${key.name}`;
          const made = object(key.namespace, key.name, version);

          const before = set ? index.set(made) : index.delete(key.namespace, key.name);

          assert.equal(before, model.get(text));
          if (set) {
            model.set(text, made);
          } else {
            model.delete(text);
          }
        }
        assert.deepEqual(new Set(index.list()), new Set(model.values()));
      }),
    );
  });
});
