import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isStale, staleAfter } from "../../../../src/console/page/api/stale.ts";

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

  it("makes everything stale if it says so", () => {
    assert.equal(staleAfter({ type: "reload" }), undefined);
  });
});
