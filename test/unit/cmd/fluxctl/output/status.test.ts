import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { failed, warning } from "@weir/base";
import { parseResourceId } from "@weir/flux";
import { decodeStatus, encodeStatus, type StatusReport } from "@weir/flux/api";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";
import { printFullStatus, printStatusLine, problemsIn } from "../../../../../cmd/fluxctl/output/status.ts";

const app = parseResourceId("demo:deployment/app");
const pod = parseResourceId("demo:pod/app-1");
const now = new Date("2020-01-02T03:06:05Z").getTime();
const revision = "0123456789abcdef0123456789abcdef01234567";

const well: StatusReport = {
  git: { url: "ssh://git@example.test/repo", branch: "main", status: "ready", errors: "" },
  head: revision,
  synced: revision,
  behind: 0,
  lastSync: {
    revision,
    endedAt: new Date("2020-01-02T03:04:05Z"),
    failure: "",
    errors: [],
    isRunning: false,
    waitingFor: [],
  },
  automates: true,
  suspensions: [],
  resources: { healthy: 41, degraded: [], pending: [] },
  pending: { revision, unconfirmed: [], heldBack: [], reason: "" },
  findings: [],
  unknown: [],
};

const degraded = { id: app, is: "degraded", message: "back-off pulling image", culprit: pod } as const;
const suspension = {
  what: "sync",
  reason: "migration",
  user: "Ann",
  since: new Date(0),
  until: new Date("2020-01-02T05:00:00Z"),
} as const;
const refused = { id: app, source: "a.yaml", error: "spec.replicas: must be a number" };

describe("the line of fluxctl status", () => {
  for (const [what, change, line, isWrong] of [
    ["all is well", {}, "in sync at 0123456 (2m ago), 41 resources healthy, 0 degraded, 0 pending", false],
    [
      "a resource is degraded",
      { resources: { healthy: 41, degraded: [degraded], pending: [] } },
      "degraded: demo:deployment/app: demo:pod/app-1: back-off pulling image; in sync at 0123456 (2m ago), 41 resources healthy, 1 degraded, 0 pending",
      true,
    ],
    [
      "syncing is suspended",
      { suspensions: [suspension], behind: 1 },
      "syncing is suspended by Ann until 2020-01-02 05:00:00 UTC because: migration; 1 commit behind, at 0123456, 41 resources healthy, 0 degraded, 0 pending",
      true,
    ],
    [
      "the last sync failed",
      { lastSync: { ...well.lastSync, failure: "loading resources from repo: a.yaml:\n  bad" }, behind: 2 },
      "the last sync failed: loading resources from repo: a.yaml:; bad; 2 commits behind, at 0123456, 41 resources healthy, 0 degraded, 0 pending",
      true,
    ],
    [
      "a resource was refused",
      { lastSync: { ...well.lastSync, errors: [refused] } },
      "1 resource could not be applied: demo:deployment/app: spec.replicas: must be a number; at 0123456, 41 resources healthy, 0 degraded, 0 pending",
      true,
    ],
    [
      "git is not reachable",
      { git: { ...well.git, status: "unreachable", errors: "connection refused\n" }, head: "", synced: "" },
      "git is not reachable: ssh://git@example.test/repo: connection refused",
      true,
    ],
    [
      "a check failed",
      { findings: [failed("registry", "cannot scan 1 of 2 repositories", ""), warning("x", "later", "")] },
      "cannot scan 1 of 2 repositories; in sync at 0123456 (2m ago), 41 resources healthy, 0 degraded, 0 pending",
      true,
    ],
    [
      "a sync waits and a deletion needs somebody",
      {
        lastSync: { ...well.lastSync, waitingFor: [pod, app] },
        pending: { revision, unconfirmed: [app], heldBack: [], reason: "" },
        resources: { healthy: 1, degraded: [], pending: [{ ...degraded, is: "pending" }] },
      },
      "in sync at 0123456 (2m ago), waiting for demo:pod/app-1 and 1 more, 1 resource healthy, 0 degraded, 1 pending, 1 deletion to confirm",
      false,
    ],
  ] as const satisfies readonly (readonly [string, Partial<StatusReport>, string, boolean])[]) {
    it(`says it if ${what}`, () => {
      const report: StatusReport = { ...well, ...change };
      const printed = printStatusLine(report, now, plain);
      assert.deepEqual([printed, problemsIn(report).length > 0], [`${line}\n`, isWrong]);
    });
  }
});

describe("the full status", () => {
  it("has everything", () => {
    const report: StatusReport = {
      ...well,
      suspensions: [suspension],
      lastSync: { ...well.lastSync, errors: [refused] },
      resources: { healthy: 1, degraded: [degraded], pending: [] },
    };

    assert.equal(
      printFullStatus(report, now, plain),
      `Git: main of ssh://git@example.test/repo: ready
Head: ${revision}
Synced: ${revision}
Last sync: 2020-01-02 03:04:05 UTC (2m ago) to 0123456, could not apply 1 resource
  demo:deployment/app: spec.replicas: must be a number
Waiting for: nothing
Automation: on
Suspended:
  syncing is suspended by Ann until 2020-01-02 05:00:00 UTC because: migration
Resources: 1 resource healthy, 1 degraded, 0 pending
  degraded: demo:deployment/app: demo:pod/app-1: back-off pulling image
Deletions to confirm: none
Problems: none
`,
    );
  });

  it("is the same after it was sent", () => {
    const report: StatusReport = {
      ...well,
      suspensions: [suspension],
      resources: { healthy: 1, degraded: [degraded], pending: [{ ...degraded, is: "pending" }] },
    };
    const sent = JSON.parse(JSON.stringify(encodeStatus(report))) as JsonValue;
    assert.deepEqual(decodeStatus(sent), report);
  });
});
