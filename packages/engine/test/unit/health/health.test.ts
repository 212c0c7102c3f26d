import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { kubeObject } from "@weir/testing";
import { fc, runs } from "@weir/testing/property";
import { healthOf } from "../../../src/health/health.ts";
import { type HealthStatus, health } from "../../../src/health/health-status.ts";

const statuses: ReadonlySet<string> = new Set<HealthStatus>([
  "Healthy",
  "Suspended",
  "Progressing",
  "Missing",
  "Degraded",
  "Unknown",
]);

/** Objects with the fields that rules read, where each may be anything. */
function oddObjects(): fc.Arbitrary<JsonObject> {
  const field = fc.oneof(
    fc.constantFrom("True", "constructor", "Always", "Running", "Ready", "", "[{", true, null),
    fc.integer({ min: -1, max: 3 }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const names = (known: readonly string[]): fc.Arbitrary<JsonObject> =>
    fc.dictionary(fc.constantFrom(...known), field, { maxKeys: 6 });
  const condition = names([
    "type",
    "status",
    "reason",
    "message",
    "observedGeneration",
    "state",
    "lastState",
  ]);
  const lists = fc.oneof(field, fc.array(fc.oneof(condition, field), { maxLength: 3 }));
  const status = fc
    .tuple(
      names(["phase", "observedGeneration", "replicas", "message", "loadBalancer", "updatedReplicas"]),
      lists,
      lists,
    )
    .map(([some, conditions, containerStatuses]) => ({ ...some, conditions, containerStatuses }));
  const annotations = names([
    "autoscaling.alpha.kubernetes.io/conditions",
    "argocd.argoproj.io/ignore-restart-policy",
    "weir.dev/hook",
    "weir.dev/ignore-healthcheck",
    "rollout.argoproj.io/workload-generation",
  ]);
  const metadata = fc
    .tuple(names(["generation", "deletionTimestamp", "name"]), fc.oneof(field, annotations))
    .map(([some, all]) => ({ ...some, annotations: all }));
  const spec = names([
    "restartPolicy",
    "replicas",
    "suspend",
    "paused",
    "updateStrategy",
    "type",
    "workloadRef",
  ]);
  return fc.record({
    metadata: fc.oneof(field, metadata),
    spec: fc.oneof(field, spec),
    status: fc.oneof(field, status),
  });
}

describe("healthOf", () => {
  it("has no opinion about a kind that just is", () => {
    assert.equal(healthOf(kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }`), undefined);
  });

  it("judges by group and kind, whatever the version", () => {
    const live = kubeObject`{ apiVersion: apps/v1beta2, kind: Deployment, metadata: { name: a }, spec: { paused: true } }`;

    assert.equal(healthOf(live)?.status, "Suspended");
  });

  it("does not take a custom kind for a built-in one of the same name", () => {
    const live = kubeObject`{ apiVersion: serving.knative.dev/v1, kind: Service, metadata: { name: a } }`;

    assert.equal(healthOf(live), undefined);
  });

  it("is progressing while being deleted, whatever the status says", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: a, deletionTimestamp: "2026-11-21T10:00:00Z" }
      status: { phase: Succeeded }
    `;

    assert.deepEqual(healthOf(live), { status: "Progressing", message: "being deleted" });
  });

  it("prefers a custom rule", () => {
    const live = kubeObject`{ apiVersion: v1, kind: Service, metadata: { name: a } }`;

    assert.deepEqual(
      healthOf(live, () => health("Degraded", "so we say")),
      { status: "Degraded", message: "so we say" },
    );
  });

  it("falls back to the built-in rule if the custom rule does not apply", () => {
    const live = kubeObject`{ apiVersion: v1, kind: Service, metadata: { name: a } }`;

    assert.deepEqual(
      healthOf(live, () => undefined),
      { status: "Healthy", message: "" },
    );
  });

  it("has no opinion about an object whose health is to be ignored, unless it's being deleted", () => {
    const metadata = { name: "a", annotations: { "weir.dev/ignore-healthcheck": "true" } };
    const live = { apiVersion: "v1", kind: "Pod", metadata, status: { phase: "Failed" } };

    assert.equal(healthOf(live), undefined);
    assert.equal(
      healthOf({ ...live, metadata: { ...metadata, deletionTimestamp: "2026-11-21T10:00:00Z" } })?.status,
      "Progressing",
    );
  });

  it("judges a kind without a rule by its conditions", () => {
    const live = kubeObject`
      apiVersion: example.com/v1
      kind: Database
      metadata: { name: a }
      status: { conditions: [{ type: Ready, status: "False", message: creating }] }
    `;

    assert.deepEqual(healthOf(live), { status: "Progressing", message: "creating" });
  });

  it("has no opinion about a list, which has no metadata", () => {
    assert.equal(healthOf({ apiVersion: "v1", kind: "List", items: [] } as unknown as KubeObject), undefined);
  });

  it("judges any JSON object, however odd", () => {
    const kinds = [
      ["v1", "Pod"],
      ["v1", "Service"],
      ["v1", "PersistentVolumeClaim"],
      ["apiextensions.k8s.io/v1", "CustomResourceDefinition"],
      ["apiregistration.k8s.io/v1", "APIService"],
      ["apps/v1", "DaemonSet"],
      ["apps/v1", "Deployment"],
      ["apps/v1", "ReplicaSet"],
      ["apps/v1", "StatefulSet"],
      ["argoproj.io/v1alpha1", "ApplicationSet"],
      ["argoproj.io/v1alpha1", "CronWorkflow"],
      ["argoproj.io/v1alpha1", "EventBus"],
      ["argoproj.io/v1alpha1", "Rollout"],
      ["argoproj.io/v1alpha1", "Workflow"],
      ["autoscaling/v1", "HorizontalPodAutoscaler"],
      ["autoscaling/v2", "HorizontalPodAutoscaler"],
      ["batch/v1", "Job"],
      ["networking.k8s.io/v1", "Ingress"],
      ["example.com/v1", "Database"],
    ] as const;
    const odd = oddObjects();
    const typed = fc.tuple(fc.constantFrom(...kinds), odd).map(([[apiVersion, kind], rest]) => ({
      ...rest,
      apiVersion,
      kind,
    }));

    fc.assert(
      fc.property(fc.oneof(typed, odd, fc.jsonValue()), (value) => {
        const found = healthOf(value as unknown as KubeObject);

        assert.ok(found === undefined || (statuses.has(found.status) && typeof found.message === "string"));
      }),
      runs(2_000),
    );
  });

  it("is unknown if the custom rule throws", () => {
    const live = kubeObject`{ apiVersion: v1, kind: Service, metadata: { name: a } }`;
    const broken = () => {
      throw new Error("no status.conditions");
    };

    assert.deepEqual(healthOf(live, broken), { status: "Unknown", message: "no status.conditions" });
  });
});
