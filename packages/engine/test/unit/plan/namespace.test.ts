import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { dedent } from "@weir/testing";
import { withNamespace } from "../../../src/plan/namespace.ts";
import { type PlanOptions, planSync, tasksOf } from "../../../src/plan/plan.ts";
import { printPlan } from "../../../src/plan/print-plan.ts";
import { type LiveState, reconcile } from "../../../src/plan/reconcile.ts";
import { said, thing } from "../../support/engine-objects.ts";

interface Scene {
  readonly targets: readonly KubeObject[];
  readonly live?: LiveState;
  readonly managed?: readonly KubeObject[];
  readonly options?: Partial<PlanOptions>;
}

function planWith({ targets, live = { kind: "absent" }, managed = [], options = {} }: Scene) {
  const all: PlanOptions = {
    prune: "on",
    pruneLast: true,
    allowEmpty: false,
    hooks: "always",
    method: "client-side",
    createNamespace: "demo",
    ...options,
  };
  const wanted = withNamespace(
    targets.map((object) => ({ object })),
    all,
  );
  return planSync({
    ...reconcile(wanted, managed, ({ kind }) => (kind === "Namespace" ? live : { kind: "absent" })),
    run: { revision: "abcdef", startedAt: 0 },
    options: all,
    compare: (_target, _live, method) => (method === "server-side" ? "patch" : "unchanged"),
  });
}

const settings = thing("v1 ConfigMap", "demo/settings", said({ "sync-wave": "1" }));
const present: LiveState = { kind: "present", object: thing("v1 Namespace", "demo") };

describe("createNamespace", () => {
  it("creates the namespace before the first object in it", () => {
    const hook = thing("batch/v1 Job", "demo/migrate", said({ hook: "PreSync" }));

    assert.equal(
      printPlan(planWith({ targets: [settings, hook] })),
      dedent(`
        PreSync, wave 0
          create     /Namespace//demo
          --
          hook       batch/Job/demo/migrate
        Sync, wave 1
          create     /ConfigMap/demo/settings
      `),
    );
  });

  it("leaves a namespace that exists as it is", () => {
    const [task] = tasksOf(planWith({ targets: [settings], live: present }));

    assert.equal(task?.action, "unchanged");
  });

  it("leaves a namespace as it is that turns out to exist", () => {
    const [task] = tasksOf(planWith({ targets: [settings] }));

    assert.equal(task !== undefined && "createOnly" in task && task.createOnly, true);
  });

  it("gives the namespace its labels and annotations by server-side apply, even if it exists", () => {
    const managedNamespaceMetadata = { labels: { team: "a" }, annotations: { note: "b" } };
    const plan = planWith({ targets: [settings], live: present, options: { managedNamespaceMetadata } });

    const [task] = tasksOf(plan);

    assert.deepEqual(task !== undefined && "method" in task && [task.action, task.method, task.target], [
      "patch",
      "server-side",
      {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: "demo", labels: { team: "a" }, annotations: { note: "b" } },
      },
    ]);
  });

  it("does nothing if the namespace is a target", () => {
    const own = thing("v1 Namespace", "demo", { labels: { own: "yes" } });
    const plan = planWith({ targets: [own, settings], options: { managedNamespaceMetadata: {} } });

    assert.deepEqual(
      tasksOf(plan).map((task) => ("method" in task ? [task.method, task.target] : [])),
      [
        ["client-side", own],
        ["client-side", settings],
      ],
    );
  });

  it("does nothing if no object is in the namespace", () => {
    assert.deepEqual(tasksOf(planWith({ targets: [thing("v1 Namespace", "other")] })).length, 1);
  });

  it("neither counts as a target nor is pruned", () => {
    const managed = [thing("v1 Namespace", "demo"), thing("v1 ConfigMap", "demo/old")];

    assert.equal(
      printPlan(planWith({ targets: [], managed, live: present })),
      dedent(`
        kept
          /ConfigMap/demo/old: there are no targets at all
      `),
    );
  });
});
