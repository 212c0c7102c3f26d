import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent } from "@weir/testing";
import fc from "fast-check";
import { rankOf } from "../../../src/plan/order.ts";
import { printPlan } from "../../../src/plan/print-plan.ts";
import { planOf, said, thing } from "../../support/engine-objects.ts";

/** The ranks, as kinds in lower case. */
const ranks = [
  "namespace",
  "customresourcedefinition serviceaccount clusterrole role persistentvolume service",
  "resourcequota limitrange secret configmap rolebinding clusterrolebinding persistentvolumeclaim ingress",
  "daemonset deployment replicationcontroller replicaset job cronjob statefulset",
  "widget networkpolicy apiservice validatingwebhookconfiguration helmrelease",
];

describe("rankOf", () => {
  for (const [rank, kinds] of ranks.entries()) {
    for (const kind of kinds.split(" ")) {
      it(`puts ${kind} into rank ${rank}`, () => {
        assert.equal(rankOf(kind), rank);
      });
    }
  }

  it("does not mind capitals", () => {
    assert.equal(rankOf("CustomResourceDefinition"), 1);
  });
});

describe("the order of a plan", () => {
  const targets = [
    thing("batch/v1 Job", "demo/after", said({ hook: "PostSync" })),
    thing("batch/v1 Job", "demo/before", said({ hook: "PreSync" })),
    thing("v1 Namespace", "demo"),
    thing("v1 Service", "demo/b"),
    thing("v1 Service", "other/a"),
    thing("v1 ServiceAccount", "demo/aa"),
    thing("apps/v1 Deployment", "demo/web"),
    thing("example.test/v1 Widget", "demo/w"),
    thing("v1 Secret", "demo/s"),
    thing("v1 ConfigMap", "demo/late", said({ "sync-wave": "2" })),
    thing("v1 ConfigMap", "demo/early", said({ "sync-wave": "-1" })),
  ];
  const managed = [
    thing("v1 ConfigMap", "old/one"),
    thing("v1 ConfigMap", "old/two"),
    thing("v1 Namespace", "old"),
    thing("apps/v1 Deployment", "old/web"),
  ];
  const drawing = dedent(`
    PreSync, wave 0
      create     /Namespace//demo
      --
      hook       batch/Job/demo/before
    Sync, wave -1
      create     /ConfigMap/demo/early
    Sync, wave 0
      create     /Service/other/a
      create     /ServiceAccount/demo/aa
      create     /Service/demo/b
      --
      create     /Secret/demo/s
      --
      create     apps/Deployment/demo/web
      --
      create     example.test/Widget/demo/w
    Sync, wave 2
      create     /ConfigMap/demo/late
      --
      prune      apps/Deployment/old/web
      --
      prune      /ConfigMap/old/two
      prune      /ConfigMap/old/one
      --
      prune      /Namespace//old
    PostSync, wave 0
      hook       batch/Job/demo/after
  `);

  it("goes by phase, wave, rank and name, and prunes last and backwards", () => {
    assert.equal(printPlan(planOf({ targets, managed })), drawing);
  });

  it("does not depend on the order of what it is made from", () => {
    const shuffled = fc.tuple(
      fc.shuffledSubarray(targets, { minLength: targets.length }),
      fc.shuffledSubarray(managed, { minLength: managed.length }),
    );

    fc.assert(
      fc.property(shuffled, ([someTargets, someManaged]) => {
        assert.equal(printPlan(planOf({ targets: someTargets, managed: someManaged })), drawing);
      }),
    );
  });
});
