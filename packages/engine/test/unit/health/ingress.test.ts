import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { ingressHealth } from "../../../src/health/ingress.ts";

describe("ingressHealth", () => {
  it("is progressing without an address", () => {
    const live = kubeObject`
      apiVersion: networking.k8s.io/v1
      kind: Ingress
      metadata: { name: web }
      status: { loadBalancer: {} }
    `;

    assert.deepEqual(ingressHealth(live), {
      status: "Progressing",
      message: "the ingress has no address yet",
    });
  });

  it("is healthy with one", () => {
    const live = kubeObject`
      apiVersion: networking.k8s.io/v1
      kind: Ingress
      metadata: { name: web }
      status: { loadBalancer: { ingress: [{ hostname: lb.example.test }] } }
    `;

    assert.deepEqual(ingressHealth(live), { status: "Healthy", message: "" });
  });
});
