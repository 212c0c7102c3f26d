import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { configMapPath, until } from "@weir/testing";
import { configMap, namespace } from "../../support/manifests.ts";
import { app, appImages, runs } from "../../support/pods/app.ts";
import { usualImages } from "../../support/pods/images.ts";
import { InstalledFluxd, type InstalledOptions } from "../../support/pods/installed-fluxd.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";

describe("what is pushed to git", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let fluxd: InstalledFluxd;
  before(async () => {
    world = started.use(await PodWorld.start());
    await world.cluster.useImages([...appImages("example.test/app", ["1", "2", "3"]), ...usualImages()]);
    const options: InstalledOptions = {
      files: { "demo.yaml": namespace("demo"), "workloads/app.yaml": app({ image: "example.test/app:1" }) },
      install: ["--registry-disable-scanning", "--memcached=false"],
      fluxd: ["--git-poll-interval=1s"],
    };
    fluxd = started.use(await InstalledFluxd.start(world, options));
  });
  after(() => started.disposeAsync());

  it("runs in pods after the first sync", () => runs(world.kubectl, "1"));

  it("reaches the running pods without a command: a new image", async () => {
    await fluxd.repository.push({ "workloads/app.yaml": app({ image: "example.test/app:2" }) }, "Bump");

    await runs(world.kubectl, "2");
    await fluxd.synced();
  });

  it("is not applied at all while an object is defined twice, and fluxctl says why", async () => {
    const before = await fluxd.repository.synced("flux");
    const bumped = app({ image: "example.test/app:3" });
    await fluxd.repository.push(
      {
        "workloads/app.yaml": bumped,
        "workloads/app-2.yaml": bumped,
        "other.yaml": configMap("other", "v1", "demo"),
      },
      "Define the app twice",
    );

    const error =
      "duplicate definition of 'demo:deployment/app' (in workloads/app-2.yaml and workloads/app.yaml)";
    await until("the error in the log", async () => (await fluxd.log()).includes(error));
    const { exit, stdout } = await fluxd.run("check");
    assert.equal(exit, 1);
    assert.match(stdout, /^failed {3}sync .*duplicate definition of 'demo:deployment\/app'/m);
    await runs(world.kubectl, "2");
    assert.equal(await world.kube.get(configMapPath("other", "demo")), undefined);
    assert.equal(await fluxd.repository.synced("flux"), before);
  });

  it("is applied again when the second definition is removed", async () => {
    await fluxd.repository.push({ "workloads/app-2.yaml": null }, "Define the app once");

    await runs(world.kubectl, "3");
    await fluxd.synced();
    assert.ok(await world.kube.get(configMapPath("other", "demo")));
  });
});
