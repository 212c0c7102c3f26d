import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef, parseResourceId } from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import { touchedWorkloads } from "../../../../../cmd/fluxctl/waiting/touched-workloads.ts";

function workload(name: string, status = "ready", image = "app:1", updated = 1): WorkloadStatusReport {
  return {
    id: parseResourceId(`ns:deployment/${name}`),
    containers: [{ name: "main", image: parseImageRef(image) }],
    readOnly: "",
    status,
    rollout: { desired: 1, updated, ready: 1, available: 1, outdated: 0, messages: null },
    syncError: "",
    antecedent: "",
    labels: null,
    policies: {},
  };
}

describe("touchedWorkloads", () => {
  it("are those that are new, or look otherwise than before", () => {
    const before = [
      workload("same"),
      workload("stuck", "error"),
      workload("image"),
      workload("config"),
      workload("gone"),
    ];
    const after = [
      workload("same"),
      workload("stuck", "error"),
      workload("image", "ready", "app:2"),
      workload("config", "updating", "app:1", 0),
      workload("new", "started"),
    ];

    assert.deepEqual(touchedWorkloads(before, after), [
      "ns:deployment/image",
      "ns:deployment/config",
      "ns:deployment/new",
    ]);
  });

  it("are none where nothing changed", () => {
    assert.deepEqual(touchedWorkloads([workload("a")], [workload("a")]), []);
  });
});
