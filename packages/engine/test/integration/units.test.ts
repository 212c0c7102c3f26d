import assert from "node:assert/strict";
import { it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import {
  configMapPath,
  describeOnEachCluster,
  kubeObject,
  makeNamespace,
  type TestCluster,
  until,
} from "@weir/testing";
import {
  createFleetEngine,
  type FleetEngine,
  type OperationState,
  type SyncOperation,
  type SyncUnit,
  type SyncUnitStatus,
  type SyncUnitStore,
} from "../../src/index.ts";

const unknown: SyncUnitStatus = { sync: "Unknown", health: "Unknown", revision: "", message: "" };

/** Units in memory, and their manifests, which the test changes. */
class Units implements SyncUnitStore {
  readonly #units = new Map<string, SyncUnit>();
  readonly manifests = new Map<string, readonly KubeObject[]>();

  add(id: string, manifests: readonly KubeObject[]): void {
    this.manifests.set(id, manifests);
    this.#units.set(id, { id, status: unknown, source: id, destination: { cluster: "here" } });
  }

  list(): Promise<readonly SyncUnit[]> {
    return Promise.resolve([...this.#units.values()]);
  }

  get(id: string): Promise<SyncUnit | undefined> {
    return Promise.resolve(this.#units.get(id));
  }

  setStatus(id: string, status: SyncUnitStatus): Promise<void> {
    this.#change(id, { status });
    return Promise.resolve();
  }

  setOperation(id: string, operation: SyncOperation | undefined): Promise<void> {
    const unit = this.#units.get(id);
    if (unit !== undefined) {
      const { status, source, destination } = unit;
      const wish = operation === undefined ? {} : { operation };
      this.#units.set(id, { id, status, source, destination, ...wish });
    }
    return Promise.resolve();
  }

  statusOf(id: string): SyncUnitStatus | undefined {
    return this.#units.get(id)?.status;
  }

  #change(id: string, change: Partial<SyncUnit>): void {
    const unit = this.#units.get(id);
    if (unit !== undefined) {
      this.#units.set(id, { ...unit, ...change });
    }
  }
}

interface Running extends AsyncDisposable {
  readonly engine: FleetEngine;
  readonly units: Units;
  readonly events: string[];
  readonly completed: OperationState[];
}

/** An engine that runs on the test's cluster, known to it as "here". */
function run(cluster: TestCluster, units: Units): Running {
  const engine = createFleetEngine({
    settings: { instanceLabelKey: "example.test/unit" },
    credentialsStore: {
      async getCluster(name) {
        assert.equal(name, "here");
        const credentials = await loadKubeConfig({ kubeconfig: cluster.kubeconfigPath, env: {} });
        return { name, client: createRestClient({ credentials, userAgent: "weir/test" }) };
      },
      watchClusters: (_listener, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
    },
    manifestGenerator: {
      generate(source) {
        const manifests = units.manifests.get(String(source));
        return manifests === undefined
          ? Promise.reject(new Error(`no manifests for ${String(source)}`))
          : Promise.resolve({ manifests, revision: "r1" });
      },
    },
    store: units,
  });
  const events: string[] = [];
  const completed: OperationState[] = [];
  engine.onSyncUnitEvent((unit, { kind, message }) => events.push(`${unit} ${kind}: ${message}`));
  engine.onSyncCompleted((_unit, state) => completed.push(state));
  const abort = new AbortController();
  const running = engine.run({ statusProcessors: 2, operationProcessors: 2 }, abort.signal);
  return {
    engine,
    units,
    events,
    completed,
    async [Symbol.asyncDispose]() {
      abort.abort();
      await running;
    },
  };
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
  it("are compared, synced on request, and watched for drift", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const units = new Units();
    units.add("shop", [configMap(namespace, "a"), configMap(namespace, "b")]);
    await using running = run(cluster, units);
    const { engine } = running;
    const servers: string[] = [];
    engine.onClusterCacheInitialized((server) => servers.push(server));
    await until("the unit to be compared", () => units.statusOf("shop")?.sync === "OutOfSync");

    await units.setOperation("shop", { prune: "on" });
    engine.refresh("shop");
    await until("the unit to be in sync", () => units.statusOf("shop")?.sync === "Synced");

    assert.equal(running.completed.at(-1)?.phase, "Succeeded");
    assert.equal((await units.get("shop"))?.operation, undefined);
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
    const namespace = await makeNamespace(cluster.kube);
    const units = new Units();
    units.add("one", [configMap(namespace, "of-one")]);
    units.add("two", [configMap(namespace, "of-two"), configMap(namespace, "old")]);
    await using running = run(cluster, units);
    for (const id of ["one", "two"]) {
      await units.setOperation(id, { prune: "on" });
      running.engine.refresh(id);
    }
    await until("both to be in sync", () =>
      ["one", "two"].every((id) => units.statusOf(id)?.sync === "Synced"),
    );

    units.manifests.set("two", [configMap(namespace, "of-two")]);
    await units.setOperation("two", { prune: "on" });
    running.engine.refresh();
    await until(
      "the old one to go",
      async () => (await cluster.kube.get(configMapPath("old", namespace))) === undefined,
    );

    assert.notEqual(await cluster.kube.get(configMapPath("of-one", namespace)), undefined);
    assert.notEqual(await cluster.kube.get(configMapPath("of-two", namespace)), undefined);
  });

  it("report why their manifests could not be generated, and prune nothing", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const units = new Units();
    units.add("broken", [configMap(namespace, "a")]);
    await using running = run(cluster, units);
    await units.setOperation("broken", { prune: "on" });
    running.engine.refresh("broken");
    await until("the unit to be in sync", () => units.statusOf("broken")?.sync === "Synced");

    units.manifests.delete("broken");
    await units.setOperation("broken", { prune: "on" });
    running.engine.refresh("broken");
    await until("the unit to be unknown", () => units.statusOf("broken")?.sync === "Unknown");
    await until("the operation to end", () => running.completed.length === 2);

    assert.deepEqual(
      running.completed.map(({ phase, message }) => `${phase}: ${message}`),
      ["Succeeded: all objects match their targets", "Error: no manifests for broken"],
    );
    assert.notEqual(await cluster.kube.get(configMapPath("a", namespace)), undefined);
  });

  it("are synced only as far as those allow who look at the tasks before", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const units = new Units();
    units.add("reviewed", [configMap(namespace, "yes"), configMap(namespace, "no")]);
    await using running = run(cluster, units);
    const unsubscribe = running.engine.onBeforeSync((unit, tasks) => {
      assert.equal(unit, "reviewed");
      return tasks.filter(({ key }) => key.name !== "no");
    });
    await units.setOperation("reviewed", {});
    running.engine.refresh("reviewed");
    await until("the operation to end", () => running.completed.length === 1);

    assert.equal(await cluster.kube.get(configMapPath("no", namespace)), undefined);
    assert.notEqual(await cluster.kube.get(configMapPath("yes", namespace)), undefined);
    unsubscribe();
    running.engine.onBeforeSync(() => {
      throw new Error("not on a Friday");
    });
    await units.setOperation("reviewed", {});
    running.engine.refresh("reviewed");
    await until("the operation to end", () => running.completed.length === 2);
    assert.equal(running.completed[1]?.message, "not on a Friday");
  });
});
