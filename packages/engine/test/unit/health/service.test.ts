import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { serviceHealth } from "../../../src/health/service.ts";

describe("serviceHealth", () => {
  it("is healthy at once for a cluster address", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Service
      metadata: { name: web }
      spec: { type: ClusterIP }
      status: { loadBalancer: {} }
    `;

    assert.deepEqual(serviceHealth(live), { status: "Healthy", message: "" });
  });

  it("is progressing while a load balancer has no address", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Service
      metadata: { name: web }
      spec: { type: LoadBalancer }
      status: { loadBalancer: {} }
    `;

    assert.deepEqual(serviceHealth(live), {
      status: "Progressing",
      message: "the load balancer has no address yet",
    });
  });

  it("is healthy when the load balancer has an address", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: Service
      metadata: { name: web }
      spec: { type: LoadBalancer }
      status: { loadBalancer: { ingress: [{ ip: 192.0.2.1 }] } }
    `;

    assert.deepEqual(serviceHealth(live), { status: "Healthy", message: "" });
  });
});
