import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { configMapPath, describeOnEachCluster, kubeObject, makeNamespace, until } from "@weir/testing";
import { confirmationAnnotation, confirmationOf } from "../../src/plan/confirmation.ts";
import { EngineRig, ownerLabel, told } from "../support/engine-rig.ts";

function configMap(namespace: string, name: string, annotations = "{}") {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace}, annotations: ${annotations} }
  `;
}

describeOnEachCluster("a careful prune", (cluster) => {
  let rig: EngineRig;

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
  });

  after(() => rig[Symbol.asyncDispose]());

  it("waits for a confirmation of this very object", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const careful = "{ argocd.argoproj.io/sync-options: Prune=confirm }";
    const a = configMap(namespace, "a");
    await rig.sync("confirm", [a, configMap(namespace, "dear", careful)]);
    const path = configMapPath("dear", namespace);
    const asking = [
      "ConfigMap a unchanged",
      "ConfigMap dear PruneSkipped: its deletion has not been confirmed",
    ];

    const first = await rig.sync("confirm", [a]);
    const live = await cluster.kube.get(path);
    assert.ok(live);
    const confirmation = confirmationOf(live, Date.now()) ?? "";
    const confirm = { metadata: { annotations: { [confirmationAnnotation]: confirmation } } };
    // The object is made anew by somebody else, who copies everything.
    await cluster.kube.delete(path);
    const { labels, annotations } = live.metadata;
    await cluster.kube.create(`/api/v1/namespaces/${namespace}/configmaps`, {
      ...configMap(namespace, "dear"),
      metadata: {
        name: "dear",
        namespace,
        labels,
        annotations: { ...annotations, ...confirm.metadata.annotations },
      },
    });
    const key = { group: "", kind: "ConfigMap", namespace, name: "dear" };
    await until("the new object", () => {
      const { uid } = rig.cache.get(key)?.metadata ?? {};
      return uid !== undefined && uid !== live.metadata.uid;
    });
    const second = await rig.sync("confirm", [a]);
    const renewed = await cluster.kube.get(path);
    assert.ok(renewed);
    await cluster.kube.patch(path, {
      metadata: { annotations: { [confirmationAnnotation]: confirmationOf(renewed, Date.now()) } },
    });
    await until("the confirmation", () => {
      const { annotations: now } = rig.cache.get(key)?.metadata ?? {};
      return now?.[confirmationAnnotation]?.startsWith(`${renewed.metadata.uid ?? "?"}@`);
    });
    const third = await rig.sync("confirm", [a]);

    assert.deepEqual(told(first), asking);
    assert.equal(first.resources[1]?.guard, "unconfirmed");
    assert.equal(first.resources[1].uid, live.metadata.uid);
    assert.deepEqual(told(second), asking);
    assert.deepEqual(told(third), ["ConfigMap a unchanged", "ConfigMap dear deleted"]);
  });

  it("prunes nothing beyond the limit, unless these objects are approved", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => configMap(namespace, name));
    assert.ok(a && b && c && d);
    await rig.sync("limit", [a, b, c, d]);

    const held = await rig.sync("limit", [a, b], { pruneLimit: "25%" });
    const approvedPrunes = held.resources.flatMap(({ guard, uid }) =>
      guard === "prune-limit" && uid !== undefined ? [uid] : [],
    );
    const more = await rig.sync("limit", [a], { pruneLimit: "25%", approvedPrunes: approvedPrunes.slice(1) });
    const approved = await rig.sync("limit", [a, b], { pruneLimit: "25%", approvedPrunes });
    const small = await rig.sync("limit", [a], { pruneLimit: "25%" });

    const reason = "2 of 4 objects would be pruned, and the limit is 25%, which is 1";
    assert.deepEqual(told(held).slice(2), [
      `ConfigMap c PruneSkipped: ${reason}`,
      `ConfigMap d PruneSkipped: ${reason}`,
    ]);
    assert.equal(
      held.message,
      `nothing was pruned: ${reason}: /ConfigMap/${namespace}/c, /ConfigMap/${namespace}/d`,
    );
    assert.deepEqual(
      more.resources.map(({ code }) => code),
      ["Synced", "PruneSkipped", "PruneSkipped", "PruneSkipped"],
    );
    assert.deepEqual(told(approved).slice(2).sort(), ["ConfigMap c deleted", "ConfigMap d deleted"]);
    assert.deepEqual(told(small), ["ConfigMap a unchanged", "ConfigMap b deleted"]);
  });

  it("limits prunes to a quarter by default", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const objects = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => configMap(namespace, name));
    await rig.sync("limit-default", objects);
    const { engine } = rig;
    const request = {
      targets: objects.slice(3).map((object) => ({
        object: { ...object, metadata: { ...object.metadata, labels: { [ownerLabel]: "limit-default" } } },
      })),
      isManaged: (live: { metadata: { labels?: Readonly<Record<string, string>> | null } }) =>
        live.metadata.labels?.[ownerLabel] === "limit-default",
      revision: "r2",
      unit: "limit-default",
      prune: "on",
    } as const;

    const result = await engine.sync(request, AbortSignal.timeout(60_000));

    assert.deepEqual(
      result.resources.filter(({ guard }) => guard === "prune-limit").map(({ key }) => key.name),
      ["a", "b", "c"],
    );
  });

  it("does not delete a namespace with an object that stays", async () => {
    const name = await makeNamespace(cluster.kube);
    const namespace = kubeObject`{ apiVersion: v1, kind: Namespace, metadata: { name: ${name} } }`;
    await rig.sync("contains", [namespace, configMap(name, "a"), configMap(name, "b")]);

    const result = await rig.sync("contains", [configMap(name, "a")]);

    assert.deepEqual(told(result), [
      "ConfigMap a unchanged",
      "ConfigMap b deleted",
      `Namespace ${name} PruneSkipped: it contains /ConfigMap/${name}/a, which must stay`,
    ]);
    assert.notEqual(await cluster.kube.get(configMapPath("a", name)), undefined);
  });
});
