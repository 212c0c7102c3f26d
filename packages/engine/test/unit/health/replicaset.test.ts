import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { replicaSetHealth } from "../../../src/health/replicaset.ts";

describe("replicaSetHealth", () => {
  it("is healthy when all replicas are available", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: { name: web-1, generation: 1 }
      spec: { replicas: 2 }
      status: { observedGeneration: 1, availableReplicas: 2 }
    `;

    assert.deepEqual(replicaSetHealth(live), { status: "Healthy", message: "" });
  });

  it("is progressing while some are not available", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: { name: web-1, generation: 1 }
      spec: { replicas: 2 }
      status: { observedGeneration: 1, availableReplicas: 1 }
    `;

    assert.deepEqual(replicaSetHealth(live), {
      status: "Progressing",
      message: "1 of 2 replicas are available",
    });
  });

  it("is progressing while the controller has not seen the new definition", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: { name: web-1, generation: 2 }
      spec: { replicas: 2 }
      status: { observedGeneration: 1, availableReplicas: 2 }
    `;

    assert.deepEqual(replicaSetHealth(live), {
      status: "Progressing",
      message: "the new definition has not been observed yet",
    });
  });

  it("is degraded when pods cannot be created", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: { name: web-1, generation: 1 }
      spec: { replicas: 2 }
      status:
        observedGeneration: 1
        conditions:
          - { type: ReplicaFailure, status: "True", message: exceeded quota }
    `;

    assert.deepEqual(replicaSetHealth(live), { status: "Degraded", message: "exceeded quota" });
  });
});
