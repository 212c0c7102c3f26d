import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { isJsonObject } from "@weir/base";
import { configMapPath, describeOnEachCluster, kubeObject, makeNamespace, until } from "@weir/testing";
import { EngineRig, told } from "../support/engine-rig.ts";

function configMap(namespace: string, name: string, options = "", value = "v1") {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace}, annotations: { argocd.argoproj.io/sync-options: "${options}" } }
    data: { key: ${value} }
  `;
}

function hook(namespace: string, phase: string) {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: hook, namespace: ${namespace}, annotations: { argocd.argoproj.io/hook: ${phase} } }
  `;
}

describeOnEachCluster("sync options", (cluster) => {
  let rig: EngineRig;
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
  });

  after(() => rig[Symbol.asyncDispose]());

  it("replaces objects that are too large to be applied", async () => {
    const value = "x".repeat(300_000);
    const large = configMap(namespace, "large", "Replace=true", value);
    const larger = configMap(namespace, "large", "Replace=true", `${value}y`);

    const created = await rig.sync("large", [large]);
    const replaced = await rig.sync("large", [larger]);
    const same = await rig.sync("large", [larger]);

    assert.deepEqual(told(created), ["ConfigMap large created"]);
    assert.deepEqual(told(replaced), ["ConfigMap large configured"]);
    assert.deepEqual(told(same), ["ConfigMap large unchanged"]);
  });

  it("replaces a namespace without deleting it", async () => {
    const path = `/api/v1/namespaces/${namespace}`;
    const old = await cluster.kube.get(path);
    await cluster.kube.patch(path, { metadata: { annotations: { extra: "yes" } } });
    const target = kubeObject`
      apiVersion: v1
      kind: Namespace
      metadata: { name: ${namespace}, annotations: { argocd.argoproj.io/sync-options: "Replace=true,Force=true" } }
    `;

    const result = await rig.sync("replace-namespace", [target]);

    const now = await cluster.kube.get(path);
    assert.deepEqual(told(result), [`Namespace ${namespace} configured`]);
    assert.equal(now?.metadata.uid, old?.metadata.uid);
    assert.equal(now?.metadata.annotations?.["extra"], undefined);
  });

  it("prunes with the propagation policy of the request, or of the object", async () => {
    const names = ["usual", "own"];
    await rig.sync("propagation", [
      configMap(namespace, "usual"),
      configMap(namespace, "own", "PrunePropagationPolicy=orphan"),
      configMap(namespace, "stays"),
    ]);
    const asked = new Map<string, unknown>();
    rig.client.around = (send, { method, path, body }) => {
      if (method === "DELETE" && isJsonObject(body)) {
        asked.set(path, body["propagationPolicy"]);
      }
      return send();
    };

    await rig.sync("propagation", [configMap(namespace, "stays")], { prunePropagationPolicy: "foreground" });

    rig.client.around = (send) => send();
    assert.deepEqual(
      names.map((name) => asked.get(configMapPath(name, namespace))),
      ["Foreground", "Orphan"],
    );
  });

  it("creates the namespace of a unit first, and never deletes it", async () => {
    const namespace = `${await makeNamespace(cluster.kube)}-new`;
    const path = `/api/v1/namespaces/${namespace}`;
    const options = { createNamespace: namespace, pruneLast: false } as const;

    const created = await rig.sync("create-namespace", [configMap(namespace, "a")], options);
    const same = await rig.sync("create-namespace", [configMap(namespace, "a")], options);
    const without = await rig.sync("create-namespace", [], { allowEmpty: true });

    assert.deepEqual(told(created), [`Namespace ${namespace} created`, "ConfigMap a created"]);
    assert.deepEqual(told(same), [`Namespace ${namespace} unchanged`, "ConfigMap a unchanged"]);
    assert.deepEqual(told(without), ["ConfigMap a deleted"]);
    assert.equal((await cluster.kube.get(path))?.metadata.deletionTimestamp, undefined);
  });

  it("does not mind a missing kind in a dry run, if the object says so", async () => {
    function strange(name: string, options: string) {
      return kubeObject`
        apiVersion: strange.example.test/v1
        kind: Strange
        metadata: { name: ${name}, namespace: ${namespace}, annotations: { argocd.argoproj.io/sync-options: "${options}" } }
      `;
    }

    const result = await rig.sync(
      "missing-kind",
      [strange("a", "SkipDryRunOnMissingResource=true"), strange("b", "")],
      { dryRun: true },
    );
    const wet = await rig.sync("missing-kind", [strange("a", "SkipDryRunOnMissingResource=true")]);

    const [first, second = ""] = told(result);
    assert.equal(first, "Strange a Skipped: the server doesn't have its kind yet, so it wasn't checked");
    assert.match(second, /^Strange b SyncFailed: .*no matches for kind "Strange"/);
    assert.equal(wet.phase, "Failed");
  });

  it("applies and prunes only what is selected, without hooks, and forgets nothing else", async () => {
    await rig.sync("selection", [
      configMap(namespace, "a"),
      configMap(namespace, "b"),
      configMap(namespace, "old"),
      configMap(namespace, "older"),
    ]);
    const next = [
      configMap(namespace, "a", "", "v2"),
      configMap(namespace, "b", "", "v2"),
      hook(namespace, "PostSync"),
    ];
    const selection = ["a", "old"].map((name) => ({ kind: "ConfigMap", namespace, name }));

    const selected = await rig.sync("selection", next, { selection });
    const none = await rig.sync("selection", next, { selection: [] });
    const all = await rig.sync("selection", next);

    assert.deepEqual(told(selected), ["ConfigMap a configured", "ConfigMap old deleted"]);
    assert.deepEqual(told(none), []);
    assert.deepEqual(told(all), [
      "ConfigMap a unchanged",
      "ConfigMap b configured",
      "ConfigMap older deleted",
      "ConfigMap hook created",
    ]);
  });

  it("writes hooks as their options say", async () => {
    function hookWith(name: string, options: string, value: string) {
      return kubeObject`
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${name}
          namespace: ${namespace}
          annotations: { argocd.argoproj.io/hook: PostSync, argocd.argoproj.io/sync-options: "${options}" }
        data: { key: ${value} }
        strange: field
      `;
    }

    const result = await rig.sync("hook-options", [
      configMap(namespace, "a"),
      hookWith("lenient", "Validate=false", "v1"),
      hookWith("large", "Replace=true,Validate=false", "x".repeat(300_000)),
      hookWith("strict", "", "v1"),
    ]);

    const [, large, lenient, strict = ""] = told(result);
    assert.deepEqual([large, lenient], ["ConfigMap large created", "ConfigMap lenient created"]);
    assert.match(strict, /^ConfigMap strict SyncFailed: .*unknown field "strange"/);
  });

  it("leaves an operation of the unit that waits for a hook as it is", async () => {
    const path = `/api/v1/namespaces/${namespace}/pods/migrate`;
    const pod = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: migrate, namespace: ${namespace}, annotations: { argocd.argoproj.io/hook: PreSync } }
      spec: { restartPolicy: Never, containers: [{ name: main, image: "example.test/migrate:1" }] }
    `;
    const targets = [pod, configMap(namespace, "a"), configMap(namespace, "b")];
    const syncing = rig.sync("selection-hook", targets);
    const hook = await until("the hook", () => cluster.kube.get(path));

    const selected = await rig.sync("selection-hook", targets, {
      selection: [{ kind: "ConfigMap", namespace, name: "b" }],
    });
    const same = await cluster.kube.get(path);
    await cluster.kube.patch(`${path}/status`, { status: { phase: "Succeeded" } });

    assert.deepEqual(told(selected), ["ConfigMap b created"]);
    assert.equal(same?.metadata.uid, hook.metadata.uid);
    assert.deepEqual(told(await syncing), [
      "Pod migrate created",
      "ConfigMap a created",
      "ConfigMap b unchanged",
    ]);
  });

  it("still reports drift of what a selective sync didn't touch", async () => {
    const targets = [configMap(namespace, "a"), configMap(namespace, "b")];
    await rig.sync("selection-drift", targets);
    const drifted: string[] = [];
    const unsubscribe = rig.engine.onDrift(({ unit, objects }) => {
      drifted.push(...objects.map(({ key }) => `${unit} ${key.name}`));
    });

    await rig.sync("selection-drift", targets, { selection: [{ kind: "ConfigMap", namespace, name: "a" }] });
    await cluster.kube.patch(configMapPath("b", namespace), { data: { key: "else" } });

    await until("drift", () => drifted.includes("selection-drift b"));
    unsubscribe();
  });
});
