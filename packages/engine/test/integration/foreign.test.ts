import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { configMapPath, describeOnEachCluster, kubeObject, makeNamespace } from "@weir/testing";
import { EngineRig, told } from "../support/engine-rig.ts";

function configMap(namespace: string, name: string, annotations = "{}", data = "ours"): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace}, annotations: ${annotations} }
    data: { from: ${data} }
  `;
}

/** As Helm installs it. */
function ofHelm(namespace: string, name: string): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${name}
      namespace: ${namespace}
      labels: { app.kubernetes.io/managed-by: Helm }
      annotations: { meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: ${namespace} }
    data: { from: helm }
  `;
}

describeOnEachCluster("an object that somebody else manages", (cluster) => {
  let rig: EngineRig;
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
  });

  after(() => rig[Symbol.asyncDispose]());

  async function makeHelms(namespace: string, ...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await cluster.kube.create(`/api/v1/namespaces/${namespace}/configmaps`, ofHelm(namespace, name));
    }
  }

  async function dataOf(namespace: string, name: string): Promise<unknown> {
    return (await cluster.kube.get(configMapPath(name, namespace)))?.data;
  }

  it("is left alone, and reported", async () => {
    await makeHelms(namespace, "theirs");

    const result = await rig.sync("foreign", [configMap(namespace, "a"), configMap(namespace, "theirs")]);

    const reason = `Helm (release ${namespace}/shop) manages it`;
    assert.deepEqual(told(result), ["ConfigMap a created", `ConfigMap theirs Skipped: ${reason}`]);
    assert.equal(result.resources[1]?.guard, "foreign");
    assert.equal(result.message, `others manage /ConfigMap/${namespace}/theirs`);
    assert.deepEqual(await dataOf(namespace, "theirs"), { from: "helm" });
  });

  it("keeps everything from being changed if the sync says so, and it isn't taken over", async () => {
    await makeHelms(namespace, "theirs");
    const options = { failOnSharedResource: true, prune: "on", pruneLimit: "100%" } as const;
    await rig.sync("foreign-shared", [configMap(namespace, "a"), configMap(namespace, "b")], options);
    const targets = (annotations?: string) => [
      configMap(namespace, "a"),
      configMap(namespace, "new"),
      configMap(namespace, "theirs", annotations),
    ];

    const refused = await rig.sync("foreign-shared", targets(), options);
    const before = [await dataOf(namespace, "new"), await dataOf(namespace, "b")];
    const taken = await rig.sync(
      "foreign-shared",
      targets("{ weir.dev/sync-options: TakeOver=true }"),
      options,
    );

    assert.deepEqual([refused.phase, refused.isRefused], ["Failed", true]);
    assert.equal(
      refused.message,
      `nothing was changed, because others manage /ConfigMap/${namespace}/theirs`,
    );
    assert.deepEqual(before, [undefined, { from: "ours" }]);
    assert.equal(taken.phase, "Succeeded", taken.message);
    assert.deepEqual(
      [await dataOf(namespace, "new"), await dataOf(namespace, "b")],
      [{ from: "ours" }, undefined],
    );
  });

  it("is taken over if its manifest or the sync says so", async () => {
    await makeHelms(namespace, "one", "other");
    const willing = "{ weir.dev/sync-options: TakeOver=true }";

    const one = await rig.sync("foreign-one", [configMap(namespace, "one", willing)]);
    const other = await rig.sync("foreign-other", [configMap(namespace, "other")], { takeOver: true });

    assert.deepEqual(
      [told(one), told(other)],
      [["ConfigMap one configured"], ["ConfigMap other configured"]],
    );
    assert.deepEqual(await dataOf(namespace, "one"), { from: "ours" });
    assert.deepEqual(await dataOf(namespace, "other"), { from: "ours" });
  });

  it("is left alone even if it is only found when it is applied", async () => {
    const lease = kubeObject`
      apiVersion: coordination.k8s.io/v1
      kind: Lease
      metadata: { name: theirs, namespace: ${namespace}, labels: { kapp.k14s.io/app: "1" } }
      spec: { holderIdentity: them }
    `;
    const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    await cluster.kube.create(path, lease);
    const mine = { ...lease, metadata: { name: "theirs", namespace }, spec: { holderIdentity: "us" } };
    await using fresh = await EngineRig.open(cluster.kubeconfigPath);
    fresh.cache.isHeld = () => false;

    const result = await fresh.sync("foreign-unread", [mine], { prune: "off" });

    assert.deepEqual(told(result), ["Lease theirs Skipped: kapp (app 1) manages it"]);
    assert.equal(result.resources[0]?.guard, "foreign");
    assert.deepEqual((await cluster.kube.get(`${path}/theirs`))?.spec, { holderIdentity: "them" });
  });

  it("is not pruned", async () => {
    await rig.sync("foreign-prune", [configMap(namespace, "a"), configMap(namespace, "b")]);
    const { labels, annotations } = ofHelm(namespace, "b").metadata;
    await cluster.kube.patch(configMapPath("b", namespace), { metadata: { labels, annotations } });
    await using later = await EngineRig.open(cluster.kubeconfigPath);

    const careful = await later.sync("foreign-prune", [configMap(namespace, "a")]);
    const bold = await later.sync("foreign-prune", [configMap(namespace, "a")], { takeOver: true });

    const reason = `Helm (release ${namespace}/shop) manages it`;
    assert.deepEqual(told(careful), ["ConfigMap a unchanged", `ConfigMap b PruneSkipped: ${reason}`]);
    assert.deepEqual(told(bold), ["ConfigMap a unchanged", "ConfigMap b deleted"]);
  });
});
