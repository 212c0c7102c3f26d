import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { conditionsHealth } from "../../../src/health/conditions.ts";

function objectWith(status: JsonObject | undefined, spec: JsonObject = {}, generation = 2): KubeObject {
  const live = { apiVersion: "example.com/v1", kind: "Database", metadata: { name: "a", generation }, spec };
  return status === undefined ? live : { ...live, status };
}

function condition(type: string, status: string, more: JsonObject = {}): JsonObject {
  return { type, status, reason: "Reason", message: `${type} is ${status}`, ...more };
}

describe("conditionsHealth", () => {
  it("has no opinion without a status, or with conditions of its kind only", () => {
    assert.equal(conditionsHealth(objectWith(undefined)), undefined);
    assert.equal(conditionsHealth(objectWith({ conditions: [] })), undefined);
    assert.equal(conditionsHealth(objectWith({ conditions: [condition("Synced", "False")] })), undefined);
    assert.equal(conditionsHealth(objectWith({ observedGeneration: 2 })), undefined);
    assert.equal(conditionsHealth(objectWith(undefined, { suspend: true })), undefined);
  });

  it("is healthy when Ready", () => {
    const live = objectWith({ conditions: [condition("Synced", "True"), condition("Ready", "True")] });

    assert.deepEqual(conditionsHealth(live), { status: "Healthy", message: "Ready is True" });
  });

  for (const status of ["False", "Unknown", ""]) {
    it(`is progressing when Ready is "${status}"`, () => {
      const live = objectWith({ conditions: [condition("Ready", status)] });

      assert.deepEqual(conditionsHealth(live), { status: "Progressing", message: `Ready is ${status}` });
    });
  }

  it("shows the reason of a condition without a message", () => {
    const live = objectWith({ conditions: [{ type: "Ready", status: "False", reason: "Pending" }] });

    assert.equal(conditionsHealth(live)?.message, "Pending");
  });

  it("is progressing until the definition is observed, whatever the conditions say", () => {
    const live = objectWith({ observedGeneration: 1, conditions: [condition("Ready", "True")] });

    assert.equal(conditionsHealth(live)?.status, "Progressing");
  });

  it("is progressing while Ready is about an older definition", () => {
    const live = objectWith({ conditions: [condition("Ready", "True", { observedGeneration: 1 })] });

    assert.equal(conditionsHealth(live)?.status, "Progressing");
  });

  it("ignores an observed generation that isn't a number", () => {
    const live = objectWith({ observedGeneration: "5f4d", conditions: [condition("Ready", "True")] });

    assert.equal(conditionsHealth(live)?.status, "Healthy");
  });

  it("is degraded when Stalled, and progressing while Reconciling, before Ready counts", () => {
    const ready = condition("Ready", "True");
    const stalled = condition("Stalled", "True");
    const reconciling = condition("Reconciling", "True");

    assert.deepEqual(conditionsHealth(objectWith({ conditions: [ready, reconciling, stalled] })), {
      status: "Degraded",
      message: "Stalled is True",
    });
    assert.deepEqual(conditionsHealth(objectWith({ conditions: [ready, reconciling] })), {
      status: "Progressing",
      message: "Reconciling is True",
    });
  });

  it("is healthy when Ready, neither Stalled nor Reconciling", () => {
    const conditions = ["Stalled", "Reconciling"].map((type) => condition(type, "False"));

    assert.equal(
      conditionsHealth(objectWith({ conditions: [...conditions, condition("Ready", "True")] }))?.status,
      "Healthy",
    );
  });

  it("is suspended when its controller is told to leave it alone, even if it did not observe that", () => {
    const live = objectWith(
      { observedGeneration: 1, conditions: [condition("Ready", "False")] },
      { suspend: true },
    );

    assert.equal(conditionsHealth(live)?.status, "Suspended");
  });

  it("waits for the first report on a certificate", () => {
    const certificate = { ...objectWith(undefined), apiVersion: "cert-manager.io/v1", kind: "Certificate" };

    assert.equal(conditionsHealth(certificate)?.status, "Progressing");
  });
});
