import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import { describeOnEachCluster, makeNamespace, RecordedLog } from "@weir/testing";
import { createSecretHistoryStore } from "../../src/cluster-state/history-secret.ts";

const never = new AbortController().signal;
const name = "flux-git-deploy";

describeOnEachCluster("the history of syncs in a Secret", (cluster) => {
  let client: RestClient;
  before(async () => {
    const credentials = await loadKubeConfig({ kubeconfig: cluster.kubeconfigPath, env: {} });
    client = createRestClient({ credentials, userAgent: "weir/test" });
  });
  after(() => client.close());

  it("is there for the next fluxd, and leaves the rest of the Secret alone", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    const metadata = { name, annotations: { other: "kept" } };
    await cluster.kube.create(secrets, {
      apiVersion: "v1",
      kind: "Secret",
      metadata,
      data: { identity: "a2V5" },
    });
    const open = () => createSecretHistoryStore(client, { namespace, name }, new RecordedLog());

    await open().update((text) => `${text ?? "nothing"}, one`, never);
    await open().update((text) => `${text ?? "nothing"}, two`, never);

    assert.equal(await open().read(never), "nothing, one, two");
    const secret = await cluster.kube.get(`${secrets}/${name}`);
    assert.deepEqual(secret?.metadata.annotations, {
      other: "kept",
      "weir.dev/history": "nothing, one, two",
    });
    assert.deepEqual(secret["data"], { identity: "a2V5" });
  });

  it("stays in memory outside a pod and without the Secret, which the log says once", async () => {
    const namespace = await makeNamespace(cluster.kube);
    for (const secret of [undefined, { namespace, name }]) {
      const logger = new RecordedLog();
      const store = createSecretHistoryStore(client, secret, logger);

      await store.update((text) => `${text ?? "nothing"}, one`, never);
      await store.update((text) => `${text ?? "nothing"}, two`, never);

      assert.equal(await store.read(never), "nothing, one, two");
      assert.equal(logger.lines.length, 1);
      assert.match(logger.lines[0] ?? "", /the history of syncs is lost when fluxd restarts/);
    }
  });
});
