import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnEmbeddedCluster, lacks, makeNamespace } from "@weir/testing";
import { Fluxd, fluxctl } from "../../support/fluxd.ts";
import { configMap, deployment, namespace as namespaceManifest } from "../../support/manifests.ts";
import { TestRepository } from "../../support/repository.ts";
import { TestTerminal } from "../../support/terminal.ts";

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

describeOnEmbeddedCluster("fluxctl shows at a terminal", { skip: lacks("tmux") }, (cluster) => {
  /** Resolves after the first sync. */
  async function started(repository: TestRepository): Promise<Fluxd> {
    const fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath });
    await fluxd.synced(repository);
    return fluxd;
  }

  it("what is waited for, and what is suspended before a list", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({
      "a.yaml": configMap("a", "v1", namespace),
    });
    await using fluxd = await started(repository);
    await repository.push({ "job.yaml": job(namespace) }, "a Job");
    await using terminal = await TestTerminal.start({ columns: 120, env: { FLUX_URL: fluxd.apiUrl } });

    await terminal.enter(`fluxctl wait -n ${namespace}`);
    const waiting = await terminal.shows(`${namespace}:job/migrate: `);
    assert.match(waiting, /^Waiting: .*:job\/migrate: .*\nWatching; press Ctrl-C to stop\.$/m);
    await terminal.press("C-c");
    assert.equal(await terminal.status(), 130);
    assert.equal(await terminal.showsCursor(), true);

    await terminal.enter("fluxctl suspend --user=Ann --reason=move --until=2100-01-02T03:04:05Z");
    const suspended = await terminal.finished();
    assert.match(
      suspended,
      /^Syncing and automated image updates are suspended by Ann until 2100-01-02 03:04:05 UTC because: move$/m,
    );
    for (const command of ["list-workloads -a", "tree -a"]) {
      await terminal.enter(`fluxctl ${command}`);
      const screen = await terminal.finished();
      assert.match(screen, /^Note: syncing and automated image updates are suspended by Ann until 2100/m);
    }
    await terminal.enter("fluxctl sync");
    assert.match(await terminal.finished(), /syncing is suspended by Ann until 2100-01-02/);
    assert.equal(await terminal.status(), 1);
  });

  it("why something is as it is, and what may be meant", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({
      "ns.yaml": namespaceManifest(namespace),
      "web.yaml": deployment("web").replace(
        "  namespace: default\n",
        `  namespace: ${namespace}\n  annotations: { fluxcd.io/locked: "true", fluxcd.io/locked_msg: a freeze }\n`,
      ),
    });
    await using fluxd = await started(repository);
    const unknown = await fluxctl(fluxd, "why", "deployment/wep", "-n", namespace);
    await using terminal = await TestTerminal.start({
      env: { FLUX_URL: fluxd.apiUrl },
      columns: 160,
      rows: 45,
    });

    await terminal.enter(`fluxctl why deployment/web -n ${namespace}`);
    const screen = await terminal.finished();

    assert.deepEqual([unknown.code, unknown.stdout], [1, ""]);
    assert.match(unknown.stderr, new RegExp(`Did you mean ${namespace}:deployment/web\\?`));
    for (const line of [
      new RegExp(`^${namespace}:deployment/web is as in git`, "m"),
      /^In git\n {2}web\.yaml:1-\d+\n {2}container main {2}example\.test\/app:1\n {2}locked \(a freeze\)\n/m,
      /^Held up by\n(?: {2}.*\n)* {2}locked \(a freeze\): no release changes it$/m,
      new RegExp(`^  fluxctl unlock --workload=${namespace}:deployment/web  # to allow releases again$`, "m"),
    ]) {
      assert.match(screen, line);
    }
    assert.equal(await terminal.status(), 0);
  });
});
