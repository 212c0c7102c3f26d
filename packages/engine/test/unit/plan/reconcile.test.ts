import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, keyOf, printKey } from "@weir/kube";
import { DuplicateTargetError, type LiveState, reconcile } from "../../../src/plan/reconcile.ts";
import { thing } from "../../support/engine-objects.ts";

/** The orphans among managed objects, as text; live objects are found by key, kinds in `unread` are not held. */
function orphansOf(
  targets: readonly KubeObject[],
  managed: readonly KubeObject[],
  unread: readonly string[] = [],
): readonly string[] {
  const live = new Map(managed.map((object) => [printKey(keyOf(object)), object]));
  const { orphans } = reconcile(
    targets.map((object) => ({ object })),
    managed,
    (key): LiveState => {
      const object = live.get(printKey(key));
      if (unread.includes(key.group)) {
        return { kind: "unread" };
      }
      return object === undefined ? { kind: "absent" } : { kind: "present", object };
    },
  );
  return orphans.map((object) => printKey(keyOf(object)));
}

describe("reconcile", () => {
  it("brings a target and its live object together", () => {
    const target = { object: thing("v1 ConfigMap", "demo/a") };
    const live = { kind: "present", object: thing("v1 ConfigMap", "demo/a", { uid: "1" }) } as const;

    assert.deepEqual(
      reconcile([target], [], () => live),
      {
        pairs: [
          {
            key: { group: "", kind: "ConfigMap", namespace: "demo", name: "a" },
            id: "/ConfigMap/demo/a",
            target,
            live,
          },
        ],
        orphans: [],
        managed: 0,
      },
    );
  });

  it("counts managed objects, each once, and none that has an owner", () => {
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "1" };
    const managed = [
      thing("v1 ConfigMap", "demo/a", { uid: "1" }),
      thing("v1 ConfigMap", "demo/b", { uid: "2" }),
      thing("v1 ConfigMap", "demo/b", { uid: "2" }),
      thing("v1 ConfigMap", "demo/c", { uid: "3", ownerReferences: [owner] }),
    ];

    assert.equal(reconcile([], managed, () => ({ kind: "absent" })).managed, 2);
  });

  it("finds managed objects that no target asks for", () => {
    const targets = [thing("v1 ConfigMap", "demo/a")];
    const managed = [
      thing("v1 ConfigMap", "demo/a", { uid: "1" }),
      thing("v1 ConfigMap", "demo/b", { uid: "2" }),
    ];

    assert.deepEqual(orphansOf(targets, managed), ["/ConfigMap/demo/b"]);
  });

  it("takes an object shown in two groups for one, by its uid", () => {
    const targets = [thing("networking.k8s.io/v1 Ingress", "demo/web")];
    const managed = [
      thing("networking.k8s.io/v1 Ingress", "demo/web", { uid: "1" }),
      thing("extensions/v1beta1 Ingress", "demo/web", { uid: "1" }),
    ];

    assert.deepEqual(orphansOf(targets, managed), []);
  });

  it("names an orphan that is shown in two groups once", () => {
    const managed = [
      thing("networking.k8s.io/v1 Ingress", "demo/web", { uid: "1" }),
      thing("extensions/v1beta1 Ingress", "demo/web", { uid: "1" }),
    ];

    assert.deepEqual(orphansOf([], managed), ["networking.k8s.io/Ingress/demo/web"]);
  });

  it("keeps what may be the target's object, shown in another group, while that is not known", () => {
    const targets = [thing("extensions/v1beta1 Ingress", "demo/web")];
    const managed = [thing("networking.k8s.io/v1 Ingress", "demo/web", { uid: "1" })];

    assert.deepEqual(orphansOf(targets, managed, ["extensions"]), []);
  });

  it("prunes an object of the same name in another group where the target surely is another", () => {
    const targets = [thing("serving.knative.dev/v1 Service", "demo/web")];
    const managed = [thing("v1 Service", "demo/web", { uid: "1" })];

    assert.deepEqual(orphansOf(targets, managed), ["/Service/demo/web"]);
  });

  it("keeps objects with names that were generated from a target", () => {
    const targets = [
      { apiVersion: "batch/v1", kind: "Job", metadata: { namespace: "demo", generateName: "migrate-" } },
    ];
    const managed = [
      thing("batch/v1 Job", "demo/migrate-abc-presync-1", { uid: "1" }),
      thing("batch/v1 Job", "demo/other-abc", { uid: "2" }),
    ];

    assert.deepEqual(orphansOf(targets, managed), ["batch/Job/demo/other-abc"]);
  });

  it("refuses two targets that are the same object", () => {
    const targets = [thing("v1 ConfigMap", "demo/a"), thing("v1 ConfigMap", "demo/a")];

    assert.throws(
      () =>
        reconcile(
          targets.map((object) => ({ object })),
          [],
          () => ({ kind: "absent" }),
        ),
      (error) => error instanceof DuplicateTargetError && printKey(error.key) === "/ConfigMap/demo/a",
    );
  });
});
