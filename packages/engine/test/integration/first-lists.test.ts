import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silentLogger, systemClock } from "@weir/base";
import { startEmbeddedCluster } from "@weir/embedded-cluster";
import { createRestClient, credentialsOf, parseKubeConfig } from "@weir/kube/client";
import { createDiscovery } from "@weir/kube/rest";
import { CountingClient, kubeObject } from "@weir/testing";
import { createClusterCache, createClusterEngine } from "../../src/index.ts";

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
});
