import assert from "node:assert/strict";
import { it } from "node:test";
import type { KubeObject } from "@weir/kube";
import {
  configMapPath,
  deploymentPath,
  describeOnEachCluster,
  makeNamespace,
  type TestCluster,
  until,
} from "@weir/testing";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";

/** A definition of the kind Widget in one group, in these versions, the preferred one first. */
function widgetDefinition(group: string, versions: readonly string[]): string {
  const served = versions.map((name, index) => ({
    name,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
  }));
  return JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: { group, scope: "Namespaced", names: { plural: "widgets", kind: "Widget" }, versions: served },
  });
}

function widget(apiVersion: string, name: string, namespace: string): string {
  return JSON.stringify({ apiVersion, kind: "Widget", metadata: { name, namespace } });
}

function start(cluster: TestCluster, repository: TestRepository, flags: readonly string[] = []) {
  return Fluxd.start({
    gitUrl: repository.url,
    kubeconfigPath: cluster.kubeconfigPath,
    flags: ["--sync-garbage-collection", ...flags],
  });
}

/** Commits, and resolves when the commit is synced. */
async function commit(
  repository: TestRepository,
  fluxd: Fluxd,
  files: Readonly<Record<string, string | null>>,
): Promise<void> {
  await repository.push(files, "change");
  const { code, stderr } = await fluxctl(fluxd, "sync");
  assert.equal(code, 0, stderr);
}

async function firstSync(repository: TestRepository): Promise<void> {
  await until("the first sync", async () => (await repository.synced()) !== "");
}

function lives(cluster: TestCluster, path: string): Promise<KubeObject | undefined> {
  return cluster.kube.get(path);
}

describeOnEachCluster("garbage collection", (cluster) => {
  it("deletes nothing of an excluded kind, though git holds others of that kind", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({
      "a.yaml": configMap("stays-in-git", "v1", namespace),
      "b.yaml": configMap("leaves-git", "v1", namespace),
      "d.yaml": deployment("of-a-workload-kind"),
      "e.yaml": JSON.stringify({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "collected", namespace },
      }),
    });
    await using fluxd = await start(cluster, repository, [
      "--k8s-unsafe-exclude-resource=v1/ConfigMap,apps/v1/",
    ]);
    await firstSync(repository);

    await commit(repository, fluxd, { "b.yaml": null, "d.yaml": null, "e.yaml": null });

    const secret = `/api/v1/namespaces/${namespace}/secrets/collected`;
    await until("the Secret to be collected", async () => (await lives(cluster, secret)) === undefined);
    assert.ok(await lives(cluster, configMapPath("leaves-git", namespace)));
    assert.ok(await lives(cluster, deploymentPath("of-a-workload-kind")));
    await cluster.kube.delete(deploymentPath("of-a-workload-kind"));
  });

  it("sees a kind through any version that is not excluded", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({
      "a.yaml": configMap("stays", "v1", namespace),
      "seen.yaml": widgetDefinition("seen.example.test", ["v1", "v1beta1"]),
      "unseen.yaml": widgetDefinition("unseen.example.test", ["v1", "v1beta1"]),
      "one.yaml": widget("seen.example.test/v1", "one", namespace),
      "two.yaml": widget("unseen.example.test/v1", "two", namespace),
    });
    await using fluxd = await start(cluster, repository, [
      "--k8s-unsafe-exclude-resource=seen.example.test/v1/Widget,unseen.example.test/*",
    ]);
    await firstSync(repository);
    const path = (group: string, name: string): string =>
      `/apis/${group}/v1/namespaces/${namespace}/widgets/${name}`;

    await until("the Widgets to be applied", async () => {
      const { code } = await fluxctl(fluxd, "sync");
      return code === 0 && (await lives(cluster, path("unseen.example.test", "two")));
    });
    await commit(repository, fluxd, { "one.yaml": null, "two.yaml": null });

    await until(
      "the Widget to be collected",
      async () => (await lives(cluster, path("seen.example.test", "one"))) === undefined,
    );
    assert.ok(await lives(cluster, path("unseen.example.test", "two")));
  });

  it("is only announced by a dry run, and goes by the git path, not by the sync tag", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const settings = (name: string): Promise<KubeObject | undefined> =>
      lives(cluster, configMapPath(name, namespace));
    const markOf = (object: KubeObject | undefined): string | undefined =>
      object?.metadata.labels?.["fluxcd.io/sync-gc-mark"];
    await using repository = await TestRepository.create({
      "gone.yaml": configMap("gone", "v1", namespace),
      "elsewhere.yaml": configMap("elsewhere", "v1", namespace),
      "moved.yaml": configMap("moved", "v1", namespace),
    });
    const dry = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--sync-garbage-collection-dry"],
    });
    await dry.synced(repository);
    await commit(repository, dry, { "gone.yaml": null });
    await dry.logged(
      `info="cluster resource not in resources to be synced; deleting" dry-run=true resource=${namespace}:configmap/gone\n`,
    );
    await dry[Symbol.asyncDispose]();
    const before = await settings("moved");
    assert.ok(await settings("gone"));

    const tagged = await start(cluster, repository, ["--git-label=other"]);
    await until("the deletion", async () => (await settings("gone")) === undefined);
    await commit(repository, tagged, {
      "moved.yaml": null,
      "prod/settings.yaml": configMap("moved", "v1", namespace),
    });
    await tagged[Symbol.asyncDispose]();
    assert.deepEqual(await settings("moved"), before);

    await using moved = await start(cluster, repository, ["--git-path=prod"]);
    await until("the mark of the path", async () => markOf(await settings("moved")) !== markOf(before));
    await commit(repository, moved, {
      "prod/settings.yaml": null,
      "prod/rest.yaml": configMap("rest", "v1", namespace),
    });
    assert.equal(await settings("moved"), undefined);
    assert.ok(await settings("rest"));
    assert.ok(await settings("elsewhere"));
  });

  it("keeps an object whose manifest only changed its API group, and says so", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const [before, after] = ["before.example.test", "after.example.test"];
    await using repository = await TestRepository.create({
      "before.yaml": widgetDefinition(before, ["v1"]),
      "after.yaml": widgetDefinition(after, ["v1"]),
      "w.yaml": widget(`${before}/v1`, "release", namespace),
      "c.yaml": configMap("collected", "v1", namespace),
    });
    await using fluxd = await start(cluster, repository);
    await firstSync(repository);
    await until("the Widget", () =>
      lives(cluster, `/apis/${before}/v1/namespaces/${namespace}/widgets/release`),
    );

    await commit(repository, fluxd, {
      "w.yaml": widget(`${after}/v1`, "release", namespace),
      "c.yaml": null,
    });

    const gone = configMapPath("collected", namespace);
    await until("the ConfigMap to be collected", async () => (await lives(cluster, gone)) === undefined);
    assert.ok(await lives(cluster, `/apis/${after}/v1/namespaces/${namespace}/widgets/release`));
    assert.ok(await lives(cluster, `/apis/${before}/v1/namespaces/${namespace}/widgets/release`));
    await fluxd.logged(
      `warning="resource to be synced has not been updated; skipping" dry-run=false resource=${namespace}:widget/release\n`,
    );
  });
});

describeOnEachCluster("an ignore annotation on a live object", (cluster) => {
  const ignored = { metadata: { annotations: { "fluxcd.io/ignore": "true" } } };

  it("holds the manifest back, but not where the object has an owner or is of an excluded kind", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const secret = (value: string): string =>
      JSON.stringify({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "excluded", namespace },
        stringData: { key: value },
      });
    const files = (value: string) => ({
      "free.yaml": configMap("free", value, namespace),
      "owned.yaml": configMap("owned", value, namespace),
      "excluded.yaml": secret(value),
    });
    await using repository = await TestRepository.create(files("v1"));
    await using fluxd = await start(cluster, repository, ["--k8s-unsafe-exclude-resource=v1/Secret"]);
    await firstSync(repository);
    const secretPath = `/api/v1/namespaces/${namespace}/secrets/excluded`;
    const owner = await lives(cluster, configMapPath("free", namespace));
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: "free", uid: owner?.metadata.uid };
    await cluster.kube.patch(configMapPath("free", namespace), ignored);
    await cluster.kube.patch(secretPath, ignored);
    await cluster.kube.patch(configMapPath("owned", namespace), {
      metadata: { ...ignored.metadata, ownerReferences: [reference] },
    });

    await commit(repository, fluxd, files("v2"));

    await fluxd.logged(
      `info="not applying resource; ignore annotation in cluster resource" resource=${namespace}:configmap/free\n`,
    );
    assert.deepEqual((await lives(cluster, configMapPath("free", namespace)))?.data, { key: "v1" });
    assert.deepEqual((await lives(cluster, configMapPath("owned", namespace)))?.data, { key: "v2" });
    assert.deepEqual((await lives(cluster, secretPath))?.data, { key: "djI=" });
  });
});
