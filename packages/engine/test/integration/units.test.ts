import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import {
  configMapPath,
  describeOnEachCluster,
  kubeObject,
  makeNamespace,
  type TestCluster,
  until,
} from "@weir/testing";
import { Clusters, clientsOf, type RunningFleet, runFleet, Units } from "../support/fleet-rig.ts";

/** An engine that runs on the test's cluster, known to it as "here". */
function run(cluster: TestCluster, units: Units): RunningFleet {
  return runFleet(new Clusters().add("here", clientsOf(cluster.kubeconfigPath)), units);
}

function configMap(namespace: string, name: string, value = "v1") {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace} }
    data: { key: ${value} }
  `;
}

describeOnEachCluster("units", (cluster) => {
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  it("are compared, synced on request, and watched for drift", async () => {
    const units = new Units();
    units.add("shop", [configMap(namespace, "a"), configMap(namespace, "b")]);
    await using running = run(cluster, units);
    const { engine } = running;
    const servers: string[] = [];
    engine.onClusterCacheInitialized((server) => servers.push(server));
    await until("the unit to be compared", () => units.statusOf("shop")?.sync === "OutOfSync");

    units.request("shop", { prune: "on" });
    engine.refresh("shop");
    await until("the operation to end", () => running.completed.length === 1);
    await until("the unit to be in sync", () => units.statusOf("shop")?.sync === "Synced");

    assert.equal(running.completed.at(-1)?.phase, "Succeeded");
    assert.deepEqual(units.unit("shop")?.operation, { prune: "on", generation: 1 });
    assert.equal(units.statusOf("shop")?.operation?.generation, 1);
    assert.equal(units.statusOf("shop")?.health, "Healthy");
    assert.equal(units.statusOf("shop")?.operation?.result?.resources.length, 2);
    assert.equal(
      (await cluster.kube.get(configMapPath("a", namespace)))?.metadata.labels?.["example.test/unit"],
      "shop",
    );
    await until("the cache to be known", () => servers.length === 1);
    await cluster.kube.delete(configMapPath("a", namespace));
    await until("the drift", () => units.statusOf("shop")?.sync === "OutOfSync");
    assert.ok(running.events.includes(`shop drifted: ConfigMap ${namespace}/a missing`));
    assert.equal(units.statusOf("shop")?.health, "Missing");
  });

  it("do not touch each other's objects", async () => {
    const units = new Units();
    units.add("one", [configMap(namespace, "of-one")]);
    units.add("two", [configMap(namespace, "of-two"), configMap(namespace, "old")]);
    await using running = run(cluster, units);
    for (const id of ["one", "two"]) {
      units.request(id, { prune: "on" });
      running.engine.refresh(id);
    }
    await until("both syncs to end", () => running.completed.length === 2);

    units.manifests.set("two", [configMap(namespace, "of-two")]);
    units.request("two", { prune: "on" });
    running.engine.refresh();
    await until(
      "the old one to go",
      async () => (await cluster.kube.get(configMapPath("old", namespace))) === undefined,
    );

    assert.notEqual(await cluster.kube.get(configMapPath("of-one", namespace)), undefined);
    assert.notEqual(await cluster.kube.get(configMapPath("of-two", namespace)), undefined);
  });

  it("leave alone what another unit manages", async () => {
    const units = new Units();
    units.add("first", [configMap(namespace, "shared", "first")]);
    await using running = run(cluster, units);
    units.request("first", {});
    running.engine.refresh("first");
    await until("the operation to end", () => running.completed.length === 1);

    units.add("second", [configMap(namespace, "shared", "second")]);
    units.request("second", {});
    running.engine.refresh("second");
    await until("the next operation to end", () => running.completed.length === 2);

    assert.equal(running.completed[1]?.message, `others manage /ConfigMap/${namespace}/shared`);
    assert.equal(running.completed[1].result?.resources[0]?.reason, "unit first manages it");
    assert.deepEqual((await cluster.kube.get(configMapPath("shared", namespace)))?.data, { key: "first" });
    await until("the second to be compared", () => units.statusOf("second")?.sync === "OutOfSync");
  });

  it("are compared with the options of their last request", async () => {
    const own = `${namespace}-own`;
    const plain = configMap(own, "plain");
    const annotations = { "helm.sh/hook": "pre-install" };
    const units = new Units();
    units.add("optional", [plain, { ...plain, metadata: { namespace: own, name: "of-helm", annotations } }]);
    await using running = run(cluster, units);
    units.request("optional", { helmHooks: false, createNamespace: own });
    running.engine.refresh("optional");
    await until("the operation to end", () => running.completed.length === 1);
    await until("the unit to be in sync", () => units.statusOf("optional")?.sync === "Synced");

    units.request("optional", {
      helmHooks: false,
      createNamespace: own,
      selection: [{ kind: "ConfigMap", name: "plain" }],
    });
    running.engine.refresh("optional");
    await until("the next operation to end", () => running.completed.length === 2);
    await cluster.kube.delete(configMapPath("of-helm", own));

    await until("the difference", () => units.statusOf("optional")?.sync === "OutOfSync");
    assert.equal(units.statusOf("optional")?.health, "Missing");
  });

  it("report why their manifests could not be generated, and prune nothing", async () => {
    const units = new Units();
    units.add("broken", [configMap(namespace, "a")]);
    await using running = run(cluster, units);
    units.request("broken", { prune: "on" });
    running.engine.refresh("broken");
    await until("the operation to end", () => running.completed.length === 1);

    units.manifests.delete("broken");
    units.request("broken", { prune: "on" });
    running.engine.refresh("broken");
    await until("the unit to be unknown", () => units.statusOf("broken")?.sync === "Unknown");
    await until("the next operation to end", () => running.completed.length === 2);

    assert.deepEqual(
      running.completed.map(({ phase, message }) => `${phase}: ${message}`),
      ["Succeeded: all objects match their targets", "Error: no manifests for broken"],
    );
    assert.notEqual(await cluster.kube.get(configMapPath("a", namespace)), undefined);
  });

  it("are synced only as far as those allow who look at the tasks before", async () => {
    const units = new Units();
    units.add("reviewed", [configMap(namespace, "yes"), configMap(namespace, "no")]);
    await using running = run(cluster, units);
    const unsubscribe = running.engine.onBeforeSync((unit, tasks) => {
      assert.equal(unit, "reviewed");
      return tasks.filter(({ key }) => key.name !== "no");
    });
    units.request("reviewed");
    running.engine.refresh("reviewed");
    await until("the operation to end", () => running.completed.length === 1);

    assert.equal(await cluster.kube.get(configMapPath("no", namespace)), undefined);
    assert.notEqual(await cluster.kube.get(configMapPath("yes", namespace)), undefined);
    unsubscribe();
    running.engine.onBeforeSync(() => {
      throw new Error("not on a Friday");
    });
    units.request("reviewed");
    running.engine.refresh("reviewed");
    await until("the operation to end", () => running.completed.length === 2);
    assert.equal(running.completed[1]?.message, "not on a Friday");
  });
});
