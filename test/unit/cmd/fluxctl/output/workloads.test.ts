import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { printWorkloads } from "../../../../../cmd/fluxctl/output/workloads.ts";
import type { WorkloadStatusReport } from "../../../../../src/api/types/api-server.ts";
import { parseImageRef } from "../../../../../src/image/ref.ts";
import { parseResourceId } from "../../../../../src/resource/id.ts";

function workload(id: string, images: Readonly<Record<string, string>>, policies = {}): WorkloadStatusReport {
  return {
    id: parseResourceId(id),
    containers: Object.entries(images).map(([name, image]) => ({ name, image: parseImageRef(image) })),
    readOnly: "",
    status: "ready",
    rollout: { desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: null },
    syncError: "",
    antecedent: "",
    labels: null,
    policies,
  };
}

const workloads = [
  workload(
    "a:deployment/app",
    { app: "app:1", side: "side:22" },
    { locked: "true", automated: "true", ignore: "no" },
  ),
  workload("a:helmrelease/chart", {}, { ignore: "true" }),
];

describe("printWorkloads", () => {
  it("has a line for each container, and the policies that are set", () => {
    assert.equal(
      printWorkloads(workloads, true),
      `WORKLOAD             CONTAINER  IMAGE    RELEASE  POLICY
a:deployment/app     app        app:1    ready    automated,locked
                     side       side:22           
a:helmrelease/chart                      ready    ignore
`,
    );
  });

  it("leaves out the heading, and is empty then without workloads", () => {
    assert.equal(printWorkloads([], false), "");
    assert.equal(printWorkloads([], true), "WORKLOAD  CONTAINER  IMAGE  RELEASE  POLICY\n");
    assert.equal(printWorkloads(workloads.slice(1), false), "a:helmrelease/chart      ready  ignore\n");
  });
});
