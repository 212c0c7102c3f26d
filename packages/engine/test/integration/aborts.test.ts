import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silentLogger } from "@weir/base";
import { startEmbeddedCluster } from "@weir/embedded-cluster";
import { createRestClient, credentialsOf, parseKubeConfig } from "@weir/kube/client";
import { createDiscovery, type RestClient } from "@weir/kube/rest";
import { CountingClient, FakeClock, kubeObject, Relay, serve, until } from "@weir/testing";
import {
  type ClusterCache,
  type ClusterEngine,
  createClusterCache,
  createClusterEngine,
  type SyncRequest,
} from "../../src/index.ts";

/** An engine and a cache for whom no time passes, so that they never reach a time limit of their own. */
class Setup {
  readonly cache: ClusterCache;
  readonly engine: ClusterEngine;
  readonly client: RestClient;
  readonly #over = new AbortController();
  readonly #running: Promise<void>;

  constructor(client: RestClient) {
    const clock = new FakeClock();
    this.client = client;
    this.cache = createClusterCache({
      client,
      discovery: createDiscovery(client, clock),
      managedLabel: { key: "example.test/owner" },
      namespaces: [],
      clock,
      logger: silentLogger,
      excludes: () => false,
    });
    this.engine = createClusterEngine({ client, cache: this.cache, clock });
    this.cache.start();
    this.#running = this.engine.run(this.#over.signal);
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#running;
    await this.cache.stop();
    await this.client.close();
  }
}

function clientOf(server: string): RestClient {
  const credentials = {
    server,
    namespace: "default",
    tls: () => Promise.resolve({}),
    headers: () => Promise.resolve({}),
    renew: () => false,
  };
  return createRestClient({ credentials, userAgent: "weir/test", clock: new FakeClock() });
}

function requestFor(...names: readonly string[]): SyncRequest {
  const targets = names.map((name) => ({
    object: kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, namespace: default } }`,
  }));
  return { targets, isManaged: () => false, revision: "r1", prune: "on" };
}

describe("a server that never answers", { timeout: 120_000 }, () => {
  it("holds up neither the abort of a sync nor the end of the engine and its cache", async () => {
    await using server = await serve(() => undefined);
    const setup = new Setup(clientOf(server.url));
    const abort = new AbortController();
    const sync = setup.engine.sync(requestFor("a"), abort.signal);
    const refused = assert.rejects(sync, { message: "enough" });
    await until("the server to be asked", () => server.asked.length > 0);

    abort.abort(new Error("enough"));

    await refused;
    await setup.stop();
  });

  it("holds up nothing when it stops answering in the middle of a sync", async () => {
    await using cluster = await startEmbeddedCluster();
    const credentials = credentialsOf(parseKubeConfig(cluster.kubeconfig, "kubeconfig"), { env: {} });
    const url = new URL(credentials.server);
    await using relay = new Relay(Number(url.port));
    url.port = String(await relay.listen());
    const at = { ...credentials, server: url.href.replace(/\/$/, "") };
    const client = new CountingClient(
      createRestClient({ credentials: at, userAgent: "weir/test", clock: new FakeClock() }),
    );
    const setup = new Setup(client);
    const abort = new AbortController();
    await setup.engine.sync(requestFor("a"), abort.signal);

    let writes = 0;
    client.around = (send, { method }) => {
      if (method === "POST") {
        relay.freeze();
        writes += 1;
      }
      return send();
    };
    const sync = setup.engine.sync(requestFor("a", "b", "c"), abort.signal);
    const refused = assert.rejects(sync, { name: "SyncAbortedError" });
    await until("the sync to wait for its answers", () => writes === 2);
    abort.abort(new Error("enough"));

    await refused;
    await setup.stop();
  });
});

describe("a review that never ends", { timeout: 120_000 }, () => {
  it("doesn't hold up the abort of a sync", async () => {
    await using cluster = await startEmbeddedCluster();
    const credentials = credentialsOf(parseKubeConfig(cluster.kubeconfig, "kubeconfig"), { env: {} });
    const setup = new Setup(createRestClient({ credentials, userAgent: "weir/test" }));
    const abort = new AbortController();
    const reached = Promise.withResolvers<undefined>();
    const review = (): Promise<never> => {
      reached.resolve(undefined);
      return new Promise(() => undefined);
    };
    const refused = assert.rejects(setup.engine.sync({ ...requestFor("a"), review }, abort.signal), {
      message: "enough",
    });
    await reached.promise;

    abort.abort(new Error("enough"));

    await refused;
    await setup.stop();
  });
});
