import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { jobResources } from "../../../page/text/job-resources.ts";

describe("the resources of a job", () => {
  const workloads = ["shop:deployment/web"];
  const plan = {
    digest: "digest",
    needsApproval: false,
    isKnown: true,
    changes: [{ workload: "shop:deployment/cart", status: "success", message: "", containers: [] }],
  };

  it("are those that it names", () => {
    const release = { kind: "release", workloads, images: "latest", force: false, message: "" } as const;

    assert.deepEqual(jobResources({ spec: release, plan }), workloads);
    assert.deepEqual(jobResources({ spec: { kind: "policy", workloads, reason: "" }, plan }), workloads);
    assert.deepEqual(jobResources({ spec: { kind: "take-over", ids: workloads }, plan }), workloads);
  });

  it("are those of the plan for one that undoes a commit, and none for a sync of everything", () => {
    const undo = { kind: "undo", revision: "0123456789" } as const;

    assert.deepEqual(jobResources({ spec: undo, plan }), ["shop:deployment/cart"]);
    assert.deepEqual(jobResources({ spec: undo, plan: null }), []);
    assert.deepEqual(jobResources({ spec: { kind: "sync" }, plan }), []);
  });
});
