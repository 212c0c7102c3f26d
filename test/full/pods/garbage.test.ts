import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { configMapPath, deploymentPath, until } from "@weir/testing";
import { configMap, namespace } from "../../support/manifests.ts";
import { app, appImages, runs } from "../../support/pods/app.ts";
import { usualImages } from "../../support/pods/images.ts";
import { InstalledFluxd, type InstalledOptions } from "../../support/pods/installed-fluxd.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";

const image = "example.test/app:1";

describe("garbage collection", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let fluxd: InstalledFluxd;
  const settings = (name: string): Promise<KubeObject | undefined> =>
    world.kube.get(configMapPath(name, "demo"));
  const pods = async (name: string): Promise<string> =>
    world.kubectl.must(["get", "pods", "-n", "demo", `--selector=app=${name}`, "-o", "name"]);

  before(async () => {
    world = started.use(await PodWorld.start());
    await world.cluster.useImages([...appImages("example.test/app", ["1"]), ...usualImages()]);
    const options: InstalledOptions = {
      files: {
        "demo.yaml": namespace("demo"),
        "web.yaml": app({ name: "web", image }),
        "gone.yaml": app({ name: "gone", image }),
        "elsewhere.yaml": configMap("elsewhere", "v1", "demo"),
        "moved.yaml": configMap("moved", "v1", "demo"),
        "ignored.yaml": configMap("ignored", "v1", "demo"),
        "sync-only.yaml": configMap("sync-only", "v1", "demo").replace(
          "  namespace",
          "  annotations: {fluxcd.io/ignore: sync_only}\n  namespace",
        ),
      },
      install: ["--registry-disable-scanning", "--memcached=false"],
      fluxd: ["--sync-garbage-collection-dry"],
    };
    fluxd = started.use(await InstalledFluxd.start(world, options));
    await world.kube.create("/api/v1/namespaces/demo/configmaps", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "by-hand", namespace: "demo" },
    });
    await Promise.all(["web", "gone"].map((name) => runs(world.kubectl, "1", name)));
  });
  after(() => started.disposeAsync());

  it("only says what it would delete where it is a dry run", async () => {
    await fluxd.commit({ "gone.yaml": null });

    assert.match(
      await fluxd.log(),
      /info="cluster resource not in resources to be synced; deleting" dry-run=true resource=demo:deployment\/gone\n/,
    );
    await runs(world.kubectl, "1", "gone");
  });

  it("ends what is not in git with its pods and writes nothing else, also under another tag", async () => {
    const before = await settings("moved");
    const tagged = await fluxd.repository.synced("flux");

    await fluxd.restart((args) => [
      ...args.filter((arg) => arg !== "--sync-garbage-collection-dry" && !arg.startsWith("--git-label")),
      "--sync-garbage-collection",
      "--git-label=other",
    ]);

    await until("the pods to end", async () => (await pods("gone")) === "");
    assert.equal(await world.kube.get(deploymentPath("gone", "demo")), undefined);
    assert.ok(await settings("by-hand"));
    assert.deepEqual(await settings("moved"), before);
    assert.deepEqual(
      [await fluxd.repository.synced("flux"), await fluxd.repository.synced("other")],
      [tagged, await fluxd.repository.upstream("rev-parse", "master")],
    );
  });

  it("keeps what only moves to another file, and what is annotated to be ignored", async () => {
    const before = await settings("moved");
    await world.kube.patch(configMapPath("ignored", "demo"), {
      metadata: { annotations: { "fluxcd.io/ignore": "true" } },
    });

    await fluxd.commit({
      "moved.yaml": null,
      "prod/settings.yaml": configMap("moved", "v1", "demo"),
      "ignored.yaml": null,
      "sync-only.yaml": null,
    });

    assert.deepEqual(await settings("moved"), before);
    assert.ok(await settings("ignored"));
    assert.ok(await settings("sync-only"));
  });

  it("keeps what was synced by another path, and collects what the new one had", async () => {
    const markBefore = (await settings("moved"))?.metadata.labels?.["fluxcd.io/sync-gc-mark"];

    await fluxd.restart((args) => [...args, "--git-path=prod"]);

    assert.ok(await settings("elsewhere"));
    assert.notEqual((await settings("moved"))?.metadata.labels?.["fluxcd.io/sync-gc-mark"], markBefore);

    await fluxd.commit({ "prod/settings.yaml": null, "prod/rest.yaml": configMap("rest", "v1", "demo") });

    assert.equal(await settings("moved"), undefined);
    assert.ok(await settings("rest"));
    assert.ok(await settings("elsewhere"));
    await runs(world.kubectl, "1", "web");
  });
});
