import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonValue } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { deploymentPath, describeOnEachCluster, kubeObject, makeNamespace, until } from "@weir/testing";
import type { ApplyMethod, ResourceOverride } from "../../src/index.ts";
import { EngineRig, told } from "../support/engine-rig.ts";

const methods: readonly ApplyMethod[] = ["client-side", "server-side", "replace"];

/** Loading jq takes half a second of processor time for each sync, and how a field was found doesn't matter later. */
const jqMethods: readonly ApplyMethod[] = ["client-side"];

function deployment(namespace: string, image: string): KubeObject {
  return kubeObject`
    apiVersion: apps/v1
    kind: Deployment
    metadata: { name: web, namespace: ${namespace} }
    spec:
      replicas: 2
      selector: { matchLabels: { app: web } }
      template:
        metadata: { labels: { app: web } }
        spec:
          containers:
            - { name: main, image: "${image}" }
            - { name: proxy, image: "proxy:1" }
  `;
}

describeOnEachCluster("ignored differences", (cluster) => {
  for (const [by, rule, usedMethods] of [
    ["pointer", { jsonPointers: ["/spec/replicas", "/spec/template/spec/containers/1/image"] }, methods],
    [
      "jq expression",
      {
        jqPathExpressions: [
          ".spec.replicas",
          '.spec.template.spec.containers[] | select(.name == "proxy") | .image',
          ".spec.missing[]",
        ],
      },
      jqMethods,
    ],
    ["field manager", { managedFieldsManagers: ["somebody"] }, methods],
  ] as const) {
    for (const method of usedMethods) {
      it(`stay in what is written, too: by ${by}, ${method}`, async () => {
        const namespace = await makeNamespace(cluster.kube);
        await using rig = await open({ ignoreDifferences: [rule] });
        const sync = async (image: string) =>
          told(await rig.sync("ignored", [deployment(namespace, image)], { method }));
        await sync("app:1");
        await change(rig, namespace);

        assert.deepEqual(await sync("app:1"), ["Deployment web unchanged"]);
        assert.deepEqual(await sync("app:2"), ["Deployment web configured"]);
        assert.deepEqual(await sync("app:2"), ["Deployment web unchanged"]);
        assert.deepEqual(await valuesOf(namespace), [7, "app:2", "proxy:9"]);

        await using later = await open({ ignoreDifferences: [rule] });
        const again = await later.sync("ignored", [deployment(namespace, "app:2")], { method });
        assert.deepEqual(told(again), ["Deployment web unchanged"]);
      });
    }
  }

  it("are written where a request or a rule says so", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const rule = { name: "another", jsonPointers: ["/spec/replicas"] };
    await using rig = await open({ ignoreDifferences: [rule] });
    await rig.sync("ignored", [deployment(namespace, "app:1")]);
    await change(rig, namespace);
    const restored = await rig.sync("ignored", [deployment(namespace, "app:1")]);

    assert.deepEqual(told(restored), ["Deployment web configured"]);
    assert.deepEqual(await valuesOf(namespace), [2, "app:1", "proxy:1"]);

    await using other = await open({ ignoreDifferences: [{ ...rule, name: "web" }] });
    await change(other, namespace);
    await other.sync("ignored", [deployment(namespace, "app:2")], { respectIgnoreDifferences: false });

    assert.deepEqual(await valuesOf(namespace), [2, "app:2", "proxy:1"]);
  });

  it("are reported if an expression can't be used", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using rig = await open({ ignoreDifferences: [{ jqPathExpressions: [".spec |"] }] });
    await rig.sync("ignored", [deployment(namespace, "app:1")]);
    const result = await rig.sync("ignored", [deployment(namespace, "app:2")]);

    assert.match(
      told(result).join(),
      /SyncFailed: error: cannot use the jq path expression "\.spec \|": jq: error/,
    );
    assert.deepEqual(await valuesOf(namespace), [2, "app:1", "proxy:1"]);
  });

  it("are the rules of an aggregated ClusterRole", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const role = (label: string) => kubeObject`
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: { name: ${namespace}, labels: { is: "${label}" } }
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { none: ${namespace} } }] }
      rules: []
    `;
    const path = `/apis/rbac.authorization.k8s.io/v1/clusterroles/${namespace}`;
    const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
    for (const method of methods) {
      await using rig = await open({});
      await rig.sync("roles", [role("one")], { method });
      await rig.client.json({
        method: "PATCH",
        path,
        body: { rules },
        contentType: "application/merge-patch+json",
        query: { fieldManager: "clusterrole-aggregation-controller" },
      });

      await using later = await open({});
      assert.deepEqual(told(await later.sync("roles", [role("one")], { method })), [
        `ClusterRole ${namespace} unchanged`,
      ]);
      assert.deepEqual(told(await later.sync("roles", [role(method)], { method })), [
        `ClusterRole ${namespace} configured`,
      ]);
      assert.deepEqual((await cluster.kube.get(path))?.["rules"], rules);
      await later.client.json({ method: "DELETE", path });
    }
  });

  function open(override: ResourceOverride): Promise<EngineRig> {
    return EngineRig.open(cluster.kubeconfigPath, { "apps/Deployment": override });
  }

  async function valuesOf(namespace: string): Promise<readonly JsonValue[]> {
    const live = await cluster.kube.get(deploymentPath("web", namespace));
    const { replicas, template } = live?.spec as {
      replicas: number;
      template: { spec: { containers: { image: string }[] } };
    };
    return [replicas, ...template.spec.containers.map(({ image }) => image)];
  }
});

/** Somebody else sets the replicas, and the image of the proxy. */
async function change({ client, cache }: EngineRig, namespace: string): Promise<void> {
  await client.json({
    method: "PATCH",
    path: deploymentPath("web", namespace),
    body: {
      spec: { replicas: 7, template: { spec: { containers: [{ name: "proxy", image: "proxy:9" }] } } },
    },
    contentType: "application/strategic-merge-patch+json",
    query: { fieldManager: "somebody" },
  });
  const key = { group: "apps", kind: "Deployment", namespace, name: "web" };
  const isNews = (): boolean => !cache.isHeld(key) || JSON.stringify(cache.get(key)).includes('"replicas":7');
  await until("the news", isNews);
}
