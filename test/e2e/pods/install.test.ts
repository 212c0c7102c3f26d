import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { configMapPath, until } from "@weir/testing";
import { configMap } from "../../support/manifests.ts";
import { GitServerPod } from "../../support/pods/git-server-pod.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";

describe("an installation by fluxctl install", { skip: PodWorld.lacks() }, () => {
  let world: PodWorld;
  before(async () => {
    world = await PodWorld.start();
  });
  after(() => world[Symbol.asyncDispose]());

  it("syncs from a git server, with a key of its own that was authorized there", async () => {
    const namespace = "flux";
    await using git = await GitServerPod.start(world.kubectl, {
      namespace,
      files: { "config.yaml": configMap("app", "v1") },
    });
    await world.install(git, { namespace });

    const identity = await world.fluxctl("identity", `--k8s-fwd-ns=${namespace}`);
    assert.equal(identity.exit, 0, identity.stderr);
    await git.authorize(identity.stdout);

    await until("the first sync", async () => (await git.repository.synced("flux")) !== "");
    assert.ok(await world.kube.get(configMapPath("app")));
  });
});
