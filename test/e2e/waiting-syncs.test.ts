import assert from "node:assert/strict";
import { it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { configMapPath, describeOnEachCluster, makeNamespace, until } from "@weir/testing";
import { Fluxd, type FluxdOptions, fluxctl } from "../support/fluxd.ts";
import { configMap } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";

/** Enough for fluxd's own work, in seconds. */
const timeout = 10;

/** A hook that ends when the test says so, for there is no kubelet. */
function hook(namespace: string, phase: string, image = "example.test/migrate:1"): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: ${phase.toLowerCase()}
  namespace: ${namespace}
  annotations: { weir.dev/hook: ${phase} }
spec:
  restartPolicy: Never
  terminationGracePeriodSeconds: 0
  containers: [{ name: main, image: "${image}" }]
`;
}

describeOnEachCluster("a sync that waits for a hook", (cluster) => {
  function podPath(namespace: string, name: string): string {
    return `/api/v1/namespaces/${namespace}/pods/${name}`;
  }

  async function podOf(namespace: string, name: string): Promise<KubeObject> {
    return until(name, () => cluster.kube.get(podPath(namespace, name)));
  }

  async function ends(namespace: string, name: string): Promise<void> {
    await podOf(namespace, name);
    await cluster.kube.patch(`${podPath(namespace, name)}/status`, { status: { phase: "Succeeded" } });
  }

  function start(repository: TestRepository, flags: FluxdOptions["flags"] = []): Promise<Fluxd> {
    return Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath, flags });
  }

  it("goes on when the hook has ended, however long that takes, and counts as synced", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({
      "hook.yaml": hook(namespace, "PreSync"),
      "config.yaml": configMap("config", "v1", namespace),
    });
    await using fluxd = await start(repository, [`--sync-timeout=${timeout}s`]);
    await fluxd.logged(`info="waiting until resources are ready"`);
    const { uid } = (await podOf(namespace, "presync")).metadata;

    // The sync has begun to wait: so much later, the time is over for sure.
    const over = AbortSignal.timeout((timeout + 1) * 1000);
    await until("the time to be over", () => over.aborted);
    assert.equal(await repository.synced(), "");
    assert.equal(await cluster.kube.get(configMapPath("config", namespace)), undefined);
    const check = await fluxctl(fluxd, "check");
    await ends(namespace, "presync");

    await until("the sync", async () => (await repository.synced()) !== "");
    assert.equal((await podOf(namespace, "presync")).metadata.uid, uid);
    assert.notEqual(await cluster.kube.get(configMapPath("config", namespace)), undefined);
    assert.match(
      check.stdout,
      new RegExp(`a sync is waiting until these are ready: ${namespace}:pod/presync`),
    );
    assert.equal(fluxd.log.split("waiting until resources are ready").length, 2);
    assert.match(fluxd.log, /info="going on with the sync that was waiting"/);
    assert.doesNotMatch(fluxd.log, /deadline exceeded/);
  });

  it("is replaced by a new head at once", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({
      "hook.yaml": hook(namespace, "PostSync"),
      "config.yaml": configMap("config", "v1", namespace),
    });
    await using fluxd = await start(repository);
    await fluxd.logged(`info="waiting until resources are ready"`);
    const old = await podOf(namespace, "postsync");

    const head = await repository.push({ "config.yaml": configMap("config", "v2", namespace) }, "newer");
    await fluxd.notify(repository.url);

    await until("the newer revision", async () => {
      const live = await cluster.kube.get(configMapPath("config", namespace));
      return JSON.stringify(live?.["data"]).includes("v2");
    });
    await until("the new hook", async () => {
      const live = await cluster.kube.get(podPath(namespace, "postsync"));
      return live !== undefined && live.metadata.uid !== old.metadata.uid;
    });
    assert.equal(await repository.synced(), "");
    await ends(namespace, "postsync");
    await until("the sync", async () => (await repository.synced()) === head);
  });

  it("lets jobs run meanwhile, and keeps nobody from stopping fluxd", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const workload = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: ${namespace} }
spec:
  replicas: 0
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: "example.test/web:1" }] }
`;
    await using repository = await TestRepository.create({
      "hook.yaml": hook(namespace, "PostSync"),
      "web.yaml": workload,
    });
    await using fluxd = await start(repository);
    await fluxd.logged(`info="waiting until resources are ready"`);

    const locking = fluxctl(fluxd, "lock", `--workload=${namespace}:deployment/web`);
    await until("the commit", async () =>
      (await repository.upstream("log", "--format=%s", "master")).includes("Lock"),
    );
    await until("the new head", () => fluxd.log.split("waiting until resources are ready").length === 3);
    const { code, signal } = await fluxd.stop();
    await locking;

    assert.deepEqual({ code, signal }, { code: 0, signal: null }, fluxd.log);
    assert.equal(await repository.synced(), "");
  });
});
