import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { deploymentHealth } from "../../../src/health/deployment.ts";

describe("deploymentHealth", () => {
  it("is healthy when all replicas are updated and available", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, generation: 2 }
      spec: { replicas: 3 }
      status: { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 }
    `;

    assert.deepEqual(deploymentHealth(live), { status: "Healthy", message: "" });
  });

  it("is healthy when scaled to nothing", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, generation: 2 }
      spec: { replicas: 0 }
      status: { observedGeneration: 2 }
    `;

    assert.deepEqual(deploymentHealth(live), { status: "Healthy", message: "" });
  });

  it("is suspended when paused", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, generation: 2 }
      spec: { replicas: 3, paused: true }
      status: { observedGeneration: 2, replicas: 3, updatedReplicas: 1, availableReplicas: 3 }
    `;

    assert.deepEqual(deploymentHealth(live), { status: "Suspended", message: "the deployment is paused" });
  });

  it("is progressing while the controller has not seen the new definition", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, generation: 3 }
      spec: { replicas: 3 }
      status: { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 }
    `;

    assert.deepEqual(deploymentHealth(live), {
      status: "Progressing",
      message: "the new definition has not been observed yet",
    });
  });

  it("is progressing while replicas are to be updated", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, generation: 2 }
      spec: { replicas: 3 }
      status: { observedGeneration: 2, replicas: 4, updatedReplicas: 1, availableReplicas: 3 }
    `;

    assert.deepEqual(deploymentHealth(live), {
      status: "Progressing",
      message: "1 of 3 new replicas are updated",
    });
  });

  it("is progressing while old replicas are still there", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, generation: 2 }
      spec: { replicas: 3 }
      status: { observedGeneration: 2, replicas: 4, updatedReplicas: 3, availableReplicas: 4 }
    `;

    assert.deepEqual(deploymentHealth(live), {
      status: "Progressing",
      message: "1 old replicas are still running",
    });
  });

  it("is progressing while updated replicas are not available", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, generation: 2 }
      spec: { replicas: 3 }
      status: { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 2 }
    `;

    assert.deepEqual(deploymentHealth(live), {
      status: "Progressing",
      message: "2 of 3 updated replicas are available",
    });
  });

  it("is degraded when its progress deadline has passed", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, generation: 2 }
      spec: { replicas: 3 }
      status:
        observedGeneration: 2
        replicas: 3
        updatedReplicas: 1
        conditions:
          - { type: Available, status: "False" }
          - { type: Progressing, status: "False", reason: ProgressDeadlineExceeded }
    `;

    assert.deepEqual(deploymentHealth(live), {
      status: "Degraded",
      message: "the rollout exceeded its progress deadline",
    });
  });
});
