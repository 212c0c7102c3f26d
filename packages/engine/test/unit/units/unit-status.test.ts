import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { health } from "../../../src/health/health-status.ts";
import { tasksOf } from "../../../src/sync/plan.ts";
import { isSameStatus, statusBy } from "../../../src/units/unit-status.ts";
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

describe("isSameStatus", () => {
  const status = { sync: "Synced", health: "Healthy", revision: "r1", message: "" } as const;

  it("does not mind the operation", () => {
    const operation = { phase: "Running", message: "", startedAt: 1 } as const;

    assert.equal(isSameStatus(status, { ...status, operation }), true);
  });

  it("minds everything else", () => {
    assert.equal(isSameStatus(status, { ...status, sync: "OutOfSync" }), false);
    assert.equal(isSameStatus(status, { ...status, health: "Degraded" }), false);
    assert.equal(isSameStatus(status, { ...status, revision: "r2" }), false);
    assert.equal(isSameStatus(status, { ...status, message: "no" }), false);
  });
});
