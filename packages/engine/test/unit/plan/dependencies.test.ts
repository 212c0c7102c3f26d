import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent } from "@weir/testing";
import { printPlan } from "../../../src/plan/print-plan.ts";
import { planOf, said, thing } from "../../support/engine-objects.ts";

function definition(kind: string, wave: string) {
  return {
    ...thing("apiextensions.k8s.io/v1 CustomResourceDefinition", `${kind}s`, said({ "sync-wave": wave })),
    spec: { group: "example.test", names: { kind } },
  };
}

describe("what other objects need", () => {
  it("comes with the first of them, even a hook before the sync", () => {
    const plan = planOf({
      targets: [
        thing("v1 Namespace", "demo", said({ "sync-wave": "3" })),
        thing("batch/v1 Job", "demo/migrate", said({ hook: "PreSync", "sync-wave": "-2" })),
        thing("v1 ConfigMap", "demo/settings"),
        definition("Widget", "2"),
        thing("example.test/v1 Widget", "demo/w", said({ "sync-wave": "1" })),
      ],
    });

    assert.equal(
      printPlan(plan),
      dedent(`
        PreSync, wave -2
          create     /Namespace//demo
          --
          hook       batch/Job/demo/migrate
        Sync, wave 0
          create     /ConfigMap/demo/settings
        Sync, wave 1
          create     apiextensions.k8s.io/CustomResourceDefinition//Widgets
          --
          create     example.test/Widget/demo/w
      `),
    );
  });

  it("stays in an earlier wave", () => {
    const plan = planOf({
      targets: [
        thing("v1 Namespace", "demo", said({ "sync-wave": "-1" })),
        thing("v1 ConfigMap", "demo/settings"),
      ],
    });

    assert.equal(
      printPlan(plan),
      dedent(`
        Sync, wave -1
          create     /Namespace//demo
        Sync, wave 0
          create     /ConfigMap/demo/settings
      `),
    );
  });
});
