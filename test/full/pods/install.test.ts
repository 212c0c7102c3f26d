import assert from "node:assert/strict";
import { cp, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { configMapPath, TempFolder, until } from "@weir/testing";
import { configMap } from "../../support/manifests.ts";
import { GitServerPod } from "../../support/pods/git-server-pod.ts";
import { knownHostsConfigMap } from "../../support/pods/known-hosts.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";

const deploy = join(import.meta.dirname, "../../../deploy");

describe("an installation", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let git: GitServerPod;
  before(async () => {
    world = started.use(await PodWorld.start());
    git = started.use(
      await GitServerPod.start(world.kubectl, {
        namespace: "git",
        files: {
          "config.yaml": configMap("app"),
          "homeless.yaml": configMap("homeless").replace("  namespace: default\n", ""),
        },
      }),
    );
  });
  after(() => started.disposeAsync());

  /** Authorizes the key that fluxd made, and resolves when it has synced. */
  async function syncs(namespace: string): Promise<void> {
    const identity = await world.fluxctl("identity", `--k8s-fwd-ns=${namespace}`);
    assert.equal(identity.exit, 0, identity.stderr);
    await git.authorize(identity.stdout);
    await until("the sync", async () => (await git.repository.synced(namespace)) !== "");
    assert.ok(await world.kube.get(configMapPath("app")));
    // By the image's kubeconfig, and not by the namespace of the pod.
    assert.ok(await world.kube.get(configMapPath("homeless", "default")));
  }

  /** Applies a kustomization of these manifests, whose fluxd is made to know the git server. */
  async function applyKustomized(
    namespace: string,
    folder: TempFolder,
    resources: readonly string[],
  ): Promise<void> {
    const values = [`--git-url=${git.url}`, "--git-branch=master", `--git-label=${namespace}`];
    const pod = "/spec/template/spec";
    const patch = [
      ...values.map((value) => [`${pod}/containers/0/args/-`, value]),
      [`${pod}/volumes/-`, { name: "ssh-config", configMap: { name: "flux-ssh-config" } }],
      [`${pod}/containers/0/volumeMounts/-`, { name: "ssh-config", mountPath: "/root/.ssh" }],
    ].map(([path, value]) => ({ op: "add", path, value }));
    const knownHosts = knownHostsConfigMap(namespace, git.knownHosts);
    folder.write("known-hosts.yaml", JSON.stringify(knownHosts));
    const kustomization = {
      resources: [...resources, "known-hosts.yaml"],
      patches: [{ target: { kind: "Deployment", name: "flux" }, patch: JSON.stringify(patch) }],
    };
    folder.write("kustomization.yaml", JSON.stringify(kustomization));
    await world.kubectl.must(["apply", "-k", folder.path]);
    await world.kubectl.rolledOut({ namespace, name: "deployment/flux" });
  }

  it("by fluxctl install syncs, with a key of its own that was authorized", async () => {
    const args = ["--create-namespace", "--git-label=piped"];

    await world.install(git, { namespace: "piped", args });

    await syncs("piped");
  });

  it("by a kustomization of deploy/ syncs, too", async () => {
    using folder = new TempFolder();
    await cp(deploy, join(folder.path, "base"), { recursive: true });

    await applyKustomized("flux", folder, ["base"]);

    await syncs("flux");
  });

  it("by a kustomization of the files that fluxctl install writes syncs, too", async () => {
    using folder = new TempFolder();
    const base = join(folder.path, "base");
    await mkdir(base);
    const values = ["--git-url=git@example.test:org/repo", "--git-email=flux@example.test"];
    const flags = [...values, "--namespace=written", "--create-namespace"];
    const written = await world.fluxctl("install", ...flags, `--output-dir=${base}`);
    assert.equal(written.exit, 0, written.stderr);

    await applyKustomized(
      "written",
      folder,
      (await readdir(base)).map((name) => `base/${name}`),
    );

    await syncs("written");
  });
});
