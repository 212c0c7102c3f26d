import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { findProgram, TempFolder, until } from "@weir/testing";
import type { FluxctlResult } from "../../support/fluxctl.ts";
import { configMap } from "../../support/manifests.ts";
import { GitServerPod } from "../../support/pods/git-server-pod.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";

const namespace = "flux";

describe("the SSH key that fluxd makes", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let git: GitServerPod;
  before(async () => {
    world = started.use(await PodWorld.start());
    git = started.use(
      await GitServerPod.start(world.kubectl, { namespace, files: { "app.yaml": configMap("app") } }),
    );
    await world.install(git, { namespace, args: ["--registry-disable-scanning"] });
  });
  after(() => started.disposeAsync());

  async function identity(...args: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await world.fluxctl("identity", ...args, `--k8s-fwd-ns=${namespace}`);
    assert.equal(exit, 0, stderr);
    return stdout;
  }

  function sync(): Promise<FluxctlResult> {
    return world.fluxctl("sync", `--k8s-fwd-ns=${namespace}`);
  }

  /** What the Secret holds, with the public key that belongs to the private one. */
  async function stored(): Promise<{
    readonly identity: string;
    readonly public: string;
    readonly derived: string;
  }> {
    const secret = await world.kube.get(`/api/v1/namespaces/${namespace}/secrets/flux-git-deploy`);
    const data = (secret as unknown as { readonly data: Readonly<Record<string, string>> }).data;
    assert.deepEqual(Object.keys(data).toSorted(), ["identity", "identity.pub"]);
    const [key = "", publicKey = ""] = [data["identity"], data["identity.pub"]].map((text = "") =>
      Buffer.from(text, "base64").toString(),
    );
    return { identity: key, public: publicKey, derived: publicKeyOf(key) };
  }

  async function restart(): Promise<void> {
    await world.kubectl.must(["delete", "pod", "--selector=name=flux", "-n", namespace]);
    await world.kubectl.rolledOut({ namespace, name: "deployment/flux" });
  }

  it("is in its Secret, and its public half is told", async () => {
    const key = await identity();

    const secret = await stored();

    assert.equal(secret.public, key);
    assert.equal(secret.derived, key);
  });

  it("has the fingerprint and the picture that ssh-keygen makes of it", async () => {
    const key = await identity();

    const { fingerprint, picture } = pictureOf(key);

    assert.equal(await identity("--fingerprint"), `${fingerprint}\n`);
    assert.equal(await identity("--visual"), `${fingerprint}\n${picture}`);
  });

  it("is the same after the pod was replaced, and still lets fluxd sync", async () => {
    const key = await identity();
    const before = await stored();
    await git.authorize(key);
    await until("the first sync", async () => (await git.repository.synced("flux")) !== "");

    await restart();

    assert.equal(await identity(), key);
    assert.deepEqual(await stored(), before);
    const commit = await git.repository.push({ "app.yaml": configMap("app", "v2") }, "change");
    await until("the sync", async () => (await sync()).exit === 0);
    assert.equal(await git.repository.synced("flux"), commit);
  });

  it("is replaced when that is asked for, in the Secret too", async () => {
    const before = await stored();

    const key = await identity("--regenerate");

    const now = await stored();
    assert.notEqual(key, before.public);
    assert.notEqual(now.identity, before.identity);
    assert.deepEqual([await identity(), now.public, now.derived], [key, key, key]);
  });

  it("is the one that git gets from then on, and that the next pod has", async () => {
    const key = await identity();
    await git.authorizeOnly(key);
    const commit = await git.repository.push({ "app.yaml": configMap("app", "v3") }, "with the new key");
    await until("the sync", async () => (await sync()).exit === 0);
    assert.equal(await git.repository.synced("flux"), commit);

    await restart();

    assert.equal(await identity(), key);
    assert.equal((await stored()).public, key);
  });
});

function publicKeyOf(privateKey: string): string {
  using folder = new TempFolder();
  return sshKeygen("-y", "-f", folder.write("key", privateKey));
}

/** The fingerprint by MD5, and the lines of the picture. */
function pictureOf(publicKey: string): { readonly fingerprint: string; readonly picture: string } {
  using folder = new TempFolder();
  const printed = sshKeygen("-l", "-v", "-E", "md5", "-f", folder.write("key.pub", publicKey));
  const [, fingerprint = "", picture = ""] = /^\d+ MD5:(\S+) .*\n([^]*)$/.exec(printed) ?? [];
  return { fingerprint, picture };
}

function sshKeygen(...args: readonly string[]): string {
  return execFileSync(findProgram("ssh-keygen") ?? "ssh-keygen", args, { encoding: "utf8" });
}
