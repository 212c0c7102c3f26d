import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isStale, staleAfter } from "../../../page/api/stale.ts";

describe("a change", () => {
  it("makes answers about its instance stale, and lists, but none about others", () => {
    const stale = staleAfter({ type: "workloads", instanceId: "a", ids: ["x"] });
    assert.ok(stale !== undefined);

    assert.equal(isStale(["workloads", { query: {} }], [stale]), true);
    assert.equal(isStale(["workload", { params: { instance: "a", workload: "x" } }], [stale]), true);
    assert.equal(isStale(["workload", { params: { instance: "b", workload: "x" } }], [stale]), false);
    assert.equal(isStale(["events", { query: {} }, "pages"], [stale]), false);
    assert.equal(isStale(["session", {}], [stale]), false);
  });

  it("makes what the daemon was asked about workloads stale when a job has ended", () => {
    const running = staleAfter({ type: "job", instanceId: "a", jobId: "1", state: "running" });
    const ended = staleAfter({ type: "job", instanceId: "a", jobId: "1", state: "succeeded" });
    assert.ok(running !== undefined && ended !== undefined);
    const ofWeb = { params: { instance: "a", workload: "web" } };

    for (const name of ["workloadImages", "why", "tree", "comparison"]) {
      assert.deepEqual([isStale([name, ofWeb], [running]), isStale([name, ofWeb], [ended])], [false, true]);
    }
    assert.equal(isStale(["workloadImages", { params: { instance: "b", workload: "web" } }], [ended]), false);
  });

  it("makes everything stale if it says so", () => {
    assert.equal(staleAfter({ type: "reload" }), undefined);
  });
});
