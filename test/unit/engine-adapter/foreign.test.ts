import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lastAppliedAnnotation } from "@weir/engine";
import { checksumAnnotation, markLabel } from "@weir/flux";
import type { KubeObject, ObjectMeta } from "@weir/kube";
import { foreignOwner, rivalOwner } from "../../../src/engine-adapter/foreign.ts";

function settings(metadata: ObjectMeta = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "shop", ...metadata } };
}

const target = settings();
const labels = { "app.kubernetes.io/managed-by": "Helm" };
const annotations = { "meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": "shop" };
const helm = "Helm (release shop/web)";

/** Who keeps an object from being applied, and who only shares it. */
function ownersOf(live: KubeObject, manifest: KubeObject = target) {
  return [foreignOwner(live, manifest), rivalOwner(live, manifest)];
}

describe("the owner of an object in git", () => {
  it("is nobody without marks", () => {
    assert.deepEqual(ownersOf(settings()), [undefined, undefined]);
  });

  it("is the other tool by its marks", () => {
    assert.deepEqual(ownersOf(settings({ labels, annotations })), [helm, undefined]);
  });

  const known: readonly (readonly [string, ObjectMeta])[] = [
    ["Flux's mark", { labels: { ...labels, [markLabel]: "sha256.x" }, annotations }],
    ["Flux's checksum", { labels, annotations: { ...annotations, [checksumAnnotation]: "x" } }],
    ["kubectl's annotation", { labels, annotations: { ...annotations, [lastAppliedAnnotation]: "{}" } }],
  ];
  for (const [what, metadata] of known) {
    it(`is shared if the object has ${what}`, () => {
      assert.deepEqual(ownersOf(settings(metadata)), [undefined, helm]);
    });
  }

  it("is nobody if the manifest has the same marks", () => {
    const marked = settings({ labels, annotations });

    assert.deepEqual(ownersOf(marked, marked), [undefined, undefined]);
  });

  it("is not Flux v2's Kustomization, which only shares it", () => {
    const live = settings({
      labels: { "kustomize.toolkit.fluxcd.io/name": "shop", "kustomize.toolkit.fluxcd.io/namespace": "flux" },
    });

    assert.deepEqual(ownersOf(live), [undefined, "kustomize-controller (Kustomization flux/shop)"]);
  });

  it("is Flux v2's HelmRelease", () => {
    const live = settings({
      labels: { "helm.toolkit.fluxcd.io/name": "shop", "helm.toolkit.fluxcd.io/namespace": "flux" },
    });

    assert.deepEqual(ownersOf(live), ["helm-controller (HelmRelease flux/shop)", undefined]);
  });
});
