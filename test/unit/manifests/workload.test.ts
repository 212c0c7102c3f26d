import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { printImageRef } from "../../../src/image/ref.ts";
import { containersOf } from "../../../src/manifests/workload.ts";

const pod = {
  spec: {
    initContainers: [{ name: "setup", image: "busybox" }],
    containers: [
      { name: "app", image: "quay.io/org/app:1" },
      { name: "odd", image: "a:b:c" },
    ],
  },
};

describe("containersOf", () => {
  const specs: readonly (readonly [kind: string, spec: object])[] = [
    ["Deployment", { template: pod }],
    ["DaemonSet", { template: pod }],
    ["StatefulSet", { template: pod }],
    ["CronJob", { jobTemplate: { spec: { template: pod } } }],
  ];
  for (const [kind, spec] of specs) {
    it(`finds the containers of a ${kind}, init containers last`, () => {
      const object = { apiVersion: "any/v1", kind, metadata: { name: "x" }, spec: { ...spec } };

      const containers = containersOf(object);

      assert.deepEqual(
        containers?.map(({ name, image }) => [name, printImageRef(image)]),
        [
          ["app", "quay.io/org/app:1"],
          ["odd", "a:b:c"],
          ["setup", "busybox"],
        ],
      );
    });
  }

  it("finds the images of a HelmRelease by its annotations too", () => {
    const object = {
      apiVersion: "helm.fluxcd.io/v1",
      kind: "HelmRelease",
      metadata: { name: "x", annotations: { "repository.fluxcd.io/app": "a.b" } },
      spec: { values: { a: { b: "org/app:1" } } },
    };

    assert.deepEqual(
      containersOf(object)?.map(({ name, image }) => [name, printImageRef(image)]),
      [["app", "org/app:1"]],
    );
  });

  it("finds none in a workload without a spec, and knows kinds that have none", () => {
    const kinds = ["Deployment", "Service", "Pod"];

    assert.deepEqual(
      kinds.map((kind) => containersOf({ apiVersion: "v1", kind, metadata: { name: "x" } })),
      [[], undefined, undefined],
    );
  });
});
