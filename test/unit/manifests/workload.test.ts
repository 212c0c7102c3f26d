import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { writtenContainers } from "../../../src/manifests/workload.ts";

const pod = {
  spec: {
    initContainers: [{ name: "setup", image: "busybox" }],
    containers: [
      { name: "app", image: "quay.io/org/app:1" },
      { name: "odd", image: "a:b:c" },
    ],
  },
};

describe("the containers of a live object", () => {
  const specs: readonly (readonly [kind: string, spec: object])[] = [
    ["Deployment", { template: pod }],
    ["DaemonSet", { template: pod }],
    ["StatefulSet", { template: pod }],
    ["CronJob", { jobTemplate: { spec: { template: pod } } }],
  ];
  for (const [kind, spec] of specs) {
    it(`are those of a ${kind}'s pods, as they are written`, () => {
      const object = { apiVersion: "any/v1", kind, metadata: { name: "x" }, spec: { ...spec } };

      assert.deepEqual(writtenContainers(object), pod.spec);
    });
  }

  it("are the images of a HelmRelease, by its annotations too; beside a digest there is no tag", () => {
    const object = {
      apiVersion: "helm.fluxcd.io/v1",
      kind: "HelmRelease",
      metadata: { name: "x", annotations: { "repository.fluxcd.io/app": "a.b" } },
      spec: { values: { a: { b: "org/app:1" }, image: { repository: "org/web", tag: "2@sha256:abc" } } },
    };

    assert.deepEqual(writtenContainers(object), {
      containers: [
        { name: "chart-image", image: "org/web@sha256:abc" },
        { name: "app", image: "org/app:1" },
      ],
      initContainers: [],
    });
  });

  it("are none in a workload without a spec, and in kinds that have none", () => {
    for (const kind of ["Deployment", "Service", "Pod"]) {
      assert.deepEqual(writtenContainers({ apiVersion: "v1", kind, metadata: { name: "x" } }), {
        containers: [],
        initContainers: [],
      });
    }
  });
});
