import assert from "node:assert/strict";
import { it } from "node:test";
import { isJsonObject } from "@weir/base";
import { configMapPath, deploymentPath, describeOnEachCluster, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { configMap, deployment, namespace } from "../support/manifests.ts";
import { requestCounts } from "../support/metrics.ts";
import { TestRepository } from "../support/repository.ts";

describeOnEachCluster("a repository becomes a cluster", (cluster) => {
  it("applies all, then what changes, and prunes what is removed", async () => {
    await using repository = await TestRepository.create({
      "a.yaml": configMap("promise-a"),
      "d.yaml": deployment("promise-d"),
      "notes.txt": "not a manifest",
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--sync-garbage-collection"],
    });

    await fluxd.synced(repository);
    assert.ok(await cluster.kube.get(configMapPath("promise-a")));
    assert.ok(await cluster.kube.get(deploymentPath("promise-d")));

    await repository.push({ "a.yaml": configMap("promise-a", "v2"), "d.yaml": null }, "change a, remove d");
    const { code, stderr } = await fluxctl(fluxd, "sync");

    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /^Synchronizing with file:\/\/.*\nRevision of master to apply is [0-9a-f]{7}\nWaiting for [0-9a-f]{7} to be applied \.\.\.\nDone\.\n$/,
    );
    assert.deepEqual((await cluster.kube.get(configMapPath("promise-a")))?.data, { key: "v2" });
    await until("the prune", async () => (await cluster.kube.get(deploymentPath("promise-d"))) === undefined);
  });

  it("applies and prunes what has Helm's annotations like anything else", async () => {
    function annotated(name: string, annotations: string): string {
      return `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, namespace: default, annotations: ${annotations} } }`;
    }
    await using repository = await TestRepository.create({
      "hook.yaml": annotated(
        "helm-hook",
        "{ helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-succeeded }",
      ),
      "test.yaml": annotated("helm-test", "{ helm.sh/hook: test, helm.sh/resource-policy: keep }"),
      "stays.yaml": configMap("helm-stays"),
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--sync-garbage-collection"],
    });
    await fluxd.synced(repository);
    assert.ok(await cluster.kube.get(configMapPath("helm-hook")));
    assert.ok(await cluster.kube.get(configMapPath("helm-test")));

    const head = await repository.push({ "test.yaml": null }, "remove the test");
    await fluxctl(fluxd, "sync");

    assert.equal(await repository.synced(), head);
    assert.ok(await cluster.kube.get(configMapPath("helm-hook")));
    assert.equal(await cluster.kube.get(configMapPath("helm-test")), undefined);
  });

  it("leaves what is unchanged alone: no write, and no list, at a second sync", async () => {
    await using repository = await TestRepository.create({
      "a.yaml": configMap("quiet-a"),
      "d.yaml": deployment("quiet-d"),
      "n.yaml": namespace("quiet-n"),
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--sync-garbage-collection"],
    });
    await fluxd.synced(repository);
    const first = await requestCounts(fluxd);
    const versionBefore = (await cluster.kube.get(configMapPath("quiet-a")))?.metadata.resourceVersion;

    // The server may end a watch at any time, and a new one begins with a list: only a sync without one is judged.
    const [before, after] = await until("a sync during which no watch begins", async () => {
      const counts = await requestCounts(fluxd);
      const head = await repository.push(
        { "README.md": `no manifest: ${Math.random()}` },
        "touch no manifest",
      );
      await fluxctl(fluxd, "sync");
      const then = await requestCounts(fluxd);
      return (await repository.synced()) === head && counts["WATCH"] === then["WATCH"] && [counts, then];
    });

    assert.ok((first["POST"] ?? 0) > 0, "the first sync was counted");
    assert.deepEqual(after, before);
    assert.deepEqual({ ...after, GET: 0, WATCH: 0 }, { ...first, GET: 0, WATCH: 0 });
    assert.equal((await cluster.kube.get(configMapPath("quiet-a")))?.metadata.resourceVersion, versionBefore);
  });

  it("puts drift back within the sync interval, and at once with --sync-on-drift", async () => {
    await using repository = await TestRepository.create({
      "d.yaml": deployment("drift-d", "example.test/app:1", 2),
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--sync-on-drift"],
    });
    await fluxd.synced(repository);

    await cluster.kube.patch(deploymentPath("drift-d"), { spec: { replicas: 7 } });
    await until("the replicas to be put back", async () => {
      const spec = (await cluster.kube.get(deploymentPath("drift-d")))?.spec;
      return isJsonObject(spec) && spec["replicas"] === 2;
    });
    await cluster.kube.delete(deploymentPath("drift-d"));
    await until("the Deployment to be there again", () => cluster.kube.get(deploymentPath("drift-d")));

    assert.match(fluxd.log, /component=/);
  });

  it("lists workloads with their state and policies", async () => {
    await using repository = await TestRepository.create({
      "d.yaml": deployment("listed", "example.test/app:2.1"),
    });
    await using fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath });
    await fluxd.synced(repository);

    const locked = await fluxctl(fluxd, "lock", "-n", "default", "--workload=deployment/listed");
    await until("the list to say so", async () => {
      const { stdout } = await fluxctl(fluxd, "list-workloads", "-n", "default");
      return /^default:deployment\/listed +main +example\.test\/app:2\.1 +(started|updating|ready) +locked$/m.test(
        stdout,
      );
    });

    assert.equal(locked.code, 0, locked.stderr);
    assert.match(locked.stdout, /default:deployment\/listed +success/);
  });
});
