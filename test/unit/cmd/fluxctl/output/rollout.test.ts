import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef, parseResourceId } from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";
import { printRollout } from "../../../../../cmd/fluxctl/output/rollout.ts";

function workload(...images: readonly string[]): WorkloadStatusReport {
  return {
    id: parseResourceId("ns:deployment/app"),
    containers: images.map((image, index) => ({ name: `c${index}`, image: parseImageRef(image) })),
    readOnly: "",
    status: "updating",
    rollout: { desired: 3, updated: 2, ready: 1, available: 1, outdated: 4, messages: null },
    syncError: "",
    antecedent: "",
    labels: null,
    policies: {},
  };
}

describe("printRollout", () => {
  it("shows how many replicas are updated, and with -v how many are outdated and ready", () => {
    assert.equal(
      printRollout(workload("app:1", "side:2"), 0, plain),
      `WORKLOAD           CONTAINER  IMAGE   RELEASE   REPLICAS
ns:deployment/app  c0         app:1   updating  2/3
                   c1         side:2            

`,
    );
    assert.match(printRollout(workload("app:1"), 1, plain), /updating {2}2\/3 \(4 outdated, 1 ready\)\n/);
  });

  it("leaves blank what a workload without containers has not got", () => {
    assert.equal(
      printRollout(workload(), 0, plain),
      `WORKLOAD           CONTAINER  IMAGE  RELEASE   REPLICAS
ns:deployment/app                    updating  2/3

`,
    );
  });
});
