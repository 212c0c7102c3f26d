import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Deed } from "../../../src/operations/context.ts";
import { type SyncPlan, tasksOf } from "../../../src/plan/plan.ts";
import type { TaskOutcome } from "../../../src/run/outcome.ts";
import { reportOf } from "../../../src/run/report.ts";
import type { PlanRun } from "../../../src/run/run.ts";
import { planOf, said, thing } from "../../support/engine-objects.ts";

const a = thing("v1 ConfigMap", "demo/a");
const b = thing("v1 ConfigMap", "demo/b");
const old = thing("v1 ConfigMap", "demo/old");
const rescue = thing("batch/v1 Job", "demo/rescue", said({ hook: "SyncFail" }));

/** A run in which these outcomes and deeds came of the objects of these names. */
function runOf(
  plan: SyncPlan,
  ending: PlanRun["ending"],
  byName: Readonly<Record<string, readonly [TaskOutcome, Deed?]>>,
): PlanRun {
  const outcomes = new Map<string, TaskOutcome>();
  const deeds = new Map<string, Deed>();
  for (const { id, key } of tasksOf(plan)) {
    const [outcome, deed] = byName[key.name] ?? [];
    if (outcome !== undefined) {
      outcomes.set(id, outcome);
    }
    if (deed !== undefined) {
      deeds.set(id, deed);
    }
  }
  return { outcomes, deeds, ending };
}

describe("reportOf", () => {
  it("reports for each object what was done, in the order of the plan", () => {
    const plan = planOf({ targets: [b, a], live: [a], managed: [old] });
    const run = runOf(plan, "succeeded", {
      b: [{ kind: "applied", at: 0 }, { change: "created" }],
      old: [{ kind: "applied", at: 0 }, { change: "deleted" }],
    });

    assert.deepEqual(reportOf(plan, run, "r1"), {
      revision: "r1",
      phase: "Succeeded",
      message: "all objects match their targets",
      resources: [
        {
          key: { group: "", kind: "ConfigMap", namespace: "demo", name: "a" },
          phase: "Sync",
          wave: 0,
          code: "Synced",
          change: "unchanged",
        },
        {
          key: { group: "", kind: "ConfigMap", namespace: "demo", name: "b" },
          phase: "Sync",
          wave: 0,
          code: "Synced",
          change: "created",
        },
        {
          key: { group: "", kind: "ConfigMap", namespace: "demo", name: "old" },
          phase: "Sync",
          wave: 0,
          code: "Pruned",
          change: "deleted",
        },
      ],
    });
  });

  it("reports why an object failed, and which were not started", () => {
    const plan = planOf({ targets: [a, thing("v1 ConfigMap", "demo/late", said({ "sync-wave": "1" }))] });
    const run = runOf(plan, "failed", { a: [{ kind: "failed", error: "refused", at: 0 }] });

    const { phase, message, resources } = reportOf(plan, run, "r1");

    assert.equal(phase, "Failed");
    assert.equal(message, "1 of 2 objects failed, 1 were not started");
    assert.deepEqual(
      resources.map(({ code, change, error, reason }) => ({ code, change, error, reason })),
      [
        { code: "SyncFailed", change: "none", error: "refused", reason: undefined },
        {
          code: "HeldBack",
          change: "none",
          error: undefined,
          reason: "an earlier step failed",
        },
      ],
    );
  });

  it("reports the write of an object that then did not become healthy", () => {
    const plan = planOf({ targets: [a] });
    const run = runOf(plan, "failed", {
      a: [{ kind: "failed", error: "it is degraded", at: 0 }, { change: "created" }],
    });

    const [resource] = reportOf(plan, run, "r1").resources;

    assert.deepEqual([resource?.code, resource?.change], ["SyncFailed", "created"]);
  });

  it("reports which objects were left alone, by which guard, and why", () => {
    const plan = planOf({ targets: [a], live: [a], managed: [old], options: { prune: "dry-run" } });

    const last = reportOf(plan, runOf(plan, "succeeded", {}), "r1").resources.at(-1);

    assert.deepEqual(last, {
      key: { group: "", kind: "ConfigMap", namespace: "demo", name: "old" },
      phase: "Sync",
      wave: 0,
      code: "PruneSkipped",
      change: "none",
      guard: "prune-dry-run",
      reason: "it would be pruned (dry run)",
    });
  });

  it("reports an object that was already being deleted as left alone, unless the sync itself deleted it", () => {
    const going = { ...old, metadata: { ...old.metadata, deletionTimestamp: "2024-01-01T00:00:00Z" } };
    const plan = planOf({ targets: [a], live: [a], managed: [going] });
    const applied = { kind: "applied", at: 0 } as const;
    const runs = [{}, { old: [applied, { change: "deleted" }] as const }];

    const found = runs.map((run) => reportOf(plan, runOf(plan, "succeeded", run), "r1").resources.at(-1));

    assert.deepEqual(
      found.map((result) => [result?.code, result?.change, result?.guard, result?.reason]),
      [
        ["PruneSkipped", "none", "being-deleted", "it is already being deleted"],
        ["Pruned", "deleted", undefined, undefined],
      ],
    );
  });

  it("reports an operation's reason to do nothing", () => {
    const plan = planOf({ targets: [a], managed: [old] });
    const run = runOf(plan, "succeeded", {
      a: [
        { kind: "applied", at: 0 },
        { change: "none", reason: "ignored" },
      ],
      old: [
        { kind: "applied", at: 0 },
        { change: "none", reason: "another object has the same name now" },
      ],
    });

    assert.deepEqual(
      reportOf(plan, run, "r1").resources.map(({ code, reason }) => `${code}: ${reason ?? ""}`),
      ["Skipped: ignored", "PruneSkipped: another object has the same name now"],
    );
  });

  it("does not speak of hooks for failures that did not come", () => {
    const plan = planOf({ targets: [a, rescue] });
    const run = runOf(plan, "succeeded", { a: [{ kind: "applied", at: 0 }, { change: "created" }] });

    assert.deepEqual(
      reportOf(plan, run, "r1").resources.map(({ key }) => key.name),
      ["a"],
    );
  });

  it("says what somebody has to decide about, by name", () => {
    const theirs = thing("v1 ConfigMap", "demo/a", { labels: { "olm.owner": "them" } });
    const dear = thing("v1 ConfigMap", "demo/dear", said({ "sync-options": "Prune=confirm" }));
    const many = Array.from({ length: 12 }, (_, index) => thing("v1 ConfigMap", `demo/x${index + 10}`));
    const plan = planOf({
      targets: [a, b],
      live: [theirs, b],
      managed: [dear, ...many],
      options: { pruneLimit: 3 },
    });

    assert.equal(
      reportOf(plan, runOf(plan, "succeeded", {}), "r1").message,
      "others manage /ConfigMap/demo/a; the deletion of /ConfigMap/demo/dear has not been confirmed; " +
        "nothing was pruned: 12 of 13 objects would be pruned, and the limit is 3: " +
        "/ConfigMap/demo/x10, /ConfigMap/demo/x11, /ConfigMap/demo/x12, /ConfigMap/demo/x13, /ConfigMap/demo/x14, " +
        "/ConfigMap/demo/x15, /ConfigMap/demo/x16, /ConfigMap/demo/x17, /ConfigMap/demo/x18, /ConfigMap/demo/x19, " +
        "and 2 more",
    );
  });

  it("says that nothing was changed if the plan was refused", () => {
    const plan = planOf({ targets: [a, b] });
    const { phase, message, resources } = reportOf(
      plan,
      runOf(plan, "refused", { a: [{ kind: "failed", error: "no", at: 0 }] }),
      "r1",
    );

    assert.deepEqual(
      [phase, message],
      ["Failed", "nothing was changed, because the server refuses 1 of 2 objects"],
    );
    assert.deepEqual(
      resources.map(({ code, error, reason }) => [code, error ?? reason]),
      [
        ["SyncFailed", "no"],
        ["HeldBack", "the server refuses other objects of the same sync"],
      ],
    );
  });
});
