import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventsOf, statusBy, withFinding } from "../../../src/fleet/unit-status.ts";
import { health } from "../../../src/health/health-status.ts";
import { tasksOf } from "../../../src/plan/plan.ts";
import { planOf, said, thing } from "../../support/engine-objects.ts";

const config = thing("v1 ConfigMap", "demo/config");
const claim = { ...thing("v1 PersistentVolumeClaim", "demo/data"), status: { phase: "Pending" } };

describe("statusBy", () => {
  it("is in sync if there is nothing to do, with the health of the worst object", () => {
    const plan = planOf({ targets: [config, claim], live: [config, claim] });

    assert.deepEqual(statusBy(plan, "r1", {}), {
      sync: "Synced",
      health: "Progressing",
      revision: "r1",
      message: "",
    });
  });

  it("is out of sync if something needs to be changed or pruned", () => {
    const changed = planOf({ targets: [config], live: [config], changed: ["config"] });
    const pruned = planOf({ targets: [config], live: [config], managed: [claim] });

    assert.deepEqual(
      [changed, pruned].map((plan) => statusBy(plan, "r1", {}).sync),
      ["OutOfSync", "OutOfSync"],
    );
  });

  it("does not mind an orphan that asks to be ignored, though it is pruned", () => {
    const extra = thing("v1 ConfigMap", "demo/extra", said({ "compare-options": "IgnoreExtraneous" }));
    const plan = planOf({ targets: [config], live: [config], managed: [extra] });

    assert.equal(statusBy(plan, "r1", {}).sync, "Synced");
    assert.deepEqual(
      tasksOf(plan).map(({ action }) => action),
      ["unchanged", "prune"],
    );
  });

  it("minds a missing target that asks to be ignored as an orphan", () => {
    const wanted = thing("v1 ConfigMap", "demo/w", said({ "compare-options": "IgnoreExtraneous" }));

    assert.equal(statusBy(planOf({ targets: [wanted] }), "r1", {}).sync, "OutOfSync");
  });

  it("is out of sync while somebody has to decide about an object", () => {
    const theirs = thing("v1 ConfigMap", "demo/config", { labels: { "olm.owner": "them" } });
    const dear = thing("v1 ConfigMap", "demo/dear", said({ "sync-options": "Prune=confirm" }));
    const plans = [
      planOf({ targets: [config], live: [theirs] }),
      planOf({ targets: [config], live: [config], managed: [dear] }),
      planOf({ targets: [config], live: [config], managed: [claim], options: { pruneLimit: 0 } }),
    ];

    assert.deepEqual(
      plans.map((plan) => statusBy(plan, "r1", {}).sync),
      ["OutOfSync", "OutOfSync", "OutOfSync"],
    );
  });

  it("is missing if an object needs to be created", () => {
    assert.equal(statusBy(planOf({ targets: [config] }), "r1", {}).health, "Missing");
  });

  it("does not mind hooks", () => {
    const hook = thing("batch/v1 Job", "demo/migrate", said({ hook: "PreSync" }));
    const plan = planOf({ targets: [hook, config], live: [config], options: { hooks: "always" } });

    assert.deepEqual(statusBy(plan, "r1", {}), {
      sync: "Synced",
      health: "Healthy",
      revision: "r1",
      message: "",
    });
  });

  it("uses a custom rule if there is one", () => {
    const overrides = { "/ConfigMap": { health: () => health("Degraded", "so we say") } };

    assert.equal(statusBy(planOf({ targets: [config], live: [config] }), "r1", overrides).health, "Degraded");
  });
});

describe("withFinding", () => {
  const status = { sync: "Synced", health: "Healthy", revision: "r1", message: "" } as const;
  const operation = { phase: "Running", message: "", generation: 1, cluster: "here", startedAt: 1 } as const;

  it("changes nothing if nothing that matters has changed", () => {
    assert.equal(withFinding({ ...status, operation }, status, []), undefined);
    assert.equal(withFinding({ ...status, warnings: ["a"] }, status, ["a"]), undefined);
  });

  it("keeps the operation", () => {
    const finding = { ...status, sync: "OutOfSync" } as const;

    assert.deepEqual(withFinding({ ...status, operation }, finding, []), { ...finding, operation });
  });

  it("replaces the warnings", () => {
    assert.deepEqual(withFinding(status, status, ["a"]), { ...status, warnings: ["a"] });
    assert.deepEqual(withFinding({ ...status, warnings: ["a"] }, status, []), status);
  });

  for (const change of [
    { sync: "OutOfSync" },
    { health: "Degraded" },
    { revision: "r2" },
    { message: "no" },
  ] as const) {
    it(`minds the ${Object.keys(change).join()}`, () => {
      const finding = { ...status, ...change };

      assert.deepEqual(withFinding(status, finding, []), finding);
    });
  }
});

describe("eventsOf", () => {
  const status = { sync: "Synced", health: "Healthy", revision: "r1", message: "" } as const;

  it("tells the new status, or why there is none", () => {
    assert.deepEqual(eventsOf(status, { ...status, sync: "OutOfSync" }), [
      { kind: "status-changed", message: "OutOfSync, Healthy" },
    ]);
    assert.deepEqual(eventsOf(status, { ...status, sync: "Unknown", message: "no" }), [
      { kind: "failed", message: "no" },
    ]);
  });

  it("tells each warning once", () => {
    assert.deepEqual(eventsOf({ ...status, warnings: ["a"] }, { ...status, warnings: ["a", "b"] }), [
      { kind: "warning", message: "b" },
    ]);
  });
});
