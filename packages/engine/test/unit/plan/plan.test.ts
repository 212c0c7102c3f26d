import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent } from "@weir/testing";
import { tasksOf } from "../../../src/plan/plan.ts";
import { printPlan } from "../../../src/plan/print-plan.ts";
import { planOf, type Scene, said, thing } from "../../support/engine-objects.ts";

function assertPlan(scene: Scene, drawing: string): void {
  assert.equal(printPlan(planOf(scene)), dedent(drawing));
}

describe("planSync", () => {
  it("creates missing objects, patches different ones, and leaves the rest", () => {
    const targets = ["a", "b", "c"].map((name) => thing("v1 ConfigMap", `demo/${name}`));

    assertPlan(
      { targets, live: targets.slice(1), changed: ["b"] },
      `
      Sync, wave 0
        create     /ConfigMap/demo/a
        patch      /ConfigMap/demo/b
        unchanged  /ConfigMap/demo/c
      `,
    );
  });

  it("is empty for nothing", () => {
    assert.equal(printPlan(planOf({ targets: [] })), "");
  });

  it("neither applies nor prunes a target with apply: false", () => {
    const ignored = thing("v1 ConfigMap", "demo/ignored");

    assert.deepEqual(planOf({ targets: [ignored], notApplied: ["ignored"], managed: [ignored] }), {
      waves: [],
      kept: [],
    });
  });

  it("leaves objects alone if the caller gives a reason", () => {
    const targets = [thing("v1 ConfigMap", "demo/a"), thing("v1 ConfigMap", "demo/b")];
    const leave = (_target: unknown, live: object | undefined) =>
      live === undefined ? undefined : "the live one says ignore";

    assertPlan(
      { targets, live: targets.slice(0, 1), options: { leave } },
      `
      Sync, wave 0
        create     /ConfigMap/demo/b
      kept
        /ConfigMap/demo/a: the live one says ignore
      `,
    );
  });

  it("lists what it keeps and why", () => {
    const targets = [thing("v1 ConfigMap", "demo/a")];
    const managed = [
      thing("v1 ConfigMap", "demo/old"),
      thing("v1 ConfigMap", "demo/dear", said({ "sync-options": "Prune=false" })),
    ];

    assertPlan(
      { targets, live: targets, managed, options: { prune: "dry-run" } },
      `
      Sync, wave 0
        unchanged  /ConfigMap/demo/a
      kept
        /ConfigMap/demo/dear: its sync options say so
        /ConfigMap/demo/old: it would be pruned (dry run)
      `,
    );
  });

  it("without pruneLast, prunes in mirrored waves, before the wave is applied", () => {
    const targets = [thing("v1 ConfigMap", "demo/new", said({ "sync-wave": "1" }))];
    const managed = [
      thing("v1 ConfigMap", "demo/first", said({ "sync-wave": "0" })),
      thing("v1 ConfigMap", "demo/second", said({ "sync-wave": "1" })),
    ];

    assertPlan(
      { targets, managed, options: { pruneLast: false } },
      `
      Sync, wave 0
        prune      /ConfigMap/demo/second
      Sync, wave 1
        prune      /ConfigMap/demo/first
        --
        create     /ConfigMap/demo/new
      `,
    );
  });

  for (const pruneLast of [true, false]) {
    it(`prunes objects with PruneLast in a last wave of their own, with pruneLast ${pruneLast}`, () => {
      const targets = [
        thing("v1 ConfigMap", "demo/new", said({ "sync-wave": "2" })),
        thing("batch/v1 Job", "demo/hook", said({ hook: "Sync", "sync-wave": "4" })),
      ];
      const managed = [thing("v1 ConfigMap", "demo/old", said({ "sync-options": "PruneLast=true" }))];

      assertPlan(
        { targets, managed, options: { pruneLast } },
        `
        Sync, wave 2
          create     /ConfigMap/demo/new
        Sync, wave 4
          hook       batch/Job/demo/hook
        Sync, wave 5
          prune      /ConfigMap/demo/old
        `,
      );
    });
  }

  it("lists objects that are already being deleted, in the wave in which they would be pruned", () => {
    const deletionTimestamp = "2024-01-01T00:00:00Z";
    const managed = [
      thing("v1 ConfigMap", "demo/going", { deletionTimestamp, ...said({ "sync-wave": "1" }) }),
      thing("v1 ConfigMap", "demo/old"),
      thing("v1 ConfigMap", "demo/dear", { deletionTimestamp, ...said({ "sync-options": "Prune=false" }) }),
    ];

    assertPlan(
      { targets: [thing("v1 Secret", "demo/s")], managed, options: { pruneLast: false } },
      `
      Sync, wave 0
        going      /ConfigMap/demo/going
        --
        create     /Secret/demo/s
      Sync, wave 1
        prune      /ConfigMap/demo/old
      kept
        /ConfigMap/demo/dear: it is already being deleted
      `,
    );
  });

  it("prunes as the object says, else as the options say", () => {
    const managed = [
      thing("v1 ConfigMap", "demo/a", said({ "sync-options": "PrunePropagationPolicy=orphan" })),
      thing("v1 ConfigMap", "demo/b"),
    ];

    const propagations = [undefined, "foreground"] as const;
    const found = propagations.map((policy) =>
      tasksOf(
        planOf({
          targets: [thing("v1 Secret", "demo/s")],
          managed,
          options: policy === undefined ? {} : { prunePropagationPolicy: policy },
        }),
      ).flatMap((task) => (task.action === "prune" ? [`${task.key.name} ${task.propagation}`] : [])),
    );

    assert.deepEqual(found, [
      ["b background", "a orphan"],
      ["b foreground", "a orphan"],
    ]);
  });

  it("reads Helm's hooks unless it is told not to", () => {
    const targets = [
      thing("batch/v1 Job", "demo/migrate", {
        annotations: { "helm.sh/hook": "pre-install,pre-upgrade", "helm.sh/hook-weight": "-5" },
      }),
      thing("v1 Pod", "demo/test", { annotations: { "helm.sh/hook": "test" } }),
      thing("v1 ConfigMap", "demo/a"),
    ];

    assertPlan(
      { targets },
      `
      PreSync, wave -5
        hook       batch/Job/demo/migrate
      Sync, wave 0
        create     /ConfigMap/demo/a
      `,
    );
    assertPlan(
      { targets, options: { helmHooks: false } },
      `
      Sync, wave 0
        create     /ConfigMap/demo/a
        --
        create     batch/Job/demo/migrate
        --
        create     /Pod/demo/test
      `,
    );
  });

  it("keeps what Helm would keep, unless Helm's annotations have no meaning", () => {
    const targets = [thing("v1 ConfigMap", "demo/a")];
    const managed = [thing("v1 Secret", "demo/s", { annotations: { "helm.sh/resource-policy": "keep" } })];

    assert.deepEqual(
      planOf({ targets, managed }).kept.map(({ guard }) => guard),
      ["opted-out"],
    );
    assert.deepEqual(planOf({ targets, managed, options: { helmHooks: false } }).kept, []);
  });

  it("writes an object as it asks to be written, else as the options say", () => {
    const targets = [
      thing("v1 ConfigMap", "demo/a", said({ "sync-options": "Replace=true" })),
      thing("v1 ConfigMap", "demo/b", said({ "sync-options": "ServerSideApply=false" })),
      thing("v1 ConfigMap", "demo/c"),
    ];

    assertPlan(
      { targets, options: { method: "server-side" } },
      `
      Sync, wave 0
        create     /ConfigMap/demo/a (replace)
        create     /ConfigMap/demo/b
        create     /ConfigMap/demo/c (server-side)
      `,
    );
  });
});

describe("hooks in a plan", () => {
  const hook = thing("batch/v1 Job", "demo/migrate", said({ hook: "PreSync,PostSync" }));
  const target = thing("v1 ConfigMap", "demo/a");

  it("come along with changes, in each of their phases", () => {
    assertPlan(
      { targets: [hook, target] },
      `
      PreSync, wave 0
        hook       batch/Job/demo/migrate
      Sync, wave 0
        create     /ConfigMap/demo/a
      PostSync, wave 0
        hook       batch/Job/demo/migrate
      `,
    );
  });

  it("do not run if nothing changes", () => {
    assertPlan(
      { targets: [hook, target], live: [target] },
      `
      Sync, wave 0
        unchanged  /ConfigMap/demo/a
      `,
    );
  });

  it("always run if requested", () => {
    const plan = planOf({ targets: [hook, target], live: [target], options: { hooks: "always" } });

    assert.deepEqual(
      tasksOf(plan).map(({ action }) => action),
      ["hook", "unchanged", "hook"],
    );
  });

  it("never run if they are turned off", () => {
    const plan = planOf({ targets: [hook, target], options: { hooks: "never" } });

    assert.deepEqual(
      tasksOf(plan).map(({ action }) => action),
      ["create"],
    );
  });

  it("are not pruned as long as they are targets", () => {
    assert.deepEqual(planOf({ targets: [hook, target], live: [target], managed: [hook] }).kept, []);
  });

  it("are pruned like anything else when they are targets no more", () => {
    assertPlan(
      { targets: [target], live: [target], managed: [hook] },
      `
      Sync, wave 0
        unchanged  /ConfigMap/demo/a
        --
        prune      batch/Job/demo/migrate
      `,
    );
  });
});
