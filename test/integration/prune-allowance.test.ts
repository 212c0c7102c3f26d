import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import { describeOnEachCluster, makeNamespace, RecordedLog } from "@weir/testing";
import { createSecretPruneAllowance } from "../../src/engine-adapter/prune-allowance.ts";

const never = new AbortController().signal;
const name = "flux-git-deploy";

describeOnEachCluster("the deletions that were allowed, in a Secret", (cluster) => {
  let client: RestClient;
  before(async () => {
    const credentials = await loadKubeConfig({ kubeconfig: cluster.kubeconfigPath, env: {} });
    client = createRestClient({ credentials, userAgent: "weir/test" });
  });
  after(() => client.close());

  /** A namespace with the Secret. */
  async function place() {
    const namespace = await makeNamespace(cluster.kube);
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    await cluster.kube.create(secrets, { apiVersion: "v1", kind: "Secret", metadata: { name } });
    return {
      namespace,
      open: (logger = new RecordedLog()) => createSecretPruneAllowance(client, { namespace, name }, logger),
      text: async () =>
        (await cluster.kube.get(`${secrets}/${name}`))?.metadata.annotations?.["weir.dev/allowed-deletions"],
      write: (text: string) =>
        cluster.kube.patch(`${secrets}/${name}`, {
          metadata: { annotations: { "weir.dev/allowed-deletions": text } },
        }),
    };
  }

  it("count for the next fluxd, at their revision only", async () => {
    const { open } = await place();

    assert.equal(await open().allow({ revision: "r1", uids: ["u1", "u2"] }, never), undefined);

    assert.deepEqual(await open().allowedAt("r1", never), ["u1", "u2"]);
    assert.deepEqual(await open().allowedAt("r1", never), ["u1", "u2"]);
    assert.deepEqual(await open().allowedAt("r2", never), []);
  });

  it("are forgotten once they are made, also in the Secret", async () => {
    const { open, text } = await place();
    await open().allow({ revision: "r1", uids: ["u1"] }, never);
    const next = open();
    await next.allowedAt("r1", never);

    await next.usedAt("r0", never);
    const kept = await text();
    await next.usedAt("r1", never);

    assert.notEqual(kept, undefined);
    assert.equal(await text(), undefined);
    assert.deepEqual(await next.allowedAt("r1", never), []);
  });

  it("of another fluxd stay", async () => {
    const { open, text } = await place();
    const old = open();
    await old.allow({ revision: "r1", uids: ["u1"] }, never);
    await open().allow({ revision: "r2", uids: ["u2"] }, never);

    await old.usedAt("r1", never);

    assert.equal(await text(), '{"revision":"r2","uids":["u2"]}');
  });

  it("replace what was allowed before", async () => {
    const { open } = await place();
    const allowance = open();
    await allowance.allow({ revision: "r1", uids: ["u1"] }, never);
    await allowance.allow({ revision: "r1", uids: ["u2"] }, never);

    assert.deepEqual(await allowance.allowedAt("r1", never), ["u2"]);
    assert.deepEqual(await open().allowedAt("r1", never), ["u2"]);
  });

  it("stay in memory where there's no Secret, or if they're too many, which is said", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const many = Array.from(
      { length: 2_000 },
      (_, at) => `00000000-0000-0000-0000-${String(at).padStart(12, "0")}`,
    );
    const outside = createSecretPruneAllowance(client, undefined, new RecordedLog());
    const without = createSecretPruneAllowance(client, { namespace, name }, new RecordedLog());
    const { open } = await place();
    const full = open();

    assert.match(
      (await outside.allow({ revision: "r1", uids: ["u1"] }, never)) ?? "",
      /doesn't run in a pod/,
    );
    assert.match((await without.allow({ revision: "r1", uids: ["u1"] }, never)) ?? "", /there is no Secret/);
    assert.match((await full.allow({ revision: "r1", uids: many }, never)) ?? "", /too many/);

    assert.deepEqual(await outside.allowedAt("r1", never), ["u1"]);
    assert.deepEqual(await without.allowedAt("r1", never), ["u1"]);
    assert.deepEqual(await full.allowedAt("r1", never), many);
    assert.deepEqual(await open().allowedAt("r1", never), []);
  });

  it("are none if the annotation can't be read", async () => {
    const { open, write } = await place();
    for (const text of [
      "{",
      "[]",
      '{"revision":"r1"}',
      '{"revision":"r1","uids":[1]}',
      '{"revision":1,"uids":[]}',
    ]) {
      await write(text);

      assert.deepEqual(await open().allowedAt("r1", never), [], text);
    }
  });

  it("are none while the API server doesn't respond, and read again later", async () => {
    const { namespace, open } = await place();
    await open().allow({ revision: "r1", uids: ["u1"] }, never);
    const logger = new RecordedLog();
    let isDown = true;
    const json: RestClient["json"] = (request) =>
      isDown ? Promise.reject(new Error("connection refused")) : client.json(request);
    const allowance = createSecretPruneAllowance({ ...client, json }, { namespace, name }, logger);

    assert.deepEqual(await allowance.allowedAt("r1", never), []);
    await assert.rejects(allowance.allow({ revision: "r1", uids: ["u2"] }, never), /connection refused/);
    isDown = false;
    assert.deepEqual(await allowance.allowedAt("r1", never), ["u1"]);
    assert.match(
      logger.lines.join("\n"),
      /it isn't known whether more deletions than --sync-prune-limit are allowed/,
    );
  });
});
