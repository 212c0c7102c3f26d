import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { RefusalJudge } from "../../../src/dry-run/unchecked.ts";
import { tasksOf } from "../../../src/plan/plan.ts";
import { planOf, thing } from "../../support/engine-objects.ts";

const namespace = thing("v1 Namespace", "new");
const account = thing("v1 ServiceAccount", "new/runner");
const priority = thing("scheduling.k8s.io/v1 PriorityClass", "urgent");
const pod = thing("v1 Pod", "new/p");
const gadget = thing("example.test/v1 Gadget", "new/g");

function definition(scope: string, served = true): KubeObject {
  return {
    ...thing("apiextensions.k8s.io/v1 CustomResourceDefinition", "gadgets.example.test"),
    spec: {
      group: "example.test",
      scope,
      names: { kind: "Gadget", plural: "gadgets" },
      versions: [{ name: "v1", served, storage: true }],
    },
  };
}

/** Judges the refusal of one target of a plan. */
function judged(targets: readonly KubeObject[], refused: KubeObject, error: string) {
  const tasks = tasksOf(planOf({ targets }));
  const task = tasks.find(({ key }) => key.kind === refused.kind);
  assert.ok(task);
  const result = new RefusalJudge(tasks).judge(task, error);
  return result.kind === "refused" ? "refused" : result.reason;
}

const unknownKind = `error: unable to recognize "STDIN": no matches for kind "Gadget" in version "example.test/v1"`;

describe("RefusalJudge", () => {
  const missing: readonly (readonly [KubeObject, string])[] = [
    [namespace, `Error from server (NotFound): error when creating "STDIN": namespaces "new" not found`],
    [
      account,
      `pods "p" is forbidden: error looking up service account new/runner: serviceaccount "runner" not found`,
    ],
    [priority, `pods "p" is forbidden: no PriorityClass with name urgent was found`],
  ];
  for (const [object, error] of missing) {
    it(`doesn't mind a missing ${object.kind} that the plan creates`, () => {
      const reason = `the same sync creates ${object.kind} ${object.metadata.name ?? ""}`;

      assert.equal(judged([object, pod], pod, error), reason);
      assert.equal(judged([pod], pod, error), "refused");
    });
  }

  it("doesn't take an object of another kind for the missing one", () => {
    assert.equal(judged([thing("v1 ConfigMap", "new"), pod], pod, `namespaces "new" not found`), "refused");
  });

  it("knows what a definition in the plan says about an unknown kind", () => {
    const cases = [definition("Namespaced"), definition("Cluster"), definition("Namespaced", false)];

    assert.deepEqual(
      cases.map((each) => judged([each, gadget], gadget, unknownKind)),
      ["the same sync creates CustomResourceDefinition gadgets.example.test", "refused", "refused"],
    );
    assert.equal(judged([gadget], gadget, unknownKind), "refused");
  });

  it("doesn't take a webhook without dry runs for a refusal", () => {
    assert.equal(
      judged([pod], pod, `admission webhook "a.example.test" does not support dry run`),
      "an admission webhook does not support dry runs",
    );
  });

  it("refuses the rest", () => {
    assert.equal(judged([namespace, pod], pod, `The Pod "p" is invalid: spec: Required value`), "refused");
  });
});
