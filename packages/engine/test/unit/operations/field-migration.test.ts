import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { migratedManagedFields } from "../../../src/operations/field-migration.ts";
import { serverSideSettings } from "../../../src/operations/server-side-settings.ts";

function liveWith(...managedFields: readonly object[]): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", managedFields } };
}

function entry(manager: string, operation: string, fieldsV1: object, time = "2026-01-01T00:00:00Z"): object {
  return { manager, operation, apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1, time };
}

const lastApplied = "f:kubectl.kubernetes.io/last-applied-configuration";

function migrated(live: KubeObject): unknown {
  return migratedManagedFields(live, serverSideSettings());
}

describe("migratedManagedFields", () => {
  it("is undefined if nothing was applied client-side", () => {
    const scale = { ...entry("kubectl", "Update", { "f:spec": {} }), subresource: "scale" };

    assert.equal(migrated(liveWith(entry("somebody", "Update", { "f:data": {} }), scale)), undefined);
    assert.equal(migrated({ apiVersion: "v1", kind: "ConfigMap", metadata: {} }), undefined);
  });

  it("makes the newest entry one of server-side apply, with all fields but the annotation", () => {
    const old = entry(
      "kubectl-replace",
      "Update",
      { "f:data": { ".": {}, "f:a": {} } },
      "2025-01-01T00:00:00Z",
    );
    const fields = {
      "f:data": { "f:b": {} },
      "f:metadata": { "f:annotations": { ".": {}, [lastApplied]: {} } },
    };
    const others = entry("somebody", "Update", { "f:data": { "f:c": {} } });

    assert.deepEqual(migrated(liveWith(old, others, entry("kubectl-client-side-apply", "Update", fields))), [
      entry("kubectl", "Apply", {
        "f:data": { ".": {}, "f:a": {}, "f:b": {} },
        "f:metadata": { "f:annotations": { ".": {} } },
      }),
      others,
    ]);
  });

  it("adds to the entry of server-side apply, and drops those of other API versions", () => {
    const own = entry("kubectl", "Apply", { "f:data": { "f:a": {} } });
    const older = { ...entry("kubectl-client-side-apply", "Update", { "f:x": {} }), apiVersion: "v1beta1" };
    const whole = entry("kubectl-replace", "Update", { "f:data": {} });

    assert.deepEqual(migrated(liveWith(older, own, whole)), [
      entry("kubectl", "Apply", { "f:data": { ".": {}, "f:a": {} } }),
    ]);
  });
});
