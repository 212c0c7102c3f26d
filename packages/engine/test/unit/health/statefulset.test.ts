import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { statefulSetHealth } from "../../../src/health/statefulset.ts";

describe("statefulSetHealth", () => {
  it("is healthy when its pods are ready and of the newest revision", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db, generation: 1 }
      spec: { replicas: 2, updateStrategy: { type: RollingUpdate, rollingUpdate: { partition: 0 } } }
      status: { observedGeneration: 1, readyReplicas: 2, updateRevision: b, currentRevision: b }
    `;

    assert.deepEqual(statefulSetHealth(live), { status: "Healthy", message: "" });
  });

  it("is progressing before any controller has looked at it", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec: { replicas: 0 }
    `;

    assert.deepEqual(statefulSetHealth(live), {
      status: "Progressing",
      message: "the new definition has not been observed yet",
    });
  });

  it("is progressing while pods are not ready", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db, generation: 1 }
      spec: { replicas: 2 }
      status: { observedGeneration: 1, readyReplicas: 1 }
    `;

    assert.deepEqual(statefulSetHealth(live), { status: "Progressing", message: "1 of 2 pods are ready" });
  });

  it("is progressing while pods are of the old revision", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db, generation: 1 }
      spec: { replicas: 2, updateStrategy: { type: RollingUpdate } }
      status: { observedGeneration: 1, readyReplicas: 2, updatedReplicas: 1, updateRevision: b, currentRevision: a }
    `;

    assert.deepEqual(statefulSetHealth(live), { status: "Progressing", message: "1 of 2 pods are updated" });
  });

  it("is progressing while pods above the partition are of the old revision", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db, generation: 1 }
      spec: { replicas: 3, updateStrategy: { type: RollingUpdate, rollingUpdate: { partition: 1 } } }
      status: { observedGeneration: 1, readyReplicas: 3, updatedReplicas: 1, updateRevision: b, currentRevision: a }
    `;

    assert.deepEqual(statefulSetHealth(live), { status: "Progressing", message: "1 of 2 pods are updated" });
  });

  it("is healthy when all pods above the partition are updated", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db, generation: 1 }
      spec: { replicas: 3, updateStrategy: { type: RollingUpdate, rollingUpdate: { partition: 1 } } }
      status: { observedGeneration: 1, readyReplicas: 3, updatedReplicas: 2, updateRevision: b, currentRevision: a }
    `;

    assert.deepEqual(statefulSetHealth(live), { status: "Healthy", message: "2 of 2 pods are updated" });
  });

  it("does not wait for pods that are updated only when someone deletes them", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db, generation: 1 }
      spec: { replicas: 1, updateStrategy: { type: OnDelete } }
      status: { observedGeneration: 1, readyReplicas: 1, updateRevision: b, currentRevision: a }
    `;

    assert.deepEqual(statefulSetHealth(live), {
      status: "Healthy",
      message: "pods are updated when they are deleted",
    });
  });
});
