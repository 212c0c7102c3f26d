import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef, parseResourceId } from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";
import { printWorkloads } from "../../../../../cmd/fluxctl/output/workloads.ts";

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

const look = { headers: true, wide: false, paint: plain };

describe("printWorkloads", () => {
  it("tells in a wide table of replicas, all policies, labels and what is wrong", () => {
    const stuck: WorkloadStatusReport = {
      ...workload(
        "a:deployment/app",
        { app: "app:1", side: "side:22" },
        {
          "tag.app": "glob:1.*",
          automated: "true",
          locked: "false",
          locked_msg: "for\tthe\nweekend",
        },
      ),
      status: "error",
      readOnly: "NotInRepo",
      rollout: {
        desired: 3,
        updated: 2,
        ready: 1,
        available: 1,
        outdated: 0,
        messages: ["no\nroom", "no luck"],
      },
      syncError: "",
      labels: { team: "b", app: "a", "fluxcd.io/sync-gc-mark": "sha256.x" },
    };

    const lines = printWorkloads([stuck], { ...look, wide: true }).split(/ *\n/);

    assert.deepEqual(lines, [
      "WORKLOAD          CONTAINER  IMAGE    RELEASE  REPLICAS       POLICY                                                 READ-ONLY  MESSAGE           LABELS",
      "a:deployment/app  app        app:1    error    2/3 (1 ready)  automated,locked_msg=for the weekend,tag.app=glob:1.*  NotInRepo  no room; no luck  app=a,team=b",
      "                  side       side:22",
      "",
    ]);
  });

  it("lines up what has colours", () => {
    const paint = { ...plain, good: (text: string) => `\x1b7![32m${text}\x1b7![0m` };

    assert.equal(
      printWorkloads([workload("a:deployment/app", { app: "app:1" }, { locked: "true" })], {
        ...look,
        paint,
      }),
      `WORKLOAD          CONTAINER  IMAGE  RELEASE  POLICY
a:deployment/app  app        app:1  \x1b7![32mready\x1b7![0m    locked
`,
    );
  });
});
