import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { conditionOf } from "../../../src/cluster/condition.ts";
import type { ResourceStatus } from "../../../src/cluster/tree.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

const app = parseResourceId("demo:deployment/app");
const pod = parseResourceId("demo:pod/app-1");

function status(change: Partial<ResourceStatus>): ResourceStatus {
  return {
    id: app,
    apiVersion: "",
    source: "",
    sync: "Synced",
    health: "Healthy",
    message: "",
    children: [],
    ...change,
  };
}

const sickPod = status({ id: pod, sync: "", health: "Degraded", message: "back-off" });

describe("the condition of a resource", () => {
  for (const [what, given, is, message, culprit] of [
    ["healthy", {}, "healthy", "", app],
    ["without health", { health: "" }, "healthy", "", app],
    ["suspended on purpose", { health: "Suspended" }, "healthy", "", app],
    ["healthy although a pod isn't yet", { children: [sickPod] }, "healthy", "", app],
    ["degraded", { health: "Degraded", message: "failed" }, "degraded", "failed", app],
    ["degraded without a reason", { health: "Degraded" }, "degraded", "degraded", app],
    [
      "rolled out with a bad pod",
      { health: "Progressing", children: [sickPod] },
      "degraded",
      "back-off",
      pod,
    ],
    ["rolled out", { health: "Progressing", message: "1 of 2" }, "pending", "1 of 2", app],
    ["missing", { health: "Missing", sync: "OutOfSync" }, "pending", "missing", app],
    ["ignored and missing", { health: "Missing", sync: "Ignored" }, "healthy", "", app],
    ["different from git", { sync: "OutOfSync" }, "pending", "differs from git", app],
    ["no longer in git", { sync: "Obsolete" }, "pending", "no longer in git", app],
  ] as const) {
    it(`is ${is} if it's ${what}`, () => {
      assert.deepEqual(conditionOf(status(given)), { id: app, is, message, culprit });
    });
  }
});
