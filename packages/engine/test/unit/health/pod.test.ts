import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { podHealth } from "../../../src/health/pod.ts";

describe("podHealth", () => {
  it("is progressing while pending", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { restartPolicy: Always }
      status: { phase: Pending, message: no node has room }
    `;

    assert.deepEqual(podHealth(live), { status: "Progressing", message: "no node has room" });
  });

  it("is healthy when running and ready", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { restartPolicy: Always }
      status:
        phase: Running
        conditions: [{ type: Ready, status: "True" }]
    `;

    assert.deepEqual(podHealth(live), { status: "Healthy", message: "" });
  });

  it("is progressing when running and not ready for the first time", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      status:
        phase: Running
        containerStatuses: [{ name: main, state: { running: {} }, lastState: {} }]
    `;

    assert.deepEqual(podHealth(live), { status: "Progressing", message: "" });
  });

  it("is degraded when running and not ready after a container has ended", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      status:
        phase: Running
        containerStatuses: [{ name: main, state: { running: {} }, lastState: { terminated: { exitCode: 1 } } }]
    `;

    assert.deepEqual(podHealth(live), { status: "Degraded", message: "" });
  });

  it("is degraded when its image cannot be pulled", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      status:
        phase: Pending
        containerStatuses:
          - { name: main, state: { waiting: { reason: ImagePullBackOff, message: no such image } } }
          - { name: side, state: { waiting: { reason: ContainerCreating } } }
    `;

    assert.deepEqual(podHealth(live), { status: "Degraded", message: "no such image" });
  });

  it("is degraded in a crash loop", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      status:
        phase: Running
        containerStatuses: [{ name: main, state: { waiting: { reason: CrashLoopBackOff } } }]
    `;

    assert.deepEqual(podHealth(live), { status: "Degraded", message: "CrashLoopBackOff" });
  });

  it("does not give up a pod that is to end because its image cannot be pulled", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: migrate }
      spec: { restartPolicy: Never }
      status:
        phase: Pending
        containerStatuses: [{ name: main, state: { waiting: { reason: ErrImagePull } } }]
    `;

    assert.deepEqual(podHealth(live), { status: "Progressing", message: "" });
  });

  it("is progressing while a pod that is to end is running, ready or not", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: migrate }
      spec: { restartPolicy: OnFailure }
      status: { phase: Running, conditions: [{ type: Ready, status: "True" }] }
    `;

    assert.deepEqual(podHealth(live), { status: "Progressing", message: "" });
  });

  it("is healthy when succeeded", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: migrate }
      spec: { restartPolicy: Never }
      status: { phase: Succeeded }
    `;

    assert.deepEqual(podHealth(live), { status: "Healthy", message: "" });
  });

  it("is degraded when failed, with the pod's own words for it", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: migrate }
      spec: { restartPolicy: Never }
      status: { phase: Failed, message: evicted }
    `;

    assert.deepEqual(podHealth(live), { status: "Degraded", message: "evicted" });
  });

  it("reports the exit code of the failed container", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: migrate }
      spec: { restartPolicy: Never }
      status:
        phase: Failed
        initContainerStatuses: [{ name: init, state: { terminated: { exitCode: 0 } } }]
        containerStatuses: [{ name: main, state: { terminated: { exitCode: 3 } } }]
    `;

    assert.deepEqual(podHealth(live), {
      status: "Degraded",
      message: 'container "main" failed with exit code 3',
    });
  });

  it("reports that a container ran out of memory", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: migrate }
      spec: { restartPolicy: Never }
      status:
        phase: Failed
        containerStatuses: [{ name: main, state: { terminated: { exitCode: 137, reason: OOMKilled } } }]
    `;

    assert.deepEqual(podHealth(live), { status: "Degraded", message: "OOMKilled" });
  });

  it("is unknown without a phase", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
    `;

    assert.deepEqual(podHealth(live), { status: "Unknown", message: "" });
  });

  describe("with the annotation ignore-restart-policy", () => {
    const ready = `
      spec: { restartPolicy: Never }
      status: { phase: Running, conditions: [{ type: Ready, status: "True" }] }`;

    for (const prefix of ["weir.dev", "argocd.argoproj.io"]) {
      it(`is healthy when ready, whatever its policy (${prefix})`, () => {
        const live = kubeObject`
          apiVersion: v1
          kind: Pod
          metadata: { name: web, annotations: { ${prefix}/ignore-restart-policy: "true" } }
          ${ready.trim().replaceAll("\n      ", "\n          ")}
        `;

        assert.equal(podHealth(live).status, "Healthy");
      });
    }

    it("is degraded when its image can't be pulled", () => {
      const live = kubeObject`
        apiVersion: v1
        kind: Pod
        metadata: { name: web, annotations: { weir.dev/ignore-restart-policy: "true" } }
        spec: { restartPolicy: Never }
        status:
          phase: Pending
          containerStatuses: [{ name: main, state: { waiting: { reason: ImagePullBackOff, message: back-off } } }]
      `;

      assert.deepEqual(podHealth(live), { status: "Degraded", message: "back-off" });
    });

    it("is progressing as a hook, which ends", () => {
      const live = kubeObject`
        apiVersion: v1
        kind: Pod
        metadata:
          name: migrate
          annotations: { argocd.argoproj.io/ignore-restart-policy: "true", argocd.argoproj.io/hook: PostSync }
        spec: { restartPolicy: Never }
        status: { phase: Running, conditions: [{ type: Ready, status: "True" }] }
      `;

      assert.equal(podHealth(live).status, "Progressing");
    });
  });
});
