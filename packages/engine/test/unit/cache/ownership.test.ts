import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, keyOf } from "@weir/kube";
import { Ownership } from "../../../src/cache/ownership.ts";

function pod(name: string, ...owners: readonly string[]): KubeObject {
  const ownerReferences = owners.map((uid) => ({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    name: uid,
    uid,
  }));
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace: "ns", name, ownerReferences } };
}

function childrenOf(ownership: Ownership, uid: string): readonly string[] {
  return [...ownership.childrenOf(uid)].map(({ name }) => name);
}

describe("Ownership", () => {
  it("follows owner references as objects come, change and go", () => {
    const ownership = new Ownership();
    const [a, b, moved] = [pod("a", "x"), pod("b", "x", "y"), pod("b", "y")];

    ownership.apply({ key: keyOf(a), before: undefined, after: a });
    ownership.apply({ key: keyOf(b), before: undefined, after: b });
    assert.deepEqual([childrenOf(ownership, "x"), childrenOf(ownership, "y")], [["a", "b"], ["b"]]);

    ownership.apply({ key: keyOf(b), before: b, after: moved });
    assert.deepEqual([childrenOf(ownership, "x"), childrenOf(ownership, "y")], [["a"], ["b"]]);

    ownership.apply({ key: keyOf(a), before: a, after: undefined });
    assert.deepEqual([childrenOf(ownership, "x"), childrenOf(ownership, "z")], [[], []]);
  });
});
