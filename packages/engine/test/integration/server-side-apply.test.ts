import assert from "node:assert/strict";
import { it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { configMapPath, describeOnEachCluster, kubeObject, makeNamespace } from "@weir/testing";
import type { ApplyMethod, SyncOptions } from "../../src/index.ts";
import { EngineRig, told } from "../support/engine-rig.ts";

function config(namespace: string, data: string): KubeObject {
  return kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: conf, namespace: ${namespace} }, data: ${data} }`;
}

describeOnEachCluster("server-side apply", (cluster) => {
  for (const before of ["client-side", "replace"] as const satisfies readonly ApplyMethod[]) {
    it(`removes what a manifest dropped since it was applied: ${before}`, async () => {
      const namespace = await makeNamespace(cluster.kube);
      await sync(config(namespace, "{ kept: a, dropped: b }"), { method: before });

      assert.deepEqual(await sync(config(namespace, "{ kept: a }"), { method: "server-side" }), [
        "ConfigMap conf configured",
      ]);
      assert.deepEqual(await dataOf(namespace), { kept: "a" });
      assert.deepEqual(await sync(config(namespace, "{ kept: a }"), { method: "server-side" }), [
        "ConfigMap conf unchanged",
      ]);
      assert.deepEqual(await sync(config(namespace, "{ other: c }"), { method: "server-side" }), [
        "ConfigMap conf configured",
      ]);
      assert.deepEqual(await dataOf(namespace), { other: "c" });
    });
  }

  it("leaves what client-side apply owned where the migration is off", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await sync(config(namespace, "{ kept: a, dropped: b }"), {});
    await sync(config(namespace, "{ kept: a }"), { method: "server-side", clientSideApplyMigration: false });

    assert.deepEqual(await dataOf(namespace), { kept: "a", dropped: "b" });
  });

  it("names the managers of conflicting fields unless it takes them over", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const serverSide = { fieldManager: "weir", forceConflicts: false };
    await sync(config(namespace, "{ a: x }"), { method: "server-side", serverSide });
    await cluster.kube.patch(configMapPath("conf", namespace), { data: { a: "y" } });
    const refused = await sync(config(namespace, "{ a: z }"), { method: "server-side", serverSide });

    assert.match(
      refused.join(),
      /SyncFailed: .*Apply failed with 1 conflict: conflict with ".+".*: \.data\.a/s,
    );
    assert.deepEqual(await dataOf(namespace), { a: "y" });

    const forced = { ...serverSide, forceConflicts: true };
    await sync(config(namespace, "{ a: z }"), { method: "server-side", serverSide: forced });

    assert.deepEqual(await dataOf(namespace), { a: "z" });
  });

  it("is shown by a dry run", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await sync(config(namespace, "{ a: x }"), { method: "server-side" });
    await using rig = await EngineRig.open(cluster.kubeconfigPath);
    const { tasks } = await rig.preview("ssa", [config(namespace, "{ a: y }")], { method: "server-side" });

    assert.deepEqual(
      tasks.map(({ change, after }) => [change, after?.data]),
      [["configured", { a: "y" }]],
    );
  });

  /** Syncs with an engine that remembers nothing. */
  async function sync(object: KubeObject, options: SyncOptions): Promise<readonly string[]> {
    await using rig = await EngineRig.open(cluster.kubeconfigPath);
    return told(await rig.sync("ssa", [object], options));
  }

  async function dataOf(namespace: string): Promise<unknown> {
    return (await cluster.kube.get(configMapPath("conf", namespace)))?.data;
  }
});
