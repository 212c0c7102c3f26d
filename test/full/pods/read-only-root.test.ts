import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { configMapPath, until } from "@weir/testing";
import { configMap } from "../../support/manifests.ts";
import { GitServerPod } from "../../support/pods/git-server-pod.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";

const namespace = "flux";

/** What docs/image.md tells people to add to their Deployment. */
const readOnly = {
  spec: {
    template: {
      spec: {
        volumes: [{ name: "tmp", emptyDir: {} }],
        containers: [
          {
            name: "flux",
            securityContext: { readOnlyRootFilesystem: true },
            volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
          },
        ],
      },
    },
  },
};

describe("an installation whose file system nobody can write to", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let git: GitServerPod;
  before(async () => {
    world = started.use(await PodWorld.start());
    git = started.use(
      await GitServerPod.start(world.kubectl, { namespace: "git", files: { "app.yaml": configMap("app") } }),
    );
    await world.install(git, { namespace, args: ["--pod-security=restricted", "--create-namespace"] });
    const patch = JSON.stringify(readOnly);
    await world.kubectl.must(["patch", "deployment/flux", "-n", namespace, "--patch", patch]);
    await world.kubectl.rolledOut({ namespace, name: "deployment/flux" });
  });
  after(() => started.disposeAsync());

  it("is one, indeed", async () => {
    const write = ["exec", "-n", namespace, "deployment/flux", "--", "touch", "/opt/weir/file"];

    assert.match((await world.kubectl.run(write)).stderr, /Read-only file system/);
  });

  it("makes a key, syncs, and misses nothing", async () => {
    const { stdout: key } = await world.fluxctl("identity", `--k8s-fwd-ns=${namespace}`);
    await git.authorize(key);
    await until("the first sync", async () => (await git.repository.synced("flux")) !== "");

    const commit = await git.repository.push({ "app.yaml": configMap("app", "v2") }, "change");
    await until("the second sync", async () => {
      return (await world.fluxctl("sync", `--k8s-fwd-ns=${namespace}`)).exit === 0;
    });

    assert.equal(await git.repository.synced("flux"), commit);
    assert.ok(await world.kube.get(configMapPath("app")));
    const log = await world.kubectl.logs(namespace, "deployment/flux");
    assert.doesNotMatch(log, /EACCES|EROFS|[Rr]ead-only file system/);
  });
});
