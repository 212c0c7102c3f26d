import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { configMapPath, until } from "@weir/testing";
import { configMap } from "../../support/manifests.ts";
import { GitServerPod } from "../../support/pods/git-server-pod.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";

const namespace = "flux";
const flags = ["--pod-security=restricted", "--least-privilege", "--k8s-allow-namespace=shop"];

describe("an installation with few rights, and without root", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let git: GitServerPod;
  before(async () => {
    world = started.use(await PodWorld.start());
    git = started.use(
      await GitServerPod.start(world.kubectl, {
        namespace: "git",
        files: { "app.yaml": configMap("app", "v1", "shop") },
      }),
    );
    const enforced = { "pod-security.kubernetes.io/enforce": "restricted" };
    await world.kubectl.apply(
      [
        { name: namespace, labels: enforced },
        { name: "shop", labels: {} },
      ].map((metadata) => ({ apiVersion: "v1", kind: "Namespace", metadata })),
    );
  });
  after(() => started.disposeAsync());

  it("runs in a namespace that admits only restricted pods, with memcached", async () => {
    await world.install(git, { namespace, args: flags });

    await world.kubectl.rolledOut({ namespace, name: "deployment/memcached" });
    const owner = ["stat", "--dereference", "--format=%u", "/var/fluxd/keygen/identity"];
    const user = await world.kubectl.must(["exec", "-n", namespace, "deployment/flux", "--", ...owner]);
    assert.equal(user.trim(), "1000");
  });

  it("does without root's kubeconfig, which it can't read", async () => {
    const mode = ["stat", "--format=%a %U", "/root"];
    const root = await world.kubectl.must(["exec", "-n", namespace, "deployment/flux", "--", ...mode]);
    const { exit, stderr } = await world.fluxctl("list-workloads", `--k8s-fwd-ns=${namespace}`);

    assert.equal(root.trim(), "700 root");
    assert.equal(exit, 0, stderr);
  });

  it("keeps the key that it made, and syncs with it", async () => {
    const { stdout: key } = await world.fluxctl("identity", `--k8s-fwd-ns=${namespace}`);
    await git.authorize(key);

    await until("the first sync", async () => (await git.repository.synced("flux")) !== "");

    assert.ok(await world.kube.get(configMapPath("app", "shop")));
    assert.deepEqual(await refusals(), []);
  });

  /** What the API server or the file system refused to the running fluxd. */
  async function refusals(): Promise<readonly string[]> {
    const log = await world.kubectl.logs(namespace, "deployment/flux");
    return log.split("\n").filter((line) => /forbidden|EACCES|EROFS/.test(line));
  }
});
