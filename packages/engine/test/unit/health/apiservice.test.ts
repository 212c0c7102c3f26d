import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { apiServiceHealth } from "../../../src/health/apiservice.ts";

describe("apiServiceHealth", () => {
  it("is healthy when available", () => {
    const live = kubeObject`
      apiVersion: apiregistration.k8s.io/v1
      kind: APIService
      metadata: { name: v1.apps }
      status: { conditions: [{ type: Available, status: "True", reason: Local, message: always there }] }
    `;

    assert.deepEqual(apiServiceHealth(live), { status: "Healthy", message: "Local: always there" });
  });

  it("is progressing when not available", () => {
    const live = kubeObject`
      apiVersion: apiregistration.k8s.io/v1
      kind: APIService
      metadata: { name: v1beta1.metrics.k8s.io }
      status: { conditions: [{ type: Available, status: "False", reason: MissingEndpoints, message: none }] }
    `;

    assert.deepEqual(apiServiceHealth(live), { status: "Progressing", message: "MissingEndpoints: none" });
  });

  it("is progressing before it has been looked at", () => {
    const live = kubeObject`
      apiVersion: apiregistration.k8s.io/v1
      kind: APIService
      metadata: { name: v1beta1.metrics.k8s.io }
    `;

    assert.deepEqual(apiServiceHealth(live), {
      status: "Progressing",
      message: "the server has not been checked yet",
    });
  });
});
