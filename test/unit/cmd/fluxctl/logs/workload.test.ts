import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseResourceId } from "@weir/flux";
import { type LabelSelector, labelSelectorOf, parseLabelSelector } from "@weir/kube";
import { loggedId, podSelectorOf } from "../../../../../cmd/fluxctl/logs/workload.ts";

describe("the workload of logs", () => {
  it("can have kubectl's short name", () => {
    const named = ["a:deploy/x", "a:sts/x", "a:ds/x", "a:cj/x", "a:job/x"].map((id) =>
      loggedId(parseResourceId(id)),
    );

    assert.deepEqual(named, ["a:deployment/x", "a:statefulset/x", "a:daemonset/x", "a:cronjob/x", "a:job/x"]);
  });

  it("selects the pods that its selector means", () => {
    const selector = {
      matchLabels: { app: "web" },
      matchExpressions: [
        { key: "tier", operator: "In", values: ["a", "b"] },
        { key: "track", operator: "NotIn", values: ["test"] },
        { key: "live", operator: "Exists" },
        { key: "old", operator: "DoesNotExist" },
      ],
    };
    const object = { apiVersion: "apps/v1", kind: "Deployment", metadata: {}, spec: { selector } };
    const [asQuery, asObject]: readonly LabelSelector[] = [
      parseLabelSelector(podSelectorOf(object)),
      labelSelectorOf(selector),
    ];

    const right = { app: "web", tier: "b", live: "1" };
    for (const labels of [
      right,
      { ...right, tier: "c" },
      { ...right, track: "test" },
      { ...right, old: "" },
      {},
    ]) {
      const expected = labels === right;
      assert.deepEqual([asQuery?.(labels), asObject?.(labels)], [expected, expected]);
    }
  });
});
