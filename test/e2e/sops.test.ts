import assert from "node:assert/strict";
import { it } from "node:test";
import { configMapPath, deploymentPath, describeOnEachCluster, type TestCluster } from "@weir/testing";
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

describeOnEachCluster("--sops", (cluster) => {
  it("applies decrypted files, and commits nothing but the files as they are", async () => {
    await using repository = await TestRepository.create({
      "secret.yaml": withPgp,
      "open.yaml": deployment("beside-encrypted"),
    });
    await using fluxd = await start(cluster, repository, `--git-gpg-key-import=${sopsKeys.pgp}`);
    await fluxd.synced(repository);

    const lock = await fluxctl(fluxd, "lock", "-w", "deployment/beside-encrypted");

    assert.equal(lock.code, 0, lock.stderr);
    assert.equal(await passwordIn(cluster), password);
    assert.equal(await repository.upstream("show", "master:secret.yaml"), withPgp.trimEnd());
    assert.doesNotMatch(await repository.upstream("log", "-p", "--all"), new RegExp(password));
    assert.doesNotMatch(fluxd.log, new RegExp(password));
  });

  it("takes over a file that was encrypted again for another key", async () => {
    await using repository = await TestRepository.create({ "secret.yaml": withPgp });
    await using fluxd = await start(cluster, repository, `--git-gpg-key-import=${sopsKeys.pgp}`);
    await fluxd.synced(repository);

    await repository.push({ "secret.yaml": withAge }, "rotate");
    const sync = await fluxctl(fluxd, "sync");

    assert.equal(sync.code, 0, sync.stderr);
    assert.equal(await passwordIn(cluster), password);
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

  it("refuses to change an encrypted workload, which only sops can sign again", async () => {
    await using repository = await TestRepository.create({ "workload.yaml": workload });
    await using fluxd = await start(cluster, repository, `--git-gpg-key-import=${sopsKeys.pgp}`);
    await fluxd.synced(repository);
    const head = await repository.upstream("rev-parse", "master");

    const lock = await fluxctl(fluxd, "lock", "-w", "deployment/encrypted");

    assert.equal(lock.code, 1);
    assert.match(lock.stdout + lock.stderr, /workload\.yaml is encrypted with sops/);
    assert.equal(await repository.upstream("rev-parse", "master"), head);
    assert.ok(await cluster.kube.get(deploymentPath("encrypted")));
  });

  it("changes an encrypted workload whose MAC leaves out what is in plain text", async () => {
    await using repository = await TestRepository.create({ "workload.yaml": half });
    await using fluxd = await start(cluster, repository);
    await fluxd.synced(repository);

    const lock = await fluxctl(fluxd, "lock", "-w", "deployment/half");
    const sync = await fluxctl(fluxd, "sync");

    assert.equal(lock.code, 0, lock.stderr);
    assert.equal(sync.code, 0, sync.stderr);
    assert.match(await repository.upstream("show", "master:workload.yaml"), /fluxcd\.io\/locked: 'true'/);
    assert.doesNotMatch(await repository.upstream("show", "master:workload.yaml"), new RegExp(password));
  });

  it("shows no decrypted value in a diff", async () => {
    await using repository = await TestRepository.create({ "open.yaml": configMap("beside-diff") });
    await using fluxd = await start(cluster, repository, "--git-poll-interval=1h");
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

  it("leaves a file alone that only mentions sops", async () => {
    await using repository = await TestRepository.create({
      "plain.yaml": `# sops: not encrypted\n${configMap("mentions-sops")}`,
    });
    await using fluxd = await start(cluster, repository);
    await fluxd.synced(repository);

    assert.ok(await cluster.kube.get(configMapPath("mentions-sops")));
    assert.doesNotMatch(fluxd.log, /decrypt file/);
  });
});
