import assert from "node:assert/strict";
import { it } from "node:test";
import { systemClock } from "@weir/base";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import { describeOnEachCluster, freePort, makeNamespace, RecordedLog, Relay, until } from "@weir/testing";
import { SecretAnnotation } from "../../src/cluster-state/secret-annotation.ts";
import { Suspensions } from "../../src/daemon/suspension/suspensions.ts";

const never = new AbortController().signal;
const name = "flux-git-deploy";
const request = { what: ["sync"], reason: "migration", user: "Ann" } as const;

describeOnEachCluster("a suspended fluxd that starts while the API server is away", (cluster) => {
  const credentialsOf = () => loadKubeConfig({ kubeconfig: cluster.kubeconfigPath, env: {} });

  const clusterPort = async () => Number(new URL((await credentialsOf()).server).port);

  /** A client that reaches the cluster at this port. */
  async function clientAt(port: number): Promise<RestClient> {
    const credentials = await credentialsOf();
    const url = new URL(credentials.server);
    url.port = String(port);
    const server = url.href.replace(/\/$/, "");
    return createRestClient({ credentials: { ...credentials, server }, userAgent: "weir/test" });
  }

  function open(client: RestClient, namespace: string) {
    const logger = new RecordedLog();
    const secret = { namespace, name };
    const store = new SecretAnnotation({
      client,
      secret,
      annotation: "weir.dev/suspended",
      mostBytes: 16_384,
    });
    const suspensions = new Suspensions({
      store,
      clock: systemClock,
      logger,
      setSuspended: () => undefined,
      note: () => undefined,
      onResumed: () => undefined,
    });
    return { suspensions, logger };
  }

  /** Suspends syncing in a new namespace; resolves to it. */
  async function suspended(): Promise<string> {
    const namespace = await makeNamespace(cluster.kube);
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name } };
    await cluster.kube.create(`/api/v1/namespaces/${namespace}/secrets`, secret);
    const client = await clientAt(await clusterPort());
    const { suspensions } = open(client, namespace);
    assert.equal((await suspensions.suspend(request, never)).forgotten, "");
    suspensions.close();
    await client.close();
    return namespace;
  }

  it("waits until it knows, and stays suspended", async () => {
    const namespace = await suspended();
    const port = await freePort();
    const client = await clientAt(port);
    const { suspensions, logger } = open(client, namespace);

    let isKnown = false;
    const loading = suspensions.load(never).then(() => (isKnown = true));
    await until("a failure", () => logger.lines.length > 0);
    const knewBefore = isKnown;
    await using relay = new Relay(await clusterPort());
    await relay.listen(port);
    await loading;

    assert.equal(knewBefore, false);
    assert.equal(suspensions.find("sync")?.reason, "migration");
    assert.ok(suspensions.syncing.aborted);
    assert.match(
      logger.lines[0] ?? "",
      /^err=it isn't known yet whether syncing is suspended, so nothing is synced/,
    );
    suspensions.close();
    await client.close();
  });

  it("can be stopped while it waits, also if the API server takes requests and never answers", async () => {
    const namespace = await suspended();
    await using relay = new Relay(await clusterPort());
    relay.freeze();
    const client = await clientAt(await relay.listen());
    const { suspensions } = open(client, namespace);
    const stop = new AbortController();

    const loading = suspensions.load(stop.signal);
    await until("the request", () => relay.connections > 0);
    stop.abort(new Error("enough"));

    await assert.rejects(loading, { message: "enough" });
    assert.equal(suspensions.find("sync"), undefined);
    await client.close();
  });
});
