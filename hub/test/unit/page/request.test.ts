import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { plannedSpec } from "../../../page/screens/request/planned-spec.ts";
import { changedTags, tagFilters } from "../../../page/screens/request/tag-filters.ts";

describe("a request", () => {
  it("has a plan that words for people don't change", () => {
    const lock = { kind: "policy", workloads: ["w"], locked: true, reason: "Because" } as const;

    assert.deepEqual(plannedSpec({ ...lock, workloads: ["w"] }), { ...lock, reason: "" });
    assert.deepEqual(plannedSpec({ kind: "sync" }), { kind: "sync" });
  });

  it("changes only the tag filters that differ", () => {
    const container = { image: "", newest: "", newer: 0 };
    const workload = {
      containers: ["app", "proxy"].map((name) => ({ ...container, name })),
      policies: { automated: "true", "tag.app": "semver:^1" },
    };

    assert.deepEqual(tagFilters(workload), { app: "semver:^1", proxy: "" });
    assert.deepEqual(changedTags(workload, { app: " semver:^1 ", proxy: "glob:2.*" }), { proxy: "glob:2.*" });
    assert.deepEqual(changedTags(workload, { app: "", proxy: "" }), { app: "" });
  });
});
