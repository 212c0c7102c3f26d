import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { OperationConflictError, type OperationRecord, type OperationStore } from "@weir/engine";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import { describeOnEachCluster, makeNamespace, RecordedLog } from "@weir/testing";
import { createSecretOperationStore } from "../../src/cluster-state/operation-secret.ts";

const never = new AbortController().signal;
const record: OperationRecord = {
  id: "one",
  revision: "r1",
  generation: 0,
  startedAt: 1_000,
  tasks: {
    "batch/Job/demo/migrate@PreSync": { outcome: "applied", uid: "u1", at: 2_000 },
    "/ConfigMap/demo/a": { outcome: "failed", error: "the password is hunter2", at: 3_000 },
  },
};

describeOnEachCluster("the progress of a sync in a Secret", (cluster) => {
  let client: RestClient;
  before(async () => {
    const credentials = await loadKubeConfig({ kubeconfig: cluster.kubeconfigPath, env: {} });
    client = createRestClient({ credentials, userAgent: "weir/test" });
  });
  after(() => client.close());

  interface Place {
    readonly namespace: string;
    readonly path: string;
    /** The store of one fluxd. */
    readonly open: (logger?: RecordedLog) => OperationStore;
    readonly text: () => Promise<string | undefined>;
  }

  /** A namespace with a Secret, unless there is none. */
  async function place({ hasSecret = true } = {}): Promise<Place> {
    const namespace = await makeNamespace(cluster.kube);
    const name = "flux-git-deploy";
    const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
    if (hasSecret) {
      const secret = { apiVersion: "v1", kind: "Secret", metadata: { name }, data: { identity: "a2V5" } };
      await cluster.kube.create(`/api/v1/namespaces/${namespace}/secrets`, secret);
    }
    return {
      namespace,
      path,
      open: (logger = new RecordedLog()) => createSecretOperationStore(client, { namespace, name }, logger),
      text: async () => (await cluster.kube.get(path))?.metadata.annotations?.["weir.dev/operation"],
    };
  }

  it("is found by the next fluxd, without the words of errors, which may quote secrets", async () => {
    const { open, text } = await place();

    await open().save("set", record, never);
    const loaded = await open().load("set", never);

    assert.doesNotMatch((await text()) ?? "", /hunter2/);
    assert.deepEqual(loaded, {
      ...record,
      tasks: { ...record.tasks, "/ConfigMap/demo/a": { outcome: "failed", at: 3_000 } },
    });
  });

  it("leaves no trace when the sync is over", async () => {
    const { open, path, text } = await place();
    const store = open();
    await store.save("set", record, never);

    await store.save("set", undefined, never);

    assert.equal(await text(), undefined);
    assert.deepEqual((await cluster.kube.get(path))?.["data"], { identity: "a2V5" });
  });

  it("is written although something else in the Secret has changed", async () => {
    const { open, path, text } = await place();
    const store = open();
    await store.load("set", never);
    await cluster.kube.patch(path, { metadata: { annotations: { other: "1" } } });

    await store.save("set", record, never);

    assert.match((await text()) ?? "", /"unit":"set"/);
  });

  it("isn't overwritten by a fluxd that doesn't know of it", async () => {
    const { open, text } = await place();
    const [first, paused] = [open(), open()];
    await first.save("set", record, never);
    await paused.load("set", never);
    await first.save("set", { ...record, id: "two" }, never);

    await assert.rejects(paused.save("set", undefined, never), OperationConflictError);

    assert.match((await text()) ?? "", /"id":"two"/);
    await paused.load("set", never);
    await paused.save("set", undefined, never);
    assert.equal(await text(), undefined);
  });

  it("is ignored if it belongs to another repository, or can't be read, which is logged", async () => {
    const { open, path } = await place();
    await open().save("other", record, never);
    const logger = new RecordedLog();
    assert.equal(await open(logger).load("set", never), undefined);
    assert.deepEqual(logger.lines, []);
    await cluster.kube.patch(path, { metadata: { annotations: { "weir.dev/operation": "{}" } } });

    assert.equal(await open(logger).load("set", never), undefined);
    assert.deepEqual(logger.lines, [
      "warning=ignoring the progress of an earlier sync, which this version of fluxd can't read annotation=weir.dev/operation",
    ]);
    await open().load("set", never);
  });

  it("stays in memory where there is no Secret, which is logged once, and only if there is something to keep", async () => {
    const { namespace, open } = await place({ hasSecret: false });
    const logger = new RecordedLog();
    const store = open(logger);
    await store.load("set", never);
    await store.save("set", undefined, never);
    assert.deepEqual(logger.lines, []);

    await store.save("set", record, never);
    await store.save("set", { ...record, id: "two" }, never);

    assert.equal((await store.load("set", never))?.id, "two");
    assert.deepEqual(logger.lines, [
      `warning=syncs with hooks begin again when fluxd restarts reason=there is no Secret ${namespace}/flux-git-deploy, or fluxd isn't allowed to read it`,
    ]);
  });
});
