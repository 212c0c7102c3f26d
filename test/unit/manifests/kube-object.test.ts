import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toKubeObject } from "../../../src/manifests/kube-object.ts";
import { oneManifest } from "../../support/parsed-manifests.ts";

describe("toKubeObject", () => {
  const text = "{apiVersion: v1, kind: ConfigMap, metadata: {name: 1}, data: {1: a, n: 1.0}}";

  it("gives the object as kubectl reads it, its names as texts", () => {
    assert.deepEqual(toKubeObject(oneManifest(text).resourceIn("demo")), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "1" },
      data: { "1": "a", false: 1 },
    });
  });

  it("makes the object once", () => {
    const resource = oneManifest(text).resourceIn("demo");

    assert.equal(toKubeObject(resource), toKubeObject(resource));
  });

  it("reads the bytes of a resource that was not loaded from files", () => {
    const resource = { ...oneManifest(text).resourceIn("demo") };

    assert.deepEqual(toKubeObject(resource), toKubeObject(oneManifest(text).resourceIn("demo")));
  });
});
