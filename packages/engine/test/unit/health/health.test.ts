import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { healthOf } from "../../../src/health/health.ts";
import { health } from "../../../src/health/health-status.ts";

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

  it("is unknown if the custom rule throws", () => {
    const live = kubeObject`{ apiVersion: v1, kind: Service, metadata: { name: a } }`;
    const broken = () => {
      throw new Error("no status.conditions");
    };

    assert.deepEqual(healthOf(live, broken), { status: "Unknown", message: "no status.conditions" });
  });
});
