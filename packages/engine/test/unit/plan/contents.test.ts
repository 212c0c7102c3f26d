import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, keyOf } from "@weir/kube";
import { contentsOf } from "../../../src/plan/contents.ts";
import { thing } from "../../support/engine-objects.ts";

const objects = [
  thing("v1 ConfigMap", "demo/a"),
  thing("v1 ConfigMap", "other/a"),
  thing("v1 Namespace", "demo"),
  thing("example.test/v1 Policy", "demo/p"),
  thing("example.test/v1 Pod", "demo/p"),
  thing("v1 Pod", "demo/p"),
];

function inside(container: KubeObject): readonly string[] | undefined {
  const contains = contentsOf(container);
  return contains && objects.filter((object) => contains(keyOf(object))).map(({ kind }) => kind);
}

const definition = thing("apiextensions.k8s.io/v1 CustomResourceDefinition", "policies.example.test");

describe("contentsOf", () => {
  it("is everything in a namespace", () => {
    assert.deepEqual(inside(thing("v1 Namespace", "demo")), ["ConfigMap", "Policy", "Pod", "Pod"]);
  });

  it("is all objects of a definition's kind", () => {
    const spec = { group: "example.test", names: { kind: "Policy", plural: "policies" } };

    assert.deepEqual(inside({ ...definition, spec }), ["Policy"]);
  });

  it("goes by the name of a definition of which only the metadata is known", () => {
    assert.deepEqual(inside(definition), ["Policy"]);
  });

  it("is nothing for other objects", () => {
    assert.equal(inside(thing("v1 ConfigMap", "demo/a")), undefined);
    assert.equal(inside(thing("example.test/v1 Namespace", "demo")), undefined);
  });
});
