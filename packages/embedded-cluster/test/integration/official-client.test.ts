import assert from "node:assert/strict";
import { it } from "node:test";
import {
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  loadYaml,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  type V1Deployment,
} from "@kubernetes/client-node";
import { describeOnEachCluster, makeNamespace, until } from "@weir/testing";

/** A client that others wrote reads the embedded cluster as it reads a real one, into its own types. */
describeOnEachCluster("the official JavaScript client", (cluster) => {
  function connect(): KubeConfig {
    const config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfigPath);
    return config;
  }

  it("creates, reads, patches and deletes", async () => {
    const apps = connect().makeApiClient(AppsV1Api);
    const namespace = await makeNamespace(cluster.kube);
    const body = loadYaml<V1Deployment>(`
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1"}]}
`);

    const created = await apps.createNamespacedDeployment({ namespace, body });
    const patched = await apps.patchNamespacedDeployment(
      { namespace, name: "web", body: { spec: { replicas: 3 } } },
      setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch),
    );
    const { items } = await apps.listNamespacedDeployment({ namespace });
    await apps.deleteNamespacedDeployment({ namespace, name: "web" });

    assert.ok(created.metadata?.creationTimestamp instanceof Date);
    assert.equal(created.spec?.strategy?.rollingUpdate?.maxSurge, "25%");
    assert.deepEqual([created.spec.replicas, patched.spec?.replicas], [1, 3]);
    assert.deepEqual(
      items.map(({ metadata }) => metadata?.name),
      ["web"],
    );
    await assert.rejects(apps.readNamespacedDeployment({ namespace, name: "web" }), { code: 404 });
  });

  it("is told of changes", async () => {
    const config = connect();
    const core = config.makeApiClient(CoreV1Api);
    const namespace = await makeNamespace(cluster.kube);
    const informer = makeInformer<V1ConfigMap>(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
      core.listNamespacedConfigMap({ namespace }),
    );
    const told: string[] = [];
    for (const event of ["add", "update", "delete"] as const) {
      informer.on(event, ({ metadata }) => told.push(`${event} ${metadata?.name ?? ""}`));
    }

    await informer.start();
    try {
      const body = (value: string): V1ConfigMap =>
        loadYaml<V1ConfigMap>(`{metadata: {name: told}, data: {a: "${value}"}}`);
      await core.createNamespacedConfigMap({ namespace, body: body("1") });
      await core.replaceNamespacedConfigMap({ namespace, name: "told", body: body("2") });
      await core.deleteNamespacedConfigMap({ namespace, name: "told" });
      await until("three events", () => told.filter((each) => each.endsWith(" told")).length === 3);
    } finally {
      await informer.stop();
    }

    assert.deepEqual(
      told.filter((each) => each.endsWith(" told")),
      ["add told", "update told", "delete told"],
    );
  });
});
