import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { daemonSetHealth } from "../../../src/health/daemonset.ts";

describe("daemonSetHealth", () => {
  it("is healthy when every node has its updated pod available", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: { name: agent, generation: 1 }
      spec: { updateStrategy: { type: RollingUpdate } }
      status: { observedGeneration: 1, desiredNumberScheduled: 4, updatedNumberScheduled: 4, numberAvailable: 4 }
    `;

    assert.deepEqual(daemonSetHealth(live), { status: "Healthy", message: "" });
  });

  it("is progressing while pods are to be updated", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: { name: agent, generation: 1 }
      status: { observedGeneration: 1, desiredNumberScheduled: 4, updatedNumberScheduled: 1, numberAvailable: 4 }
    `;

    assert.deepEqual(daemonSetHealth(live), { status: "Progressing", message: "1 of 4 pods are updated" });
  });

  it("is progressing while pods are not available", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: { name: agent, generation: 1 }
      status: { observedGeneration: 1, desiredNumberScheduled: 4, updatedNumberScheduled: 4, numberAvailable: 3 }
    `;

    assert.deepEqual(daemonSetHealth(live), {
      status: "Progressing",
      message: "3 of 4 updated pods are available",
    });
  });

  it("is progressing while the controller has not seen the new definition", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: { name: agent, generation: 2 }
      spec: { updateStrategy: { type: OnDelete } }
      status: { observedGeneration: 1, desiredNumberScheduled: 4, updatedNumberScheduled: 4, numberAvailable: 4 }
    `;

    assert.deepEqual(daemonSetHealth(live), {
      status: "Progressing",
      message: "the new definition has not been observed yet",
    });
  });

  it("does not wait for pods that are updated only when someone deletes them", () => {
    const live = kubeObject`
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: { name: agent, generation: 1 }
      spec: { updateStrategy: { type: OnDelete } }
      status: { observedGeneration: 1, desiredNumberScheduled: 4, updatedNumberScheduled: 1 }
    `;

    assert.deepEqual(daemonSetHealth(live), { status: "Healthy", message: "1 of 4 pods are updated" });
  });
});
