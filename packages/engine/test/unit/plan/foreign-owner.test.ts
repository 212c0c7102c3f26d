import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ObjectMeta } from "@weir/kube";
import { lastAppliedAnnotation, withLastApplied } from "../../../src/diff/last-applied.ts";
import { foreignOwnerOf, foreignOwnersOf } from "../../../src/plan/foreign-owner.ts";
import { thing } from "../../support/engine-objects.ts";

function web(metadata: ObjectMeta) {
  return thing("apps/v1 Deployment", "demo/web", metadata);
}

const bare = web({});
const helm = {
  labels: { "app.kubernetes.io/managed-by": "Helm" },
  annotations: { "meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "sales" },
};

describe("foreignOwnerOf", () => {
  const cases: readonly (readonly [ObjectMeta, string])[] = [
    [helm, "Helm (release sales/shop)"],
    [
      { annotations: { "argocd.argoproj.io/tracking-id": "shop:apps/Deployment:demo/web" } },
      "Argo CD (application shop)",
    ],
    [{ labels: { "argocd.argoproj.io/instance": "shop" } }, "Argo CD (application shop)"],
    [
      { labels: { "kustomize.toolkit.example.io/name": "a", "kustomize.toolkit.example.io/namespace": "b" } },
      "kustomize-controller (Kustomization b/a)",
    ],
    [
      { labels: { "helm.toolkit.example.io/name": "a", "helm.toolkit.example.io/namespace": "b" } },
      "helm-controller (HelmRelease b/a)",
    ],
    [{ labels: { "kapp.k14s.io/app": "162" } }, "kapp (app 162)"],
    [{ annotations: { "config.k8s.io/owning-inventory": "i1" } }, "an inventory of cli-utils (inventory i1)"],
    [
      {
        annotations: {
          "configmanagement.gke.io/managed": "enabled",
          "configsync.gke.io/resource-id": "apps_deployment_demo_web",
        },
      },
      "Config Sync (object apps_deployment_demo_web)",
    ],
    [{ annotations: { "objectset.rio.cattle.io/id": "default-shop" } }, "Fleet (object set default-shop)"],
    [{ labels: { "olm.owner": "shop.v1" } }, "Operator Lifecycle Manager (owner shop.v1)"],
    [{ labels: { "app.oam.dev/name": "shop" } }, "KubeVela (application shop)"],
    [{ labels: { "addonmanager.kubernetes.io/mode": "Reconcile" } }, "the addon manager (an addon)"],
  ];
  for (const [metadata, owner] of cases) {
    it(`recognizes ${owner}`, () => {
      assert.equal(foreignOwnerOf(web(metadata), bare), owner);
      assert.equal(foreignOwnerOf(web(metadata), undefined), owner);
      assert.equal(foreignOwnerOf(web(metadata), web(metadata)), undefined);
    });
  }

  const unmarked: readonly (readonly [string, ObjectMeta])[] = [
    ["nothing", {}],
    ["Helm's label alone, which charts rendered by others have", { labels: helm.labels }],
    ["Helm's annotations alone", { annotations: helm.annotations }],
    [
      "a copy of another object's tracking ID",
      { annotations: { "argocd.argoproj.io/tracking-id": "shop:apps/ReplicaSet:demo/web-1" } },
    ],
    ["an addon that is only created", { labels: { "addonmanager.kubernetes.io/mode": "EnsureExists" } }],
    ["the usual instance label", { labels: { "app.kubernetes.io/instance": "shop" } }],
  ];
  for (const [what, metadata] of unmarked) {
    it(`sees nobody in ${what}`, () => {
      assert.equal(foreignOwnerOf(web(metadata), bare), undefined);
    });
  }

  it("does not take another owner of the same tool for the manifest's own", () => {
    const other = { ...helm, annotations: { ...helm.annotations, "meta.helm.sh/release-name": "other" } };

    assert.equal(foreignOwnerOf(web(helm), web(other)), "Helm (release sales/shop)");
  });

  it("compares an object without a manifest with what was applied last", () => {
    const applied = withLastApplied(web(helm));
    const later = withLastApplied(bare);
    const taken = web({ ...helm, annotations: { ...later.metadata.annotations, ...helm.annotations } });
    const bad = web({ ...helm, annotations: { ...helm.annotations, [lastAppliedAnnotation]: "{" } });

    assert.equal(foreignOwnerOf(applied, undefined), undefined);
    assert.equal(foreignOwnerOf(taken, undefined), "Helm (release sales/shop)");
    assert.equal(foreignOwnerOf(bad, undefined), "Helm (release sales/shop)");
  });

  it("names all of them", () => {
    const live = web({ ...helm, labels: { ...helm.labels, "olm.owner": "x" } });

    assert.deepEqual(foreignOwnersOf(live, bare), [
      { tool: "Helm", name: "release sales/shop" },
      { tool: "Operator Lifecycle Manager", name: "owner x" },
    ]);
  });
});
