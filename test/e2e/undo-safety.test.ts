import assert from "node:assert/strict";
import { it } from "node:test";
import { dedent, describeOnEmbeddedCluster, TempFolder } from "@weir/testing";
import { encryptedFile, sopsKeys } from "../support/encrypted-files.ts";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { hiddenRepository, writeKey } from "../support/hidden-repository.ts";
import { configMap } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";

const plainSecret = (name: string, password: string): string =>
  dedent(`
    apiVersion: v1
    kind: Secret
    metadata: { name: ${name}, namespace: default }
    stringData: { password: ${password} }
  `);

describeOnEmbeddedCluster("fluxctl undo", {}, (cluster) => {
  async function started(
    repository: TestRepository,
    flags: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Fluxd> {
    const { kubeconfigPath } = cluster;
    const fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath, flags, env });
    await fluxd.synced(repository);
    return fluxd;
  }

  const undo = (fluxd: Fluxd, ...args: readonly string[]) => fluxctl(fluxd, "undo", "--watch=false", ...args);

  it("brings back an encrypted file as it was, and commits nothing that was decrypted", async () => {
    const [withPgp, withAge] = [encryptedFile("a Secret with PGP"), encryptedFile("a Secret with age")];
    await using repository = await TestRepository.create({ "secret.yaml": withPgp });
    const rotation = await repository.push({ "secret.yaml": withAge }, "rotate");
    const flags = ["--sops", `--git-gpg-key-import=${sopsKeys.pgp}`];
    await using fluxd = await started(repository, flags, { SOPS_AGE_KEY_FILE: sopsKeys.age });

    const { code, stderr } = await undo(fluxd, rotation);

    assert.equal(code, 0, stderr);
    assert.equal(await repository.upstream("show", "master:secret.yaml"), withPgp.trimEnd());
    assert.doesNotMatch(await repository.upstream("log", "-p", "--all"), /hunter2/);
  });

  it("commits nothing that git-secret reveals", async () => {
    using folder = new TempFolder();
    const key = await writeKey(folder.path);
    await using repository = await hiddenRepository({ "d.yaml": configMap("undo-hidden", "1") });
    const change = await repository.push({ "d.yaml": configMap("undo-hidden", "2") }, "change");
    await using fluxd = await started(repository, ["--git-secret", `--git-gpg-key-import=${key}`]);

    const { code, stderr } = await undo(fluxd, change);

    assert.equal(code, 0, stderr);
    assert.equal(await repository.upstream("diff", "--name-only", "master~1", "master"), "d.yaml");
    assert.equal(await repository.upstream("diff", "--name-only", "master~2", "master"), "");
  });

  it("doesn't show Secrets", async () => {
    await using repository = await TestRepository.create({ "s.yaml": plainSecret("undo-s", "old-canary") });
    const change = await repository.push({ "s.yaml": plainSecret("undo-s", "new-canary") }, "change");
    await using fluxd = await started(repository);

    const shown = await undo(fluxd, change, "--dry-run");
    await repository.push({ "s.yaml": plainSecret("undo-s", "third-canary") }, "again");
    await fluxctl(fluxd, "sync");
    const refused = await undo(fluxd, change);

    assert.equal(shown.stdout, "s.yaml: not shown, because it contains a Secret\n");
    assert.equal(refused.code, 1);
    assert.doesNotMatch([shown.stderr, refused.stderr, fluxd.log].join(), /canary/);
  });

  it("refuses a file from which manifests are generated", async () => {
    await using repository = await TestRepository.create({
      "made/.flux.yaml": "version: 1\ncommandUpdated:\n  generators:\n  - command: cat in.yaml\n",
      "made/in.yaml": configMap("undo-made", "1"),
    });
    const change = await repository.push({ "made/in.yaml": configMap("undo-made", "2") }, "change");
    await using fluxd = await started(repository, ["--manifest-generation", "--git-path=made"]);
    const before = await repository.upstream("rev-parse", "master");

    const { code, stderr } = await undo(fluxd, change);

    assert.deepEqual([code, await repository.upstream("rev-parse", "master")], [1, before]);
    assert.match(stderr, /made\/in\.yaml is an input of a generator \(\.flux\.yaml\)/);
  });
});
