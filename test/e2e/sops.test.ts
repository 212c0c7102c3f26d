import assert from "node:assert/strict";
import { it } from "node:test";
import { configMapPath, deploymentPath, describeOnEmbeddedCluster, type TestCluster } from "@weir/testing";
import { encryptedFile, sopsKeys } from "../support/encrypted-files.ts";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";

const secretPath = "/api/v1/namespaces/default/secrets/s";
const password = "hunter2";
const withPgp = encryptedFile("a Secret with PGP");
const withAge = encryptedFile("a Secret with age");
const workload = encryptedFile("a workload");
/** Its MAC leaves out what is in plain text, so the name of the workload can be changed. */
const half = encryptedFile("a workload with a MAC of encrypted values only");

function start(
  cluster: TestCluster,
  repository: TestRepository,
  ...flags: readonly string[]
): Promise<Fluxd> {
  return Fluxd.start({
    gitUrl: repository.url,
    kubeconfigPath: cluster.kubeconfigPath,
    flags: ["--sops", "--sync-garbage-collection", ...flags],
    env: { SOPS_AGE_KEY_FILE: sopsKeys.age },
  });
}

async function passwordIn(cluster: TestCluster): Promise<string> {
  const secret = await cluster.kube.get(secretPath);
  const data = secret?.["data"] as Readonly<Record<string, string>> | undefined;
  return Buffer.from(data?.["password"] ?? "", "base64").toString();
}

describeOnEmbeddedCluster("--sops", {}, (cluster) => {
  it("applies decrypted files, and commits nothing but the files as they are", async () => {
    await using repository = await TestRepository.create({
      "secret.yaml": withPgp,
      "open.yaml": deployment("beside-encrypted"),
      "plain.yaml": `# sops: not encrypted\n${configMap("mentions-sops")}`,
    });
    await using fluxd = await start(cluster, repository, `--git-gpg-key-import=${sopsKeys.pgp}`);
    await fluxd.synced(repository);

    const lock = await fluxctl(fluxd, "lock", "-w", "deployment/beside-encrypted");

    assert.equal(lock.code, 0, lock.stderr);
    assert.equal(await passwordIn(cluster), password);
    assert.ok(await cluster.kube.get(configMapPath("mentions-sops")));
    assert.equal(await repository.upstream("show", "master:secret.yaml"), withPgp.trimEnd());
    assert.doesNotMatch(await repository.upstream("log", "-p", "--all"), new RegExp(password));

    // A file may be encrypted again for another key.
    await repository.pull();
    await repository.push({ "secret.yaml": withAge }, "rotate");
    const sync = await fluxctl(fluxd, "sync");

    assert.equal(sync.code, 0, sync.stderr);
    assert.equal(await passwordIn(cluster), password);
    assert.doesNotMatch(fluxd.log, new RegExp(`${password}|decrypt file`));
  });

  it("fails for a file that was changed without sops, names it, and deletes nothing", async () => {
    await using repository = await TestRepository.create({
      "secret.yaml": withAge,
      "kept.yaml": configMap("kept-despite-forgery"),
    });
    await using fluxd = await start(cluster, repository);
    await fluxd.synced(repository);

    await repository.push(
      { "secret.yaml": withAge.replace("name: s\n", "name: s2\n"), "kept.yaml": null },
      "forge",
    );
    await fluxd.notify(repository.url);

    await fluxd.logged(/secret\.yaml.*failed to decrypt file: Failed to verify data integrity/);
    assert.ok(await cluster.kube.get(configMapPath("kept-despite-forgery")));
    assert.equal(await passwordIn(cluster), password);
  });

  it("fails for a file whose key is missing, names both, and deletes nothing", async () => {
    const lost = encryptedFile("a ConfigMap for a lost key");
    const [recipient = ""] = /age1\w+/.exec(lost) ?? [];
    await using repository = await TestRepository.create({ "kept.yaml": configMap("kept-despite-lost-key") });
    await using fluxd = await start(cluster, repository);
    await fluxd.synced(repository);

    await repository.push({ "lost.yaml": lost, "kept.yaml": null }, "lose");
    await fluxd.notify(repository.url);

    await fluxd.logged(new RegExp(`lost\\.yaml.*Error getting data key.*${recipient}`));
    assert.ok(await cluster.kube.get(configMapPath("kept-despite-lost-key")));
  });

  it("changes an encrypted workload only if its MAC leaves out what is in plain text", async () => {
    await using repository = await TestRepository.create({ "whole.yaml": workload, "half.yaml": half });
    await using fluxd = await start(cluster, repository, `--git-gpg-key-import=${sopsKeys.pgp}`);
    await fluxd.synced(repository);
    const head = await repository.upstream("rev-parse", "master");

    const refused = await fluxctl(fluxd, "lock", "-w", "deployment/encrypted");
    const unchanged = await repository.upstream("rev-parse", "master");
    const locked = await fluxctl(fluxd, "lock", "-w", "deployment/half");
    const sync = await fluxctl(fluxd, "sync");

    assert.deepEqual([refused.code, unchanged], [1, head]);
    assert.match(refused.stdout + refused.stderr, /whole\.yaml is encrypted with sops/);
    assert.deepEqual([locked.code, sync.code], [0, 0], locked.stderr + sync.stderr);
    assert.ok(await cluster.kube.get(deploymentPath("encrypted")));
    const changed = await repository.upstream("show", "master:half.yaml");
    assert.match(changed, /fluxcd\.io\/locked: 'true'/);
    assert.doesNotMatch(changed, new RegExp(password));
  });

  it("shows no decrypted value in a diff", async () => {
    await using repository = await TestRepository.create({ "open.yaml": configMap("beside-diff") });
    await using fluxd = await start(cluster, repository);
    await fluxd.synced(repository);
    const revision = await repository.push(
      { "workload.yaml": half.replaceAll("half", "shown") },
      "add a workload",
    );

    const diff = await fluxctl(fluxd, "diff", `--ref=${revision}`);

    assert.equal(diff.code, 1, diff.stderr);
    assert.match(diff.stdout, /value: \+{8}\n/);
    assert.doesNotMatch(diff.stdout, new RegExp(password));
  });
});
