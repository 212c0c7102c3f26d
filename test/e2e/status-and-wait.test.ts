import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnEmbeddedCluster, makeNamespace } from "@weir/testing";
import { Fluxd } from "../support/fluxd.ts";
import { configMap } from "../support/manifests.ts";
import { fluxctl } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";

function job(namespace: string): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  namespace: ${namespace}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: main, image: "example.test/migrate:1" }]
`;
}

describeOnEmbeddedCluster("fluxctl status and wait", {}, (cluster) => {
  const created = (namespace: string): Promise<TestRepository> =>
    TestRepository.create({ "a.yaml": configMap("a", "v1", namespace) });

  /** Resolves after the first sync. */
  async function started(repository: TestRepository): Promise<Fluxd> {
    const fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath });
    await fluxd.synced(repository);
    return fluxd;
  }

  it("tell when a push is synced, which they fetch, and all is healthy", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await created(namespace);
    await using fluxd = await started(repository);

    const head = await repository.push({ "b.yaml": configMap("b", "v1", namespace) }, "2");
    const short = head.slice(0, 7);
    const waited = await fluxctl(fluxd, "wait", `--sync=${head}`, "--health", "-n", namespace);

    assert.deepEqual(waited, {
      code: 0,
      stdout: `Done: synced to ${short}; all 2 resources are healthy\n`,
      stderr: "",
    });
    assert.equal(await repository.synced(), head);
    const status = await fluxctl(fluxd, "status");
    assert.match(
      status.stdout,
      new RegExp(`^in sync at ${short} \\(\\d+s ago\\), 2 resources healthy, 0 degraded, 0 pending\\n$`),
    );
    assert.deepEqual([status.code, status.stderr], [0, ""]);
    const json = JSON.parse((await fluxctl(fluxd, "status", "-o", "json")).stdout) as { synced: string };
    assert.equal(json.synced, head);
    const full = await fluxctl(fluxd, "status", "--full");
    assert.match(full.stdout, new RegExp(`^Synced: ${head}$`, "m"));
  });

  it("say at once what needs somebody", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await created(namespace);
    await using fluxd = await started(repository);

    await repository.push({ "job.yaml": job(namespace) }, "a Job");
    assert.equal((await fluxctl(fluxd, "wait", "--sync")).code, 0);
    const unready = await fluxctl(fluxd, "wait", "-n", namespace, "--timeout=10s");
    assert.equal(unready.code, 3, unready.stderr);
    assert.match(
      unready.stdout,
      new RegExp(`^Timed out after 10s, waiting for: ${namespace}:job/migrate: .+\\n$`),
    );
    const moment = new Date().toISOString();
    const isOver = { status: "True", reason: "BackoffLimitExceeded", message: "it has failed too often" };
    await cluster.kube.patch(`/apis/batch/v1/namespaces/${namespace}/jobs/migrate/status`, {
      status: {
        startTime: moment,
        conditions: ["FailureTarget", "Failed"].map((type) => ({
          type,
          lastProbeTime: moment,
          lastTransitionTime: moment,
          ...isOver,
        })),
      },
    });
    const failed = await fluxctl(fluxd, "wait", "--health", "-n", namespace);
    assert.deepEqual(
      [failed.code, failed.stdout],
      [2, `Stuck: ${namespace}:job/migrate: it has failed too often\n`],
    );
    const others = await fluxctl(fluxd, "wait", "--health", "-n", namespace, "--exclude=job/migrate");
    assert.deepEqual([others.code, others.stdout], [0, "Done: all 1 other resources are healthy\n"]);
    assert.equal((await fluxctl(fluxd, "status")).code, 2);

    await repository.push({ "job.yaml": null, "bad.yaml": "kind: [" }, "broken");
    const broken = await fluxctl(fluxd, "wait", "--sync");
    assert.equal(broken.code, 2, broken.stdout);
    assert.match(broken.stdout, /^Stuck: loading resources from repo: .*bad\.yaml/);
    const status = await fluxctl(fluxd, "status");
    assert.equal(status.code, 2);
    assert.match(status.stdout, /^the last sync failed: loading resources .*1 commit behind/);

    await fluxctl(fluxd, "suspend", "sync", "--user=Ann", "--reason=later");
    const suspended = await fluxctl(fluxd, "wait", "--sync");
    assert.equal(suspended.code, 2);
    assert.match(suspended.stdout, /^Stuck: syncing is suspended by Ann because: later/);
    assert.match((await fluxctl(fluxd, "status")).stdout, /^syncing is suspended by Ann because: later; /);
  });

  it("tell apart that fluxd can't be asked", async () => {
    const nobody = { apiUrl: "http://127.0.0.1:9/api/flux", folder: "/" };
    assert.equal((await fluxctl(nobody, "status")).code, 1);
    assert.equal((await fluxctl(nobody, "wait")).code, 1);
  });
});
