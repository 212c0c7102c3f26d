import assert from "node:assert/strict";
import { it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { configMapPath, describeOnEachCluster, kubeObject, makeNamespace, until } from "@weir/testing";
import { connectCluster, resourceTrees } from "../../src/index.ts";
import { EngineRig, told } from "../support/engine-rig.ts";

describeOnEachCluster("overrides", (cluster) => {
  it("determine health with custom rules", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const overrides = {
      "/ConfigMap": {
        health: (live: { readonly data?: unknown }) =>
          JSON.stringify(live.data).includes("ready")
            ? ({ status: "Healthy", message: "" } as const)
            : ({ status: "Progressing", message: "not ready yet" } as const),
      },
    };
    await using rig = await EngineRig.open(cluster.kubeconfigPath, overrides);
    const first = kubeObject`
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: first, namespace: ${namespace}, annotations: { weir.dev/sync-wave: "-1" } }
      data: { state: busy }
    `;
    const then = kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: then, namespace: ${namespace} } }`;
    const syncing = rig.sync("rules", [first, then]);
    await until(
      "the first",
      async () => (await cluster.kube.get(configMapPath("first", namespace))) !== undefined,
    );

    await cluster.kube.patch(configMapPath("first", namespace), { data: { state: "ready" } });

    assert.deepEqual(told(await syncing), ["ConfigMap first created", "ConfigMap then created"]);
  });

  it("judge what trees show, whether it's held or not", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const label = "example.test/tree";
    const health = (live: KubeObject) =>
      ({ status: "Suspended", message: JSON.stringify(live.data) }) as const;
    await using connected = await connectCluster({
      env: {},
      kubeconfig: cluster.kubeconfigPath,
      managedLabel: { key: label },
      overrides: { "/ConfigMap": { health } },
    });
    const object = kubeObject`
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: held, namespace: ${namespace}, labels: { "${label}": us } }
      data: { state: busy }
    `;
    const stray = { ...object, metadata: { name: "stray", namespace } };
    await cluster.kube.create(`/api/v1/namespaces/${namespace}/configmaps`, object);
    await connected.cache.watchManaged(new AbortController().signal);

    const trees = resourceTrees([object, stray], connected.cache);

    const judged = { status: "Suspended", message: '{"state":"busy"}' };
    assert.deepEqual(
      trees.map((node) => node.health),
      [judged, judged],
    );
    const held = connected.cache.held({ group: "", kind: "ConfigMap", namespace, name: "held" });
    assert.deepEqual(held?.health, judged);
  });
});
