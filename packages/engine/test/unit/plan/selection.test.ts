import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent } from "@weir/testing";
import { printPlan } from "../../../src/plan/print-plan.ts";
import { isSelected, type ObjectSelector } from "../../../src/plan/selection.ts";
import { planOf, said, thing } from "../../support/engine-objects.ts";

const web = { group: "apps", kind: "Deployment", namespace: "demo", name: "web" };

describe("isSelected", () => {
  const cases: readonly (readonly [what: string, selection: readonly ObjectSelector[], boolean])[] = [
    ["is true for the object itself", [web], true],
    [
      "is true for any namespace if none is given",
      [{ group: "apps", kind: "Deployment", name: "web" }],
      true,
    ],
    ["is true for any namespace if it is empty", [{ ...web, namespace: "" }], true],
    ["is false for another group", [{ ...web, group: "extensions" }], false],
    ["takes no group for the core group", [{ kind: "Deployment", name: "web" }], false],
    ["is false for another kind", [{ ...web, kind: "DaemonSet" }], false],
    ["is false for another namespace", [{ ...web, namespace: "other" }], false],
    ["is false for another name", [{ ...web, name: "db" }], false],
    ["is true if any of several selects it", [{ ...web, name: "db" }, web], true],
    ["is false for an empty selection", [], false],
  ];
  for (const [what, selection, expected] of cases) {
    it(what, () => {
      assert.equal(isSelected(web, selection), expected);
    });
  }

  it("is true without a selection", () => {
    assert.equal(isSelected(web, undefined), true);
  });
});

describe("a selective plan", () => {
  const targets = [
    thing("v1 Namespace", "demo"),
    thing("v1 ConfigMap", "demo/a"),
    thing("v1 ConfigMap", "demo/b"),
    thing("batch/v1 Job", "demo/hook", said({ hook: "PreSync" })),
  ];
  const managed = [thing("v1 ConfigMap", "demo/old"), thing("v1 ConfigMap", "demo/older")];

  it("has only what is selected, and no hooks", () => {
    const selection = [
      { kind: "ConfigMap", name: "a" },
      { kind: "ConfigMap", name: "old" },
      { group: "batch", kind: "Job", name: "hook" },
    ];

    assert.equal(
      printPlan(planOf({ targets, managed, options: { selection, hooks: "always" } })),
      dedent(`
        Sync, wave 0
          create     /ConfigMap/demo/a
          --
          prune      /ConfigMap/demo/old
      `),
    );
  });

  it("has nothing for an empty selection", () => {
    assert.equal(printPlan(planOf({ targets, managed, options: { selection: [] } })), "");
  });
});
