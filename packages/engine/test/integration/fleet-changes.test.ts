import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import {
  configMapPath,
  describeOnEachCluster,
  kubeObject,
  makeNamespace,
  type TestCluster,
  until,
} from "@weir/testing";
import { Clusters, clientsOf, type RunningFleet, runFleet, Units } from "../support/fleet-rig.ts";

function run(cluster: TestCluster, units: Units, clusters = clustersOf(cluster)): RunningFleet {
  return runFleet(clusters, units);
}

function clustersOf(cluster: TestCluster): Clusters {
  return new Clusters().add("here", clientsOf(cluster.kubeconfigPath));
}

function configMap(namespace: string, name: string, value = "v1") {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace} }
    data: { key: ${value} }
  `;
}

/** A hook that ends when the test says so, for there is no kubelet. */
function hook(namespace: string, name: string): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: Pod
    metadata:
      name: ${name}
      namespace: ${namespace}
      annotations: { argocd.argoproj.io/hook: PreSync }
    spec:
      restartPolicy: Never
      containers: [{ name: main, image: "example.test/migrate:1" }]
  `;
}

describeOnEachCluster("a fleet in which something changes while it runs", (cluster) => {
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  function podPath(namespace: string, name: string): string {
    return `/api/v1/namespaces/${namespace}/pods/${name}`;
  }

  async function uidOf(namespace: string, name: string): Promise<string> {
    const pod = await until(`hook ${name}`, () => cluster.kube.get(podPath(namespace, name)));
    return pod.metadata.uid ?? "";
  }

  async function succeeds(namespace: string, name: string): Promise<void> {
    await cluster.kube.patch(`${podPath(namespace, name)}/status`, { status: { phase: "Succeeded" } });
  }

  it("ends a sync with the settings and the connection that it began with", async () => {
    const units = new Units();
    units.add("settled", [hook(namespace, "migrate"), configMap(namespace, "a")]);
    await using fleet = run(cluster, units);
    units.request("settled");
    fleet.engine.refresh("settled");
    await uidOf(namespace, "migrate");

    fleet.engine.setReconciliationSettings({ instanceLabelKey: "example.test/other" });
    await succeeds(namespace, "migrate");
    await until("the sync to end", () => fleet.completed.length === 1);

    assert.deepEqual(
      fleet.completed.map(({ phase, message }) => `${phase}: ${message}`),
      ["Succeeded: all objects match their targets"],
    );
    const labels = (await cluster.kube.get(configMapPath("a", namespace)))?.metadata.labels;
    assert.deepEqual(labels, { "example.test/unit": "settled" });
    await until("the new label to be missed", () => units.statusOf("settled")?.sync === "OutOfSync");
  });

  it("syncs a unit with all options of its request", async () => {
    const units = new Units();
    units.add("optional", [hook(namespace, "never"), configMap(namespace, "a"), configMap(namespace, "b")]);
    await using fleet = run(cluster, units);
    units.request("optional", {
      hooks: "never",
      waitMs: 1_000,
      parallelism: 1,
      selection: [{ kind: "ConfigMap", name: "b" }],
    });
    fleet.engine.refresh("optional");
    await until("the sync to end", () => fleet.completed.length === 1);

    assert.equal(fleet.completed[0]?.phase, "Succeeded");
    assert.equal(await cluster.kube.get(podPath(namespace, "never")), undefined);
    assert.equal(await cluster.kube.get(configMapPath("a", namespace)), undefined);
    assert.notEqual(await cluster.kube.get(configMapPath("b", namespace)), undefined);
  });

  it("syncs other units while one waits for its hook", async () => {
    const units = new Units();
    units.add("slow", [hook(namespace, "long"), configMap(namespace, "slow")]);
    units.add("fast", [configMap(namespace, "fast")]);
    await using fleet = run(cluster, units);
    units.request("slow");
    fleet.engine.refresh("slow");
    await uidOf(namespace, "long");

    units.request("fast");
    fleet.engine.refresh("fast");
    await until("the other to be in sync", () => units.statusOf("fast")?.sync === "Synced");

    const { phase, message } = units.statusOf("slow")?.operation ?? {};
    assert.deepEqual({ phase, message }, { phase: "Running", message: `waiting for Pod ${namespace}/long` });
  });

  it("replaces a sync that waits as soon as there is a newer request", async () => {
    const units = new Units();
    units.add("replaced", [hook(namespace, "endless"), configMap(namespace, "a", "old")]);
    await using fleet = run(cluster, units);
    units.request("replaced");
    fleet.engine.refresh("replaced");
    await uidOf(namespace, "endless");

    units.manifests.set("replaced", [configMap(namespace, "a", "new")]);
    units.revision = "r2";
    units.request("replaced");
    fleet.engine.refresh("replaced");
    await until("the newer one to end", () => units.statusOf("replaced")?.operation?.phase === "Succeeded");

    assert.equal(units.statusOf("replaced")?.operation?.generation, 2);
    assert.deepEqual(units.unit("replaced")?.operation, { generation: 2 });
    const { data } = (await cluster.kube.get(configMapPath("a", namespace))) ?? {};
    assert.deepEqual(data, { key: "new" });
    assert.equal(fleet.completed.length, 1);
  });

  it("goes on after a restart with a sync that waits, and runs its hook only once", async () => {
    const units = new Units();
    units.add("resumed", [hook(namespace, "once"), configMap(namespace, "a")]);
    const first = run(cluster, units);
    units.request("resumed");
    first.engine.refresh("resumed");
    const uid = await uidOf(namespace, "once");
    await until("the wait", () => units.statusOf("resumed")?.operation?.message.startsWith("waiting"));
    await first.stop();
    assert.equal(units.statusOf("resumed")?.operation?.phase, "Running");
    assert.equal(await cluster.kube.get(configMapPath("a", namespace)), undefined);

    await using second = run(cluster, units);
    await succeeds(namespace, "once");
    await until("the sync to end", () => second.completed.length === 1);

    assert.equal(second.completed[0]?.phase, "Succeeded");
    assert.equal(await uidOf(namespace, "once"), uid);
    assert.notEqual(await cluster.kube.get(configMapPath("a", namespace)), undefined);
    assert.equal(units.statusOf("resumed")?.operation?.record, undefined);
  });

  it("notices drift across a change of credentials", async () => {
    const units = new Units();
    units.add("redialed", [configMap(namespace, "a"), configMap(namespace, "b")]);
    const connect = clientsOf(cluster.kubeconfigPath);
    let gate = Promise.resolve();
    let dials = 0;
    const clusters = new Clusters().add("here", async () => {
      dials += 1;
      await gate;
      return connect();
    });
    await using fleet = run(cluster, units, clusters);
    units.request("redialed");
    fleet.engine.refresh("redialed");
    await until("the sync to end", () => fleet.completed.length === 1);
    await until("the unit to be in sync", () => units.statusOf("redialed")?.sync === "Synced");

    const { promise, resolve: open } = Promise.withResolvers<undefined>();
    gate = promise.then(() => undefined);
    clusters.tell({ kind: "changed", cluster: "here" });
    await until("the new connection", () => dials === 2);
    await cluster.kube.delete(configMapPath("a", namespace));
    open(undefined);
    const drifted = `redialed drifted: ConfigMap ${namespace}/a missing`;
    await until("the drift in between", () => fleet.events.includes(drifted));
    await until("the status", () => units.statusOf("redialed")?.sync === "OutOfSync");

    await cluster.kube.delete(configMapPath("b", namespace));
    const after = `redialed drifted: ConfigMap ${namespace}/b missing`;
    await until("the drift after it", () => fleet.events.includes(after));
  });

  it("warns two units that have the same object, and deletes nothing because of that", async () => {
    const units = new Units();
    units.add("one", [configMap(namespace, "of-one"), configMap(namespace, "shared")]);
    units.add("two", [configMap(namespace, "of-two"), configMap(namespace, "shared")]);
    await using fleet = run(cluster, units);
    const of = (other: string): string =>
      `unit "${other}" has the same objects: ConfigMap ${namespace}/shared; each change of one unit is undone by the other, so remove them from one`;
    await until("both to be warned", () =>
      ["one", "two"].every((id) => units.statusOf(id)?.warnings?.length === 1),
    );
    assert.deepEqual(units.statusOf("one")?.warnings, [of("two")]);
    assert.deepEqual(units.statusOf("two")?.warnings, [of("one")]);
    assert.deepEqual(fleet.events.filter((event) => event.includes(" warning: ")).sort(), [
      `one warning: ${of("two")}`,
      `two warning: ${of("one")}`,
    ]);
    units.request("one", { prune: "on" });
    fleet.engine.refresh("one");
    await until("the first to be synced", () => fleet.completed.length === 1);

    units.manifests.set("one", [configMap(namespace, "of-one")]);
    units.request("one", { prune: "on" });
    fleet.engine.refresh("one");
    await until("the first to be synced again", () => fleet.completed.length === 2);
    await until("the warnings to go", () =>
      ["one", "two"].every((id) => units.statusOf(id)?.warnings === undefined),
    );

    assert.notEqual(await cluster.kube.get(configMapPath("shared", namespace)), undefined);
  });
});
