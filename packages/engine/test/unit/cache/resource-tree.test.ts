import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, keyOf, printKey } from "@weir/kube";
import { kubeObject } from "@weir/testing";
import { ObjectHolder } from "../../../src/cache/object-holder.ts";
import { OwnerIndex } from "../../../src/cache/owner-index.ts";
import { type ClusterCache, healthOf, type ResourceNode, resourceTrees } from "../../../src/index.ts";

function object(apiVersion: string, kind: string, name: string, owner = "none"): KubeObject {
  return kubeObject`
    apiVersion: ${apiVersion}
    kind: ${kind}
    metadata:
      name: ${name}
      namespace: shop
      uid: ${name}
      ownerReferences: [{ apiVersion: v1, kind: Owner, name: ${owner}, uid: ${owner} }]
  `;
}

/** A StatefulSet whose Pods claim volumes. */
const database = kubeObject`
  apiVersion: apps/v1
  kind: StatefulSet
  metadata: { name: db, namespace: shop, uid: db }
  spec: { volumeClaimTemplates: [{ metadata: { name: data } }] }
`;

/** A cache that holds these objects slim, except those that are to be whole. */
function cacheOf(
  objects: readonly KubeObject[],
  isWhole: (object: KubeObject) => boolean = () => false,
): Pick<ClusterCache, "held" | "childrenOf" | "healthOf"> {
  const holder = new ObjectHolder(undefined, (object) => healthOf(object));
  const owners = new OwnerIndex();
  const held = new Map(
    objects.map((each) => [printKey(keyOf(each)), holder.hold(each, "whole", isWhole(each))]),
  );
  held.forEach((each) => owners.replace(undefined, each));
  return {
    held: (key) => held.get(printKey(key)),
    childrenOf: (owner) => owners.childrenOf(owner),
    healthOf: (object) => healthOf(object),
  };
}

/** A line a node, indented. */
function drawn(nodes: readonly ResourceNode[], indent = ""): readonly string[] {
  return nodes.flatMap(({ object: { kind, metadata }, children }) => [
    `${indent}${kind} ${metadata.name ?? ""}`,
    ...drawn(children, `${indent}  `),
  ]);
}

describe("resource trees", () => {
  it("follow owner references down", () => {
    const others = [
      object("v1", "Pod", "web-1-b", "web-1"),
      object("v1", "Pod", "web-1-a", "web-1"),
      object("apps/v1", "ReplicaSet", "web-1", "web"),
      object("apps/v1", "ReplicaSet", "web-0", "web"),
      object("v1", "Pod", "stray", "another"),
    ];

    const trees = resourceTrees(
      [object("apps/v1", "Deployment", "web"), object("v1", "ConfigMap", "c")],
      cacheOf(others),
    );

    assert.deepEqual(drawn(trees), [
      "Deployment web",
      "  ReplicaSet web-0",
      "  ReplicaSet web-1",
      "    Pod web-1-a",
      "    Pod web-1-b",
      "ConfigMap c",
    ]);
  });

  it("follow what Kubernetes leaves unsaid, in the same namespace", () => {
    const elsewhere = kubeObject`
      { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data-db-1, namespace: other, uid: e } }
    `;
    const others = [object("v1", "PersistentVolumeClaim", "data-db-0"), elsewhere];

    assert.deepEqual(drawn(resourceTrees([database], cacheOf(others))), [
      "StatefulSet db",
      "  PersistentVolumeClaim data-db-0",
    ]);
  });

  it("know what a slim StatefulSet claims", () => {
    const claim = object("v1", "PersistentVolumeClaim", "data-db-0");

    const trees = resourceTrees([{ ...database, spec: {} }], cacheOf([database, claim]));

    assert.deepEqual(drawn(trees), ["StatefulSet db", "  PersistentVolumeClaim data-db-0"]);
  });

  it("name an object once, though it is owned in two ways", () => {
    const claim = object("v1", "PersistentVolumeClaim", "data-db-0", "db");

    const trees = resourceTrees([database], cacheOf([claim]));

    assert.deepEqual(drawn(trees), ["StatefulSet db", "  PersistentVolumeClaim data-db-0"]);
  });

  it("end where owners go round in a circle", () => {
    const a = object("v1", "Ring", "a", "b");
    const b = object("v1", "Ring", "b", "a");

    assert.deepEqual(drawn(resourceTrees([a], cacheOf([a, b]))), ["Ring a", "  Ring b"]);
  });

  it("say how each object is", () => {
    const pod = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: p, namespace: shop, uid: p }
      status: { phase: Failed, message: out of memory }
    `;

    const healths = [cacheOf([]), cacheOf([pod]), cacheOf([pod], () => true)].map(
      (cache) => resourceTrees([pod], cache)[0]?.health,
    );

    const degraded = { status: "Degraded", message: "out of memory" };
    assert.deepEqual(healths, [degraded, degraded, degraded]);
  });
});
