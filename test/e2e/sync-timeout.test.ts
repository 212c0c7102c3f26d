import assert from "node:assert/strict";
import { it } from "node:test";
import { configMapPath, deploymentPath, describeOnEachCluster, makeNamespace, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";
import { WriteGate } from "../support/write-gate.ts";

/** Enough for all that goes before applying, in seconds. */
const timeout = 10;

describeOnEachCluster("an API server that takes its time", (cluster) => {
  /** A ServiceAccount goes first: what is of the ranks after it waits for it. */
  async function repositoryIn(namespace: string): Promise<TestRepository> {
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "first", namespace } };
    return TestRepository.create({
      "account.yaml": JSON.stringify(account),
      "config.yaml": configMap("second", "v1", namespace),
      "web.yaml": deployment("third").replace("namespace: default", `namespace: ${namespace}`),
    });
  }

  it("gets everything of a sync, also when --sync-timeout is over, and counts as synced only at the next", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await repositoryIn(namespace);
    await using gate = await WriteGate.before(cluster.kubeconfigPath, "serviceaccounts");
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: gate.kubeconfigPath,
      flags: [`--sync-timeout=${timeout}s`],
    });
    await gate.holds();

    // The time began before the write was held: so much later it is over for sure.
    const over = AbortSignal.timeout((timeout + 1) * 1000);
    await until("the time to be over", () => over.aborted);
    gate.open();

    await until("all to be applied", () => cluster.kube.get(deploymentPath("third", namespace)));
    assert.ok(await cluster.kube.get(configMapPath("second", namespace)));
    await fluxd.logged(/err="context deadline exceeded: all resources were applied, but /);
    assert.equal(await repository.synced(), "", "the revision does not count as synced");

    const head = await repository.push({ "README.md": "more" }, "touch no manifest");
    await fluxctl(fluxd, "sync");
    await until("the next sync", async () => (await repository.synced()) === head);
  });

  it("keeps nobody from stopping fluxd in the middle of a sync", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await repositoryIn(namespace);
    await using gate = await WriteGate.before(cluster.kubeconfigPath, "serviceaccounts");
    await using fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath: gate.kubeconfigPath });
    await gate.holds();

    const { code, signal } = await fluxd.stop();

    assert.deepEqual({ code, signal }, { code: 0, signal: null }, fluxd.log);
    assert.equal(await cluster.kube.get(configMapPath("second", namespace)), undefined);
    assert.equal(await repository.synced(), "");
  });
});
