import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { KubeApiError, type KubeObject } from "@weir/kube";
import { configMapPath, describeOnEachCluster, kubeObject, makeNamespace, until } from "@weir/testing";
import { EngineRig, told } from "../support/engine-rig.ts";

const forced = "{ argocd.argoproj.io/sync-options: Force=true }";

/** A ConfigMap whose data can't be changed. */
function sealed(namespace: string, value: string, annotations = "{}") {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: sealed, namespace: ${namespace}, annotations: ${annotations} }
    immutable: true
    data: { key: ${value} }
  `;
}

function job(namespace: string, image: string, options: string) {
  return kubeObject`
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: once
      namespace: ${namespace}
      annotations: { argocd.argoproj.io/sync-options: "${options}" }
    spec:
      template:
        spec: { restartPolicy: Never, containers: [{ name: main, image: "${image}" }] }
  `;
}

function claim(namespace: string, mode: string, annotations = "{}") {
  return kubeObject`
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: { name: data, namespace: ${namespace}, annotations: ${annotations} }
    spec: { accessModes: [${mode}], resources: { requests: { storage: 1Gi } } }
  `;
}

describeOnEachCluster("force", (cluster) => {
  let rig: EngineRig;
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
  });

  after(() => rig[Symbol.asyncDispose]());

  async function live(path: string): Promise<KubeObject> {
    const object = await cluster.kube.get(path);
    assert.ok(object, path);
    return object;
  }

  it("deletes and creates what can't be changed, only if the manifest asks for it", async () => {
    const path = configMapPath("sealed", namespace);
    await rig.sync("force", [sealed(namespace, "one")]);
    const old = await live(path);

    const refused = await rig.sync("force", [sealed(namespace, "two")]);
    const kept = await live(path);
    const result = await rig.sync("force", [sealed(namespace, "two", forced)]);
    const again = await rig.sync("force", [sealed(namespace, "two", forced)]);

    assert.equal(refused.resources[0]?.code, "SyncFailed");
    assert.equal(kept.metadata.uid, old.metadata.uid);
    assert.deepEqual(told(result), ["ConfigMap sealed configured: it was deleted and created again"]);
    assert.deepEqual(told(again), ["ConfigMap sealed unchanged"]);
    const now = await live(path);
    assert.notEqual(now.metadata.uid, old.metadata.uid);
    assert.deepEqual(now["data"], { key: "two" });
  });

  it("follows the request, but the object's own word first", async () => {
    await rig.sync("force-request", [sealed(namespace, "one")]);

    const refused = await rig.sync(
      "force-request",
      [sealed(namespace, "two", "{ argocd.argoproj.io/sync-options: Force=false }")],
      { force: true },
    );
    const result = await rig.sync("force-request", [sealed(namespace, "two")], { force: true });

    assert.equal(refused.resources[0]?.code, "SyncFailed");
    assert.deepEqual(told(result), ["ConfigMap sealed configured: it was deleted and created again"]);
  });

  it("patches what can be changed", async () => {
    const path = configMapPath("sealed", namespace);
    await rig.sync("force-patch", [sealed(namespace, "one", forced)]);
    const old = await live(path);
    const changed = sealed(namespace, "one", forced);
    const metadata = { ...changed.metadata, labels: { new: "yes" } };

    const result = await rig.sync("force-patch", [{ ...changed, metadata }]);

    assert.deepEqual(told(result), ["ConfigMap sealed configured"]);
    assert.equal((await live(path)).metadata.uid, old.metadata.uid);
  });

  for (const options of ["Force=true", "Force=true,Replace=true"]) {
    it(`runs a changed job again with ${options}`, async () => {
      const namespace = await makeNamespace(cluster.kube);
      const path = `/apis/batch/v1/namespaces/${namespace}/jobs/once`;
      await rig.sync("force-job", [job(namespace, "example.test/migrate:1", options)]);
      const old = await live(path);

      const result = await rig.sync("force-job", [job(namespace, "example.test/migrate:2", options)]);

      assert.deepEqual(told(result), ["Job once configured: it was deleted and created again"]);
      assert.notEqual((await live(path)).metadata.uid, old.metadata.uid);
      await rig.sync("force-job", [], { allowEmpty: true });
    });
  }

  it("does not delete an object that could not be created again", async () => {
    const path = configMapPath("sealed", namespace);
    await rig.sync("force-invalid", [sealed(namespace, "one", forced)]);
    const old = await live(path);
    const invalid = { ...sealed(namespace, "two", forced), data: { "no key": "two" } };

    const result = await rig.sync("force-invalid", [invalid]);

    assert.match(result.resources[0]?.error ?? "", /It was not deleted and created again: The ConfigMap /);
    assert.equal((await live(path)).metadata.uid, old.metadata.uid);
  });

  it("never deletes a namespace for it", async () => {
    const path = `/api/v1/namespaces/${namespace}`;
    const old = await live(path);
    const target = kubeObject`
      apiVersion: v1
      kind: Namespace
      metadata: { name: ${namespace}, labels: { bad: "no value" }, annotations: ${forced} }
    `;

    const result = await rig.sync("force-namespace", [target], { force: true });

    assert.match(
      result.resources[0]?.error ?? "",
      /It was not deleted and created again: that would delete everything in it/,
    );
    const now = await live(path);
    assert.equal(now.metadata.uid, old.metadata.uid);
    assert.equal(now.metadata.deletionTimestamp, undefined);
  });

  it("deletes a claim for storage only if its own manifest asks for it", async () => {
    const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims/data`;
    await rig.sync("force-claim", [claim(namespace, "ReadWriteOnce")]);
    const old = await live(path);

    const refused = await rig.sync("force-claim", [claim(namespace, "ReadOnlyMany")], { force: true });
    const kept = await live(path);
    const syncing = rig.sync("force-claim", [claim(namespace, "ReadOnlyMany", forced)]);
    // A controller removes the finalizer of a claim that no pod uses.
    await until("the deletion", async () => {
      const now = await live(path);
      return now.metadata.deletionTimestamp !== undefined || now.metadata.uid !== old.metadata.uid;
    });
    if ((await live(path)).metadata.uid === old.metadata.uid) {
      await cluster.kube.patch(path, { metadata: { finalizers: null } }).catch(() => undefined);
    }

    assert.match(
      refused.resources[0]?.error ?? "",
      /could delete data; only Force=true in its own annotation/,
    );
    assert.equal(kept.metadata.uid, old.metadata.uid);
    assert.deepEqual(told(await syncing), [
      "PersistentVolumeClaim data configured: it was deleted and created again",
    ]);
  });

  it("says which finalizers the old object waits for", async () => {
    const path = configMapPath("sealed", namespace);
    await rig.sync("force-finalizer", [sealed(namespace, "one", forced)]);
    await cluster.kube.patch(path, { metadata: { finalizers: ["example.test/a", "example.test/b"] } });

    const result = await rig.sync("force-finalizer", [sealed(namespace, "two", forced)], { waitMs: 1_000 });

    assert.deepEqual(told(result), [
      "ConfigMap sealed SyncFailed: the old object was not gone within 1 s after its deletion: it has the finalizers example.test/a, example.test/b",
    ]);
    await cluster.kube.patch(path, { metadata: { finalizers: null } });
    assert.deepEqual(told(await rig.sync("force-finalizer", [sealed(namespace, "two", forced)])), [
      "ConfigMap sealed created",
    ]);
  });

  it("restores the old object if the new one is refused after all", async () => {
    const path = configMapPath("sealed", namespace);
    await rig.sync("force-restore", [sealed(namespace, "one", forced)]);
    // An admission plugin that changes its mind once the old object is deleted.
    let isDeleted = false;
    rig.client.around = (send, { method, body }) => {
      isDeleted ||= method === "DELETE";
      if (isDeleted && method === "POST" && JSON.stringify(body).includes('"two"')) {
        throw new KubeApiError({ reason: "Forbidden", code: 403, message: "not today" });
      }
      return send();
    };

    const result = await rig.sync("force-restore", [sealed(namespace, "two", forced)]);

    rig.client.around = (send) => send();
    assert.equal(
      result.resources[0]?.error,
      [
        'Error from server (Forbidden): error when creating "STDIN": not today',
        "The old object was deleted before, and has been restored.",
      ].join("\n"),
    );
    assert.deepEqual((await live(path))["data"], { key: "one" });
  });

  it("only says so in a dry run", async () => {
    const path = configMapPath("sealed", namespace);
    await rig.sync("force-dry", [sealed(namespace, "one", forced)]);
    const old = await live(path);

    const result = await rig.sync("force-dry", [sealed(namespace, "two", forced)], { dryRun: true });

    assert.deepEqual(told(result), ["ConfigMap sealed configured: it was deleted and created again"]);
    assert.equal((await live(path)).metadata.resourceVersion, old.metadata.resourceVersion);
  });
});
