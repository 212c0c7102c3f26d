import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { ConnectionError } from "@weir/kube/rest";
import {
  configMapPath,
  deploymentPath,
  describeOnEachCluster,
  kubeObject,
  makeNamespace,
  until,
} from "@weir/testing";
import type { Drift } from "../../src/index.ts";
import { EngineRig, told } from "../support/engine-rig.ts";

function configMap(namespace: string, name: string, value = "v1") {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace} }
    data: { key: ${value} }
  `;
}

function deployment(namespace: string) {
  return kubeObject`
    apiVersion: apps/v1
    kind: Deployment
    metadata: { name: web, namespace: ${namespace} }
    spec:
      replicas: 2
      selector: { matchLabels: { app: web } }
      template:
        metadata: { labels: { app: web } }
        spec: { containers: [{ name: main, image: "example.test/app:1" }] }
  `;
}

describeOnEachCluster("drift", (cluster) => {
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  let rig: EngineRig;
  const drifts: Drift[] = [];

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
    rig.engine.onDrift((drift) => drifts.push(drift));
  });

  after(() => rig[Symbol.asyncDispose]());

  /** What has drifted of a unit since the test began, e.g. "web changed". */
  function driftOf(unit: string): readonly string[] {
    return drifts
      .filter((drift) => drift.unit === unit)
      .flatMap(({ objects }) => objects.map(({ key, what }) => `${key.name} ${what}`));
  }

  it("is corrected even if it came right after the server had confirmed the object", async () => {
    const key = { group: "", kind: "ConfigMap", namespace, name: "a" };
    await rig.sync("drift-late", []);
    rig.client.around = async (send, { method, path }) => {
      if (method === "POST") {
        await send();
        throw new ConnectionError({ server: "https://test", sent: true, reason: "lost" });
      }
      const answer = await send();
      if (path !== configMapPath("a", namespace)) {
        return answer;
      }
      rig.client.around = (next) => next();
      await cluster.kube.patch(configMapPath("a", namespace), { data: { key: "drift" } });
      await until("the drift to be seen", () => {
        const live = rig.cache.get(key);
        return JSON.stringify(live?.data) === '{"key":"drift"}';
      });
      return answer;
    };

    const confirmed = await rig.sync("drift-late", [configMap(namespace, "a")]);
    const corrected = await rig.sync("drift-late", [configMap(namespace, "a")]);

    assert.deepEqual(told(confirmed), ["ConfigMap a created"]);
    assert.deepEqual(told(corrected), ["ConfigMap a configured"]);
  });

  it("is reported, and corrected by the next sync", async () => {
    const targets = [configMap(namespace, "a"), deployment(namespace)];
    await rig.sync("drift", targets);

    await cluster.kube.patch(deploymentPath("web", namespace), { spec: { replicas: 5 } });
    await until("the drift", () => driftOf("drift").includes("web changed"));

    const result = await rig.sync("drift", targets);
    assert.deepEqual(
      result.resources.map(({ key, change }) => `${key.name} ${change}`),
      ["a unchanged", "web configured"],
    );
  });

  it("does not include status changes, unmanaged objects, reverted changes, or our own writes", async () => {
    const path = deploymentPath("web", namespace);
    await rig.sync("no-drift", [deployment(namespace), configMap(namespace, "last")]);

    await rig.sync("no-drift", [deployment(namespace), configMap(namespace, "last", "v2")]);
    await cluster.kube.patch(`${path}/status`, { status: { replicas: 1, observedGeneration: 1 } });
    await cluster.kube.patch(path, { metadata: { annotations: { "example.test/note": "theirs" } } });
    await until(
      "the news",
      () =>
        rig.cache.get({ group: "apps", kind: "Deployment", namespace, name: "web" })?.metadata.annotations?.[
          "example.test/note"
        ],
    );
    await cluster.kube.create(`/api/v1/namespaces/${namespace}/configmaps`, configMap(namespace, "theirs"));
    await rig.sync("no-drift-end", [configMap(namespace, "marker")]);
    await cluster.kube.delete(configMapPath("marker", namespace));

    await until("news that came after all that", () => driftOf("no-drift-end").includes("marker missing"));
    assert.deepEqual(driftOf("no-drift"), []);
  });

  it("does not include objects that the caller leaves alone, or former targets", async () => {
    const leave = (_target: unknown, live: { metadata: { annotations?: object | null } } | undefined) =>
      live?.metadata.annotations !== undefined && "example.test/ignore" in (live.metadata.annotations ?? {})
        ? "ignored"
        : undefined;
    await rig.sync("left", [configMap(namespace, "ignored"), configMap(namespace, "dropped")], { leave });
    await rig.sync("left", [configMap(namespace, "ignored")], { leave, prune: "off" });

    await cluster.kube.patch(configMapPath("ignored", namespace), {
      metadata: { annotations: { "example.test/ignore": "true" } },
      data: { key: "theirs" },
    });
    await cluster.kube.delete(configMapPath("dropped", namespace));
    await rig.sync("left-end", [configMap(namespace, "marker")]);
    await cluster.kube.delete(configMapPath("marker", namespace));

    await until("news that came after all that", () => driftOf("left-end").includes("marker missing"));
    assert.deepEqual(driftOf("left"), []);
  });
});
