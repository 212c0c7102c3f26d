import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { pvcHealth } from "../../../src/health/pvc.ts";

describe("pvcHealth", () => {
  for (const [phase, status] of [
    ["Bound", "Healthy"],
    ["Pending", "Progressing"],
    ["Lost", "Degraded"],
  ] as const) {
    it(`is ${status} when ${phase}`, () => {
      const live = kubeObject`
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: { name: data }
        status: { phase: ${phase} }
      `;

      assert.deepEqual(pvcHealth(live), { status, message: "" });
    });
  }

  it("is unknown without a phase", () => {
    const live = kubeObject`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
    `;

    assert.deepEqual(pvcHealth(live), { status: "Unknown", message: "the claim has no phase yet" });
  });
});
