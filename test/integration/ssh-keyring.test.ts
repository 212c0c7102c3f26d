import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { systemClock } from "@weir/base";
import { exec } from "@weir/base/node";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import { ConnectionError } from "@weir/kube/rest";
import { CountingClient, describeOnEachCluster, TempFolder, type TestCluster, until } from "@weir/testing";
import { SshKeyError } from "../../src/cluster-state/ssh-key-errors.ts";
import {
  type OpenSshKeyring,
  openSshKeyring,
  type SshKeySettings,
} from "../../src/cluster-state/ssh-keyring.ts";

const secretName = "flux-git-deploy";
const secrets = "/api/v1/namespaces/default/secrets";

/** A pod: its Secret, the folders of its volumes, and processes that run in it one after the other. */
class Pod implements AsyncDisposable {
  readonly client: CountingClient;
  readonly settings: SshKeySettings;
  /** Of the process. */
  readonly ending = new AbortController();
  readonly #cluster: TestCluster;
  readonly #folder: TempFolder;

  private constructor(cluster: TestCluster, folder: TempFolder, client: CountingClient) {
    this.client = client;
    this.#cluster = cluster;
    this.#folder = folder;
    this.settings = {
      secret: { namespace: "default", name: secretName },
      clock: systemClock,
      mountPath: join(folder.path, "mounted"),
      dataKey: "identity",
      keygenDir: join(folder.path, "keygen"),
      type: "ed25519",
    };
  }

  static async create(cluster: TestCluster): Promise<Pod> {
    const folder = new TempFolder();
    folder.write("mounted/.keep", "");
    folder.write("keygen/.keep", "");
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: secretName }, data: {} };
    await cluster.kube.create(secrets, secret);
    const credentials = await loadKubeConfig({ kubeconfig: cluster.kubeconfigPath, env: {} });
    return new Pod(cluster, folder, new CountingClient(createRestClient({ credentials, userAgent: "test" })));
  }

  open(): Promise<OpenSshKeyring> {
    return openSshKeyring(this.settings, this.client, this.ending.signal);
  }

  /** The private key that the Secret holds. */
  async stored(): Promise<string> {
    const secret = await this.#cluster.kube.get(`${secrets}/${secretName}`);
    const { identity } = (secret?.data ?? {}) as { identity?: string };
    return Buffer.from(identity ?? "", "base64").toString();
  }

  async store(privateKey: string): Promise<void> {
    const identity = Buffer.from(privateKey).toString("base64");
    await this.#cluster.kube.patch(`${secrets}/${secretName}`, { data: { identity } });
  }

  /** What kubelet does with the Secret, at the start and some time after a change. */
  async mount(): Promise<void> {
    this.#folder.write("mounted/identity", await this.stored(), 0o600);
  }

  /** What a process leaves behind that is killed before it used the key that it made. */
  async leave(name: string): Promise<string> {
    const path = join(this.settings.keygenDir, `..weave-keygen${name}`, "identity");
    this.#folder.write(`keygen/..weave-keygen${name}/.keep`, "");
    await exec("ssh-keygen", ["-q", "-N", "", "-t", "ed25519", "-f", path]);
    return readFileSync(path, "utf8");
  }

  /** The folders of keys. */
  get kept(): readonly string[] {
    return readdirSync(this.settings.keygenDir).filter((name) => name.startsWith("..weave-keygen"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.#cluster.kube.delete(`${secrets}/${secretName}`);
    this.#folder[Symbol.dispose]();
  }
}

/** The key in use, the one that is told and the one in the Secret are the same, and no other lies around. */
async function assertWhole(pod: Pod, keyring: OpenSshKeyring): Promise<void> {
  const used = readFileSync(keyring.privateKeyPath, "utf8");
  const { stdout: publicKey } = await exec("ssh-keygen", ["-y", "-f", keyring.privateKeyPath]);
  assert.equal(used, await pod.stored());
  assert.equal(keyring.publicKey().key, publicKey);
  assert.deepEqual(
    pod.kept.map((name) => join(realpathSync(pod.settings.keygenDir), name, "identity")),
    pod.kept.length === 0 ? [] : [realpathSync(join(pod.settings.keygenDir, "identity"))],
  );
}

const { signal } = new AbortController();

/** The start fails with a message that names all of these. */
async function assertRefused(
  { settings, client }: Pick<Pod, "settings" | "client">,
  names: readonly string[],
): Promise<void> {
  await assert.rejects(openSshKeyring(settings, client, signal), (error) => {
    assert.ok(error instanceof SshKeyError);
    const missing = names.filter((name) => !error.message.includes(name));
    assert.deepEqual(missing, [], error.message);
    return true;
  });
}

function lost(): ConnectionError {
  return new ConnectionError({ server: "https://kubernetes", sent: true, reason: "reset" });
}

describeOnEachCluster("the SSH key", (cluster) => {
  it("is made where none is mounted, and renewed, without leaving the old one behind", async () => {
    await using pod = await Pod.create(cluster);

    const keyring = await pod.open();
    const first = keyring.publicKey().key;
    await assertWhole(pod, keyring);
    await keyring.regenerate(signal);

    assert.notEqual(keyring.publicKey().key, first);
    await assertWhole(pod, keyring);
    assert.equal(pod.kept.length, 1);
  });

  it("is one and the same everywhere, however many ask for a new one at once", async () => {
    await using pod = await Pod.create(cluster);
    const keyring = await pod.open();
    pod.client.take();
    const late: Promise<void>[] = [];
    pod.client.around = (send) => {
      // While the first is under way: what they get is made after they asked.
      late.push(...(late.length === 0 ? [0, 1, 2].map(() => keyring.regenerate(signal)) : []));
      return send();
    };

    await Promise.all(Array.from({ length: 6 }, () => keyring.regenerate(signal)));
    await Promise.all(late);

    await assertWhole(pod, keyring);
    const patch = `PATCH ${secrets}/${secretName}`;
    assert.deepEqual(pod.client.take(), [patch, patch], "those that wait share one");
  });

  it("is renewed to the end where who asked for it leaves after it was stored", async () => {
    await using pod = await Pod.create(cluster);
    const keyring = await pod.open();
    const first = keyring.publicKey().key;
    const leaving = new AbortController();
    pod.client.around = async (send) => {
      const answer = await send();
      leaving.abort(new Error("the client went away"));
      return answer;
    };

    await assert.rejects(keyring.regenerate(leaving.signal), /^Error: the client went away$/);
    await keyring.settled();

    assert.notEqual(keyring.publicKey().key, first);
    await assertWhole(pod, keyring);
  });

  it("is renewed to the end where the process is told to stop after it was stored, and not begun then", async () => {
    await using pod = await Pod.create(cluster);
    const keyring = await pod.open();
    const first = keyring.publicKey().key;
    pod.client.around = async (send) => {
      const answer = await send();
      pod.ending.abort(new Error("received SIGTERM"));
      return answer;
    };

    await keyring.regenerate(signal);
    await assert.rejects(keyring.regenerate(signal), /^Error: received SIGTERM$/);

    assert.notEqual(keyring.publicKey().key, first);
    await assertWhole(pod, keyring);
  });

  it("is the new one where it was stored, but the answer was lost", async () => {
    await using pod = await Pod.create(cluster);
    const keyring = await pod.open();
    const first = keyring.publicKey().key;
    pod.client.around = async (send, { method }) => {
      const answer = await send();
      if (method === "PATCH") {
        throw lost();
      }
      return answer;
    };

    await keyring.regenerate(signal);

    assert.notEqual(keyring.publicKey().key, first);
    await assertWhole(pod, keyring);
  });

  it("stays the old one where a new one cannot be stored, or not be made", async () => {
    await using pod = await Pod.create(cluster);
    const keyring = await pod.open();
    const first = keyring.publicKey().key;
    pod.client.around = (send, { method }) => (method === "PATCH" ? Promise.reject(lost()) : send());

    await assert.rejects(keyring.regenerate(signal), ConnectionError);

    assert.equal(keyring.publicKey().key, first);
    await assertWhole(pod, keyring);
  });

  it("is the one that a killed process stored, though an older one is still mounted", async () => {
    await using pod = await Pod.create(cluster);
    await pod.store(await pod.leave("old"));
    await pod.mount();
    await pod.leave("never-stored");
    const newest = await pod.leave("stored");
    await pod.store(newest);

    const keyring = await pod.open();

    assert.equal(keyring.privateKeyPath, join(pod.settings.keygenDir, "identity"));
    assert.equal(readFileSync(keyring.privateKeyPath, "utf8"), newest);
    await assertWhole(pod, keyring);
  });

  it("is the mounted one, and what a killed process did not store is removed", async () => {
    await using pod = await Pod.create(cluster);
    const first = await pod.open();
    await pod.mount();
    await pod.leave("never-stored");

    const second = await pod.open();

    assert.equal(second.privateKeyPath, join(pod.settings.mountPath, "identity"));
    assert.equal(second.publicKey().key, first.publicKey().key);
    await assertWhole(pod, second);
  });

  it("is the mounted one where the Secret cannot be asked, and nothing is removed then", async () => {
    await using pod = await Pod.create(cluster);
    const first = await pod.open();
    await pod.mount();
    await pod.leave("unknown");
    pod.client.around = () => Promise.reject(lost());

    const second = await pod.open();

    assert.equal(second.publicKey().key, first.publicKey().key);
    assert.equal(pod.kept.length, 2);
  });

  it("stays in the Secret where it isn't mounted: no other is made", async () => {
    await using pod = await Pod.create(cluster);
    const key = await pod.leave("made-elsewhere");
    await pod.store(key);
    rmSync(pod.settings.keygenDir, { recursive: true });

    const mounted = join(pod.settings.mountPath, "identity");
    await assertRefused(pod, [mounted, "default/flux-git-deploy", "--k8s-secret-volume-mount-path"]);

    assert.equal(await pod.stored(), key);
  });

  it("is refused by its path and its Secret where it's no key", async () => {
    await using pod = await Pod.create(cluster);
    await pod.store("no key");
    await pod.mount();

    await assertRefused(pod, [join(pod.settings.mountPath, "identity"), "default/flux-git-deploy"]);
  });

  it("cannot be made without a folder, which is named", async () => {
    await using pod = await Pod.create(cluster);
    rmSync(pod.settings.keygenDir, { recursive: true });

    await assertRefused(pod, [pod.settings.keygenDir, "--ssh-keygen-dir"]);
  });

  it("cannot be stored without the Secret, which is named", async () => {
    await using pod = await Pod.create(cluster);
    const settings = { ...pod.settings, secret: { namespace: "default", name: "missing" } };

    const create = "kubectl create secret generic missing --namespace=default";
    await assertRefused({ client: pod.client, settings }, [create, "--k8s-secret-name"]);
  });

  it("leaves nothing behind where the process is told to stop while it is made", async () => {
    await using pod = await Pod.create(cluster);
    await pod.open();
    const slow = { ...pod.settings, type: "rsa", bits: "8192" };
    await pod.mount();
    const keyring = await openSshKeyring(slow, pod.client, pod.ending.signal);
    const renewed = assert.rejects(keyring.regenerate(signal));
    await until("the key to be made", () => pod.kept.length === 2);

    pod.ending.abort(new Error("received SIGTERM"));

    await renewed;
    await assertWhole(pod, keyring);
    assert.ok(existsSync(keyring.privateKeyPath));
  });
});
