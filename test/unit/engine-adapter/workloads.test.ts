import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef, printImageRef, type Workload } from "@weir/flux";
import type { KubeObject, ObjectMeta } from "@weir/kube";
import { kubeObject } from "@weir/testing";
import { toWorkload, workloadGroupKinds, workloadKindOf } from "../../../src/engine-adapter/workloads.ts";

const deployment = kubeObject`
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
    namespace: shop
    generation: 2
  spec:
    replicas: 1
    template:
      spec:
        initContainers:
          - {name: migrate, image: "example.test/migrate:1"}
        containers:
          - {name: web, image: "example.test/web:2"}
          - {name: log, image: "log@sha256:abcd"}
  status:
    observedGeneration: 2
    replicas: 1
    updatedReplicas: 1
    readyReplicas: 1
    availableReplicas: 1
`;

function withMetadata(metadata: ObjectMeta, object: KubeObject = deployment): KubeObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

const problem = "expected image name as either <image>:<tag> or just <image>: invalid image ID";
const problems = { "app:1:bad": problem, "/init": `parsing "/init": ${problem}` };

function read(object: KubeObject, syncError?: string): Workload | undefined {
  return toWorkload(object, () => syncError);
}

describe("a live workload", () => {
  it("is told with its rollout and its containers, init containers last", () => {
    assert.deepEqual(read(deployment), {
      id: "shop:deployment/web",
      status: "ready",
      rollout: { desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: null },
      labels: null,
      policies: {},
      containers: [
        { name: "web", image: parseImageRef("example.test/web:2") },
        { name: "log", image: parseImageRef("log@sha256:abcd") },
        { name: "migrate", image: parseImageRef("example.test/migrate:1") },
      ],
    });
  });

  it("has its labels, and policies by annotations of the newer prefix only, as in Flux v1", () => {
    const workload = read(
      withMetadata({
        labels: { app: "web" },
        annotations: {
          "fluxcd.io/automated": "true",
          "fluxcd.io/locked": "false",
          "fluxcd.io/tag.web": "semver:~1",
          "flux.weave.works/ignore": "true",
          "example.test/other": "true",
        },
      }),
    );

    assert.deepEqual(workload?.labels, { app: "web" });
    assert.deepEqual(workload.policies, { automated: "true", locked: "false", "tag.web": "semver:~1" });
  });

  it("bears the error of its last sync, asked for by its ID", () => {
    const asked: string[] = [];
    const workload = toWorkload(deployment, (id) => {
      asked.push(id);
      return "refused";
    });

    assert.equal(workload?.syncError, "refused");
    assert.deepEqual(asked, ["shop:deployment/web"]);
  });

  it("names what made it where that can be read", () => {
    const by = (text: string): Workload | undefined =>
      read(withMetadata({ annotations: { "helm.fluxcd.io/antecedent": text } }));

    assert.equal(by("shop:helmrelease/chart")?.antecedent, "shop:helmrelease/chart");
    assert.equal(by("not an ID")?.antecedent, undefined);
  });

  for (const [kind, apiVersion, status] of [
    ["DaemonSet", "apps/v1", "ready"],
    ["StatefulSet", "apps/v1", "ready"],
    ["CronJob", "batch/v1", "ready"],
  ] as const) {
    it(`may be a ${kind}`, () => {
      const object = { apiVersion, kind, metadata: { name: "x", namespace: "shop" } };

      assert.deepEqual([read(object)?.id, read(object)?.status], [`shop:${kind.toLowerCase()}/x`, status]);
    });
  }

  it("may be a HelmRelease, whose images stand in its values", () => {
    const release = kubeObject`
      apiVersion: helm.fluxcd.io/v1
      kind: HelmRelease
      metadata: {name: chart, namespace: shop}
      spec: {values: {image: "example.test/web:3"}}
      status: {releaseStatus: deployed}
    `;

    const workload = read(release);

    assert.equal(workload?.status, "deployed");
    assert.deepEqual(workload.containers, [
      { name: "chart-image", image: parseImageRef("example.test/web:3") },
    ]);
  });

  for (const [containers, initContainers, readable, unreadable] of [
    [["app:1:bad"], ["init:1"], ["init:1"], "app:1:bad"],
    [["app:1", "app:1:bad", "side:2"], [], [], "app:1:bad"],
    [["app:1"], ["/init"], [], "/init"],
    [["app:1:bad"], ["/init"], [], "/init"],
    [["app:1"], ["init:1"], ["app:1", "init:1"], undefined],
  ] as const) {
    const images = `${containers.join(", ")} and ${initContainers.join(", ") || "no init containers"}`;
    it(`with ${images} tells of ${readable.join(", ") || "no containers"}, as in Flux v1`, () => {
      const named = (images: readonly string[]): { name: string; image: string }[] =>
        images.map((image) => ({ name: image, image }));
      const spec = { containers: named(containers), initContainers: named(initContainers) };

      const workload = read({ ...deployment, spec: { template: { spec } } });

      assert.deepEqual(
        workload?.containers.map(({ image }) => printImageRef(image)),
        readable,
      );
      assert.equal(workload.unreadable, unreadable && problems[unreadable]);
    });
  }

  it("may be a HelmRelease with a tag and a digest: as in Flux v1, the digest alone is told", () => {
    const release = kubeObject`
      apiVersion: helm.fluxcd.io/v1
      kind: HelmRelease
      metadata: {name: chart, namespace: shop}
      spec: {values: {image: {repository: example.test/web, tag: "3@sha256:abcd"}}}
    `;

    assert.deepEqual(read(release)?.containers, [
      { name: "chart-image", image: parseImageRef("example.test/web@sha256:abcd") },
    ]);
  });

  for (const kind of ["Pod", "ReplicaSet", "Job", "ConfigMap", "DeploymentList"]) {
    it(`is not a ${kind}`, () => {
      assert.equal(read({ ...deployment, kind }), undefined);
    });
  }
});

describe("add-ons that the cluster manages by itself", () => {
  for (const [labels, isAddon] of [
    [{ "kubernetes.io/cluster-service": "true" }, true],
    [{ "addonmanager.kubernetes.io/mode": "EnsureExists" }, true],
    [{ "addonmanager.kubernetes.io/mode": "Reconcile" }, true],
    [{ "addonmanager.kubernetes.io/mode": "Ignore" }, false],
    [{ "kubernetes.io/cluster-service": "false" }, false],
    [{}, false],
  ] as const) {
    it(`are ${isAddon ? "" : "not "}those of kube-system labelled ${JSON.stringify(labels)}`, () => {
      assert.equal(read(withMetadata({ namespace: "kube-system", labels })) === undefined, isAddon);
    });
  }

  it("are in kube-system only", () => {
    const labelled = withMetadata({ labels: { "kubernetes.io/cluster-service": "true" } });

    assert.equal(read(labelled)?.id, "shop:deployment/web");
  });
});

describe("the kinds of workloads", () => {
  it("are found by the kind of a resource ID", () => {
    const { group, kind } = workloadKindOf("cronjob") ?? {};

    assert.deepEqual({ group, kind }, { group: "batch", kind: "CronJob" });
    assert.equal(workloadKindOf("service"), undefined);
    assert.equal(workloadKindOf("constructor"), undefined);
  });

  it("are the five of Flux v1", () => {
    assert.deepEqual(workloadGroupKinds.map(({ group, kind }) => `${group}/${kind}`).toSorted(), [
      "apps/DaemonSet",
      "apps/Deployment",
      "apps/StatefulSet",
      "batch/CronJob",
      "helm.fluxcd.io/HelmRelease",
    ]);
  });
});
