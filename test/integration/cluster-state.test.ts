import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { OperationConflictError, type OperationRecord } from "@weir/engine";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import { describeOnEachCluster, makeNamespace, RecordedLog } from "@weir/testing";
import { createSecretHistoryStore } from "../../src/cluster-state/history-secret.ts";
import { createSecretOperationStore } from "../../src/cluster-state/operation-secret.ts";
import { createSecretPruneAllowance } from "../../src/engine-adapter/prune-allowance.ts";

const never = new AbortController().signal;
const name = "flux-git-deploy";
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

describeOnEachCluster("what fluxd keeps in its Secret", (cluster) => {
  let client: RestClient;
  before(async () => {
    const credentials = await loadKubeConfig({ kubeconfig: cluster.kubeconfigPath, env: {} });
    client = createRestClient({ credentials, userAgent: "weir/test" });
  });
  after(() => client.close());

  /** A namespace with a Secret, unless there is none, and one of its annotations. */
  async function place(annotation: string, { hasSecret = true } = {}) {
    const namespace = await makeNamespace(cluster.kube);
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    const path = `${secrets}/${name}`;
    if (hasSecret) {
      const secret = { apiVersion: "v1", kind: "Secret", metadata: { name }, data: { identity: "a2V5" } };
      await cluster.kube.create(secrets, secret);
    }
    return {
      secret: { namespace, name },
      read: () => cluster.kube.get(path),
      text: async () => (await cluster.kube.get(path))?.metadata.annotations?.[annotation],
      write: (text: string, to = annotation) =>
        cluster.kube.patch(path, { metadata: { annotations: { [to]: text } } }),
    };
  }

  describe("the history of syncs", () => {
    it("is there for the next fluxd, whoever writes beside it, and leaves the rest of the Secret alone", async () => {
      const { secret, read, write } = await place("weir.dev/history");
      await write("kept", "other");
      const open = () => createSecretHistoryStore(client, secret, new RecordedLog());

      await Promise.all(["a", "b", "c"].map((one) => open().update((text) => `${text ?? ""}${one}`, never)));

      const text = (await open().read(never)) ?? "";
      const { metadata, data } = (await read()) ?? {};
      assert.deepEqual(text.split("").sort(), ["a", "b", "c"]);
      assert.deepEqual(metadata?.annotations, { other: "kept", "weir.dev/history": text });
      assert.deepEqual(data, { identity: "a2V5" });
    });

    it("stays in memory outside a pod and without the Secret, which the log says once", async () => {
      const without = await place("weir.dev/history", { hasSecret: false });
      for (const secret of [undefined, without.secret]) {
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

  describe("the progress of a sync", () => {
    async function opened(options?: { readonly hasSecret: boolean }) {
      const found = await place("weir.dev/operation", options);
      const open = (logger = new RecordedLog()) => createSecretOperationStore(client, found.secret, logger);
      return { ...found, open };
    }

    it("is found by the next fluxd, without the words of errors, which may quote secrets", async () => {
      const { open, text } = await opened();

      await open().save("set", record, never);
      const loaded = await open().load("set", never);

      assert.doesNotMatch((await text()) ?? "", /hunter2/);
      assert.deepEqual(loaded, {
        ...record,
        tasks: { ...record.tasks, "/ConfigMap/demo/a": { outcome: "failed", at: 3_000 } },
      });
    });

    it("leaves no trace when the sync is over", async () => {
      const { open, read, text } = await opened();
      const store = open();
      await store.save("set", record, never);

      await store.save("set", undefined, never);

      assert.equal(await text(), undefined);
      assert.deepEqual((await read())?.["data"], { identity: "a2V5" });
    });

    it("is written although something else in the Secret has changed", async () => {
      const { open, write, text } = await opened();
      const store = open();
      await store.load("set", never);
      await write("1", "other");

      await store.save("set", record, never);

      assert.match((await text()) ?? "", /"unit":"set"/);
    });

    it("isn't overwritten by a fluxd that doesn't know of it", async () => {
      const { open, text } = await opened();
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
      const { open, write } = await opened();
      await open().save("other", record, never);
      const logger = new RecordedLog();
      assert.equal(await open(logger).load("set", never), undefined);
      assert.deepEqual(logger.lines, []);
      await write("{}");

      assert.equal(await open(logger).load("set", never), undefined);
      assert.deepEqual(logger.lines, [
        "warning=ignoring the progress of an earlier sync, which this version of fluxd can't read annotation=weir.dev/operation",
      ]);
      await open().load("set", never);
    });

    it("stays in memory where there is no Secret, which is logged once, and only if there is something to keep", async () => {
      const { secret, open } = await opened({ hasSecret: false });
      const logger = new RecordedLog();
      const store = open(logger);
      await store.load("set", never);
      await store.save("set", undefined, never);
      assert.deepEqual(logger.lines, []);

      await store.save("set", record, never);
      await store.save("set", { ...record, id: "two" }, never);

      assert.equal((await store.load("set", never))?.id, "two");
      assert.deepEqual(logger.lines, [
        `warning=syncs with hooks begin again when fluxd restarts reason=there is no Secret ${secret.namespace}/${name}, or fluxd isn't allowed to read it`,
      ]);
    });
  });

  describe("the deletions that were allowed", () => {
    async function opened(options?: { readonly hasSecret: boolean }) {
      const found = await place("weir.dev/allowed-deletions", options);
      const open = (logger = new RecordedLog()) => createSecretPruneAllowance(client, found.secret, logger);
      return { ...found, open };
    }

    it("count for the next fluxd, at their revision only", async () => {
      const { open } = await opened();

      assert.equal(await open().allow({ revision: "r1", uids: ["u1", "u2"] }, never), undefined);

      assert.deepEqual(await open().allowedAt("r1", never), ["u1", "u2"]);
      assert.deepEqual(await open().allowedAt("r1", never), ["u1", "u2"]);
      assert.deepEqual(await open().allowedAt("r2", never), []);
    });

    it("are forgotten once they are made, also in the Secret", async () => {
      const { open, text } = await opened();
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
      const { open, text } = await opened();
      const old = open();
      await old.allow({ revision: "r1", uids: ["u1"] }, never);
      await open().allow({ revision: "r2", uids: ["u2"] }, never);

      await old.usedAt("r1", never);

      assert.equal(await text(), '{"revision":"r2","uids":["u2"]}');
    });

    it("replace what was allowed before", async () => {
      const { open } = await opened();
      const allowance = open();
      await allowance.allow({ revision: "r1", uids: ["u1"] }, never);
      await allowance.allow({ revision: "r1", uids: ["u2"] }, never);

      assert.deepEqual(await allowance.allowedAt("r1", never), ["u2"]);
      assert.deepEqual(await open().allowedAt("r1", never), ["u2"]);
    });

    it("stay in memory where there's no Secret, or if they're too many, which is said", async () => {
      const many = Array.from(
        { length: 2_000 },
        (_, at) => `00000000-0000-0000-0000-${String(at).padStart(12, "0")}`,
      );
      const outside = createSecretPruneAllowance(client, undefined, new RecordedLog());
      const without = (await opened({ hasSecret: false })).open();
      const { open } = await opened();
      const full = open();

      assert.match(
        (await outside.allow({ revision: "r1", uids: ["u1"] }, never)) ?? "",
        /doesn't run in a pod/,
      );
      assert.match(
        (await without.allow({ revision: "r1", uids: ["u1"] }, never)) ?? "",
        /there is no Secret/,
      );
      assert.match((await full.allow({ revision: "r1", uids: many }, never)) ?? "", /too many/);

      assert.deepEqual(await outside.allowedAt("r1", never), ["u1"]);
      assert.deepEqual(await without.allowedAt("r1", never), ["u1"]);
      assert.deepEqual(await full.allowedAt("r1", never), many);
      assert.deepEqual(await open().allowedAt("r1", never), []);
    });

    it("are none if the annotation can't be read", async () => {
      const { open, write } = await opened();
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
      const { secret, open } = await opened();
      await open().allow({ revision: "r1", uids: ["u1"] }, never);
      const logger = new RecordedLog();
      let isDown = true;
      const json: RestClient["json"] = (request) =>
        isDown ? Promise.reject(new Error("connection refused")) : client.json(request);
      const allowance = createSecretPruneAllowance({ ...client, json }, secret, logger);

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
});
