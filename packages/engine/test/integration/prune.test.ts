import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { configMapPath, describeOnEachCluster, kubeObject, makeNamespace, until } from "@weir/testing";
import { EngineRig, ownerLabel, told } from "../support/engine-rig.ts";

function configMap(namespace: string, name: string, annotations = "{}") {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace}, annotations: ${annotations} }
  `;
}

describeOnEachCluster("pruning", (cluster) => {
  let rig: EngineRig;
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
  });

  after(() => rig[Symbol.asyncDispose]());

  it("deletes only managed objects that are no longer targets", async () => {
    await rig.sync("prune-other", [configMap(namespace, "of-another")]);
    await rig.sync("prune", [configMap(namespace, "a"), configMap(namespace, "b")]);
    rig.asked.take();

    const result = await rig.sync("prune", [configMap(namespace, "a")]);

    assert.deepEqual(told(result), ["ConfigMap a unchanged", "ConfigMap b deleted"]);
    assert.deepEqual(rig.asked.take(), [`DELETE /api/v1/namespaces/${namespace}/configmaps/b`]);
    assert.equal(await cluster.kube.get(configMapPath("b", namespace)), undefined);
    assert.notEqual(await cluster.kube.get(configMapPath("of-another", namespace)), undefined);
  });

  it("finds objects of a previous engine whose kinds no target has", async () => {
    const role = kubeObject`
      { apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: old, namespace: ${namespace} }, rules: [] }
    `;
    await rig.sync("prune-later", [configMap(namespace, "a"), role]);
    await using later = await EngineRig.open(cluster.kubeconfigPath);

    const result = await later.sync("prune-later", [configMap(namespace, "a")]);

    assert.deepEqual(told(result), ["ConfigMap a unchanged", "Role old deleted"]);
  });

  it("keeps objects that opt out of pruning, and owned objects", async () => {
    await rig.sync("prune-kept", [
      configMap(namespace, "owner"),
      configMap(namespace, "dear", "{ argocd.argoproj.io/sync-options: Prune=false }"),
      configMap(namespace, "owned"),
    ]);
    const owner = await cluster.kube.get(configMapPath("owner", namespace));
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner?.metadata.uid };
    await cluster.kube.patch(configMapPath("owned", namespace), {
      metadata: { ownerReferences: [reference] },
    });
    await until(
      "the news",
      () =>
        rig.cache.get({ group: "", kind: "ConfigMap", namespace, name: "owned" })?.metadata.ownerReferences,
    );

    const result = await rig.sync("prune-kept", [configMap(namespace, "owner")]);

    assert.deepEqual(told(result), [
      "ConfigMap owner unchanged",
      "ConfigMap dear PruneSkipped: its sync options say so",
      "ConfigMap owned PruneSkipped: it belongs to ConfigMap owner",
    ]);
  });

  it("only reports in a dry run of pruning, and does nothing if pruning is off", async () => {
    await rig.sync("prune-dry", [configMap(namespace, "a"), configMap(namespace, "b")]);

    const dry = await rig.sync("prune-dry", [configMap(namespace, "a")], { prune: "dry-run" });
    const off = await rig.sync("prune-dry", [configMap(namespace, "a")], { prune: "off" });

    assert.deepEqual(told(dry), [
      "ConfigMap a unchanged",
      "ConfigMap b PruneSkipped: it would be pruned (dry run)",
    ]);
    assert.deepEqual(told(off), ["ConfigMap a unchanged"]);
    assert.notEqual(await cluster.kube.get(configMapPath("b", namespace)), undefined);
  });

  it("does not take an empty set of targets for a wish to delete everything", async () => {
    await rig.sync("prune-empty", [configMap(namespace, "a")]);

    const careful = await rig.sync("prune-empty", []);
    const meant = await rig.sync("prune-empty", [], { allowEmpty: true });

    assert.deepEqual(told(careful), ["ConfigMap a PruneSkipped: there are no targets at all"]);
    assert.deepEqual(told(meant), ["ConfigMap a deleted"]);
  });

  it("prunes though something failed to be applied", async () => {
    await rig.sync("prune-failure", [configMap(namespace, "old")]);

    const result = await rig.sync("prune-failure", [configMap("nowhere", "lost")]);

    assert.deepEqual(
      result.resources.map(({ key, code }) => `${key.name} ${code}`),
      ["lost SyncFailed", "old Pruned"],
    );
  });

  it("leaves an object alone that has taken the name of the one it saw", async () => {
    await rig.sync("prune-name", [configMap(namespace, "a"), configMap(namespace, "b")]);
    rig.client.beforeNext("DELETE", async () => {
      await cluster.kube.delete(configMapPath("b", namespace));
      await cluster.kube.create(`/api/v1/namespaces/${namespace}/configmaps`, configMap(namespace, "b"));
    });

    const result = await rig.sync("prune-name", [configMap(namespace, "a")]);

    assert.deepEqual(told(result), [
      "ConfigMap a unchanged",
      "ConfigMap b PruneSkipped: another object has the same name now",
    ]);
    assert.notEqual(await cluster.kube.get(configMapPath("b", namespace)), undefined);
  });

  it("does not wait for finalizers, and does not delete twice", async () => {
    await rig.sync("prune-finalizer", [configMap(namespace, "a"), configMap(namespace, "b")]);
    await cluster.kube.patch(configMapPath("b", namespace), {
      metadata: { finalizers: ["example.test/not-yet"], labels: { [ownerLabel]: "prune-finalizer" } },
    });

    const first = await rig.sync("prune-finalizer", [configMap(namespace, "a")]);
    const second = await rig.sync("prune-finalizer", [configMap(namespace, "a")]);

    assert.deepEqual(told(first), ["ConfigMap a unchanged", "ConfigMap b deleted"]);
    assert.deepEqual(told(second), [
      "ConfigMap a unchanged",
      "ConfigMap b PruneSkipped: it is already being deleted",
    ]);
    await cluster.kube.patch(configMapPath("b", namespace), { metadata: { finalizers: null } });
  });

  it("leaves an object alone that somebody has taken over since the engine saw it", async () => {
    await rig.sync("prune-taken", [configMap(namespace, "a"), configMap(namespace, "b")]);
    rig.client.beforeNext("DELETE", () =>
      cluster.kube.patch(configMapPath("b", namespace), { metadata: { labels: { [ownerLabel]: "them" } } }),
    );

    const result = await rig.sync("prune-taken", [configMap(namespace, "a")]);

    assert.deepEqual(told(result), [
      "ConfigMap a unchanged",
      "ConfigMap b PruneSkipped: it has changed in the meantime; the next sync decides about it again",
    ]);
    assert.notEqual(await cluster.kube.get(configMapPath("b", namespace)), undefined);
  });

  it("deletes an object whose content has changed since the engine saw it", async () => {
    await rig.sync("prune-changed", [configMap(namespace, "a"), configMap(namespace, "b")]);
    rig.client.beforeNext("DELETE", () =>
      cluster.kube.patch(configMapPath("b", namespace), { data: { key: "new" } }),
    );

    const result = await rig.sync("prune-changed", [configMap(namespace, "a")]);

    assert.deepEqual(told(result), ["ConfigMap a unchanged", "ConfigMap b deleted"]);
  });

  it("prunes the next wave only when the objects of the one before are gone", async () => {
    const [first, second] = [configMapPath("first", namespace), configMapPath("second", namespace)];
    const options = { pruneLast: false } as const;
    await rig.sync("prune-waves", [
      configMap(namespace, "stays"),
      configMap(namespace, "first", '{ argocd.argoproj.io/sync-wave: "1" }'),
      configMap(namespace, "second"),
    ]);
    await cluster.kube.patch(first, { metadata: { finalizers: ["example.test/not-yet"] } });

    const late = await rig.sync("prune-waves", [configMap(namespace, "stays")], { ...options, waitMs: 500 });
    assert.deepEqual(told(late), [
      "ConfigMap first SyncFailed: it was not gone within 0.5 s after its deletion: it has the finalizer example.test/not-yet",
      "ConfigMap stays unchanged",
      "ConfigMap second HeldBack: an earlier step failed",
    ]);
    assert.equal((await cluster.kube.get(second))?.metadata.deletionTimestamp, undefined);

    const syncing = rig.sync("prune-waves", [configMap(namespace, "stays")], options);
    await cluster.kube.patch(first, { metadata: { finalizers: null } });

    const result = await syncing;
    assert.ok(told(result).includes("ConfigMap second deleted"));
    assert.equal(result.phase, "Succeeded");
    assert.equal(await cluster.kube.get(second), undefined);
  });

  it("treats an object that is already gone as deleted", async () => {
    await rig.sync("prune-gone", [configMap(namespace, "a"), configMap(namespace, "b")]);
    rig.client.beforeNext("DELETE", () => cluster.kube.delete(configMapPath("b", namespace)));

    const result = await rig.sync("prune-gone", [configMap(namespace, "a")]);

    assert.deepEqual(told(result), ["ConfigMap a unchanged", "ConfigMap b deleted"]);
  });
});
