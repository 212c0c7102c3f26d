import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { hpaHealth } from "../../../src/health/hpa.ts";

describe("hpaHealth", () => {
  it("is healthy when able to scale", () => {
    const live = kubeObject`
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: { name: web }
      status: { conditions: [{ type: AbleToScale, status: "True", message: ready for a new scale }] }
    `;

    assert.deepEqual(hpaHealth(live), { status: "Healthy", message: "ready for a new scale" });
  });

  it("is degraded when it cannot read its target's scale", () => {
    const live = kubeObject`
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: { name: web }
      status: { conditions: [{ type: AbleToScale, status: "False", reason: FailedGetScale, message: not found }] }
    `;

    assert.deepEqual(hpaHealth(live), { status: "Degraded", message: "not found" });
  });

  for (const version of ["v2", "v2beta2", "v2beta1"]) {
    it(`is degraded in ${version} when it cannot read a metric, although it could scale`, () => {
      const live = kubeObject`
        apiVersion: autoscaling/${version}
        kind: HorizontalPodAutoscaler
        metadata: { name: web }
        status:
          conditions:
            - { type: AbleToScale, status: "True", reason: SucceededGetScale, message: fine }
            - { type: ScalingActive, status: "False", reason: FailedGetObjectMetric, message: no such metric }
      `;

      assert.deepEqual(hpaHealth(live), { status: "Degraded", message: "no such metric" });
    });
  }

  it("is degraded in v1 when it cannot read a metric, although it could scale", () => {
    const live = kubeObject`
      apiVersion: autoscaling/v1
      kind: HorizontalPodAutoscaler
      metadata:
        name: web
        annotations:
          autoscaling.alpha.kubernetes.io/conditions: |
            [{"type":"AbleToScale","status":"True"},
             {"type":"ScalingActive","status":"False","reason":"FailedGetResourceMetric","message":"no metrics"}]
    `;

    assert.deepEqual(hpaHealth(live), { status: "Degraded", message: "no metrics" });
  });

  it("is healthy while it is switched off by zero replicas", () => {
    const live = kubeObject`
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: { name: web }
      status:
        conditions:
          - { type: AbleToScale, status: "True", message: fine }
          - { type: ScalingActive, status: "False", reason: ScalingDisabled }
    `;

    assert.equal(hpaHealth(live).status, "Healthy");
  });

  it("is progressing before it has conditions", () => {
    const live = kubeObject`
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: { name: web }
      status: {}
    `;

    assert.deepEqual(hpaHealth(live), { status: "Progressing", message: "not able to scale yet" });
  });

  it("reads the conditions of autoscaling/v1 from their annotation", () => {
    const live = kubeObject`
      apiVersion: autoscaling/v1
      kind: HorizontalPodAutoscaler
      metadata:
        name: web
        annotations:
          autoscaling.alpha.kubernetes.io/conditions: '[{"type":"AbleToScale","status":"True","message":"fine"}]'
    `;

    assert.deepEqual(hpaHealth(live), { status: "Healthy", message: "fine" });
  });

  it("is progressing in autoscaling/v1 before the annotation is there", () => {
    const live = kubeObject`
      apiVersion: autoscaling/v1
      kind: HorizontalPodAutoscaler
      metadata: { name: web }
    `;

    assert.deepEqual(hpaHealth(live), { status: "Progressing", message: "not able to scale yet" });
  });

  it("is unknown when the annotation is not JSON", () => {
    const live = kubeObject`
      apiVersion: autoscaling/v1
      kind: HorizontalPodAutoscaler
      metadata:
        name: web
        annotations: { autoscaling.alpha.kubernetes.io/conditions: "[{" }
    `;

    assert.equal(hpaHealth(live).status, "Unknown");
  });
});
