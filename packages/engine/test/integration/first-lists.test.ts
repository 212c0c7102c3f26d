import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silentLogger, systemClock } from "@weir/base";
import { startEmbeddedCluster } from "@weir/embedded-cluster";
import { createRestClient, credentialsOf, parseKubeConfig } from "@weir/kube/client";
import { createDiscovery } from "@weir/kube/rest";
import { CountingClient, kubeObject, until } from "@weir/testing";
import { createClusterCache, createClusterEngine, tasksOf } from "../../src/index.ts";

const never = new AbortController().signal;

describe("a running engine before its first sync", { timeout: 120_000 }, () => {
  it("lists the kinds of targets once, although it prunes", async () => {
    await using cluster = await startEmbeddedCluster();
    const credentials = credentialsOf(parseKubeConfig(cluster.kubeconfig, "kubeconfig"), { env: {} });
    const client = new CountingClient(createRestClient({ credentials, userAgent: "weir/test" }));
    const lists: string[] = [];
    client.around = (send, { method, path }) => {
      lists.push(`${method} ${path}`);
      return send();
    };
    await using cache = createClusterCache({
      client,
      discovery: createDiscovery(client),
      managedLabel: { key: "example.test/owner" },
      namespaces: [],
      clock: systemClock,
      logger: silentLogger,
      excludes: () => false,
    });
    const engine = createClusterEngine({ client, cache });
    const over = new AbortController();
    cache.start();
    const running = engine.run(over.signal);
    // A whole list later, whatever the engine starts on its own has been requested.
    await cache.watchKinds([{ group: "", kind: "Node" }], never);
    const object = kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: default } }`;

    await engine.plan({ targets: [{ object }], isManaged: () => false, revision: "r1", prune: "on" }, never);

    assert.deepEqual(
      lists.filter((asked) => asked === "GET /api/v1/configmaps"),
      ["GET /api/v1/configmaps"],
    );
    assert.ok(lists.includes("GET /api/v1/secrets"), "all other kinds are searched for managed objects");
    over.abort();
    await running;
    await cache.stop();
    await client.close();
  });

  it("lists the kinds of expected targets, once, but not those of hooks", async () => {
    await using cluster = await startEmbeddedCluster();
    const credentials = credentialsOf(parseKubeConfig(cluster.kubeconfig, "kubeconfig"), { env: {} });
    const client = new CountingClient(createRestClient({ credentials, userAgent: "weir/test" }));
    const lists: string[] = [];
    client.around = (send, { path }) => {
      lists.push(path);
      return send();
    };
    await using cache = createClusterCache({
      client,
      discovery: createDiscovery(client),
      managedLabel: undefined,
      namespaces: [],
      clock: systemClock,
      logger: silentLogger,
      excludes: () => false,
    });
    const engine = createClusterEngine({ client, cache });
    const inDefault = (text: string) => kubeObject`${text}`;
    const object = inDefault(
      "{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: default } }",
    );
    const ignored = inDefault("{ apiVersion: v1, kind: Secret, metadata: { name: a, namespace: default } }");
    const hook = inDefault(
      "{ apiVersion: batch/v1, kind: Job, metadata: { name: a, annotations: { argocd.argoproj.io/hook: Sync } } }",
    );

    using expected = engine.expectTargets({ unit: "shop" });
    expected.add({ object: hook });
    expected.add({ object: ignored, apply: false });
    expected.add({ object });
    expected.add({ object: { ...object, metadata: { ...object.metadata, name: "b" } } });
    await until("the list", () => cache.isHeld({ group: "", kind: "ConfigMap" }));
    const plan = await engine.plan(
      { targets: [{ object }], isManaged: () => false, revision: "r1", unit: "shop" },
      never,
    );

    assert.deepEqual(
      tasksOf(plan).map(({ action }) => action),
      ["create"],
    );
    assert.deepEqual(
      lists.filter((path) => path.startsWith("/api/v1/") || path.startsWith("/apis/batch/")),
      ["/api/v1/configmaps"],
    );
    await cache.stop();
    await client.close();
  });
});
