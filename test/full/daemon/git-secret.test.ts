import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnEmbeddedCluster, TempFolder, until } from "@weir/testing";
import { fluxctl } from "../../support/fluxd.ts";
import { hiddenRepository, writeKey } from "../../support/hidden-repository.ts";
import { KnownImages } from "../../support/known-images.ts";
import { configMap, deployment } from "../../support/manifests.ts";
import { OwnFluxd } from "../../support/own-fluxd.ts";
import type { TestRepository } from "../../support/repository.ts";
import { runJob } from "../../support/run-job.ts";

const images = new KnownImages({
  "example.test/app": { "1": "2020-01-01T00:00:00Z", "2": "2020-01-02T00:00:00Z" },
});

const secretPath = "/api/v1/namespaces/default/secrets/hidden";

describeOnEmbeddedCluster("files that git-secret hides", {}, (cluster) => {
  function started(repository: TestRepository, ...flags: readonly string[]): Promise<OwnFluxd> {
    return OwnFluxd.start({
      repository,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--git-secret", ...flags],
      images,
    });
  }

  /** The value in the live Secret. */
  async function password(): Promise<string> {
    const { password: value } = ((await cluster.kube.get(secretPath))?.["data"] ?? {}) as {
      password?: string;
    };
    return Buffer.from(value ?? "", "base64").toString();
  }

  it("are applied and listed, and never get into git", async () => {
    using folder = new TempFolder();
    const key = await writeKey(folder.path);
    await using repository = await hiddenRepository({
      "c.yaml": configMap("hidden-c"),
      "d.yaml": deployment("hidden-d"),
    });
    await using fluxd = await started(repository, `--git-gpg-key-import=${key}`);

    const applied = await password();
    const { stdout } = await fluxctl(fluxd, "list-workloads");
    const { code, stderr } = await fluxctl(fluxd, "lock", "-w", "deployment/hidden-d");

    assert.equal(applied, "revealed");
    assert.match(stdout, /default:deployment\/hidden-w +main +example\.test\/app:1 /);
    assert.equal(code, 0, stderr);
    assert.equal(await repository.upstream("diff", "--name-only", "master~1", "master"), "d.yaml");
    assert.doesNotMatch(fluxd.log, /revealed|password/);
  });

  it("can't be changed by a release, as in Flux v1", async () => {
    using folder = new TempFolder();
    const key = await writeKey(folder.path);
    await using repository = await hiddenRepository();
    await using fluxd = await started(repository, `--git-gpg-key-import=${key}`);
    const before = await repository.upstream("rev-parse", "master");

    const { code, stderr } = await fluxctl(
      fluxd,
      "release",
      "--workload=deployment/hidden-w",
      "--update-image=example.test/app:2",
    );

    assert.equal(code, 1);
    assert.match(stderr, /Error: no changes made in repo\n/);
    assert.match(
      fluxd.log,
      /warning="changes to files that git-secret hides aren't committed.*files=w\.yaml/,
    );
    assert.equal(await repository.upstream("rev-parse", "master"), before);
  });

  it("stop syncs and changes if their key is missing, which is told, and nothing is pruned", async () => {
    using folder = new TempFolder();
    const key = await writeKey(folder.path);
    await using repository = await hiddenRepository({ "d.yaml": deployment("hidden-d") });
    {
      await using fluxd = await started(
        repository,
        `--git-gpg-key-import=${key}`,
        "--sync-garbage-collection",
      );
      assert.equal(await password(), "revealed");
      assert.notEqual(fluxd.log, "");
    }

    await using fluxd = await started(repository, "--sync-garbage-collection");

    const failure =
      "git secret reveal -f: gpg: decryption failed: No secret key\\ngit-secret: abort: problem decrypting file with gpg: exit code 2: ";
    await until("the failed sync", () => fluxd.log.includes(failure));
    assert.match(
      fluxd.log,
      /error="cannot reveal the files that git-secret hides" err="the message is encrypted for the key [0-9A-F]{16}, and the keyring has no secret key/,
    );
    const { Err: error } = await runJob(fluxd, {
      type: "policy",
      cause: {},
      spec: { "default:deployment/hidden-d": { add: { locked: "true" }, remove: null } },
    });
    assert.ok(typeof error === "string");
    assert.match(
      error,
      /^git secret reveal -f: gpg: decryption failed: No secret key\ngit-secret: abort: .*\/app\/secret\.yaml\n$/,
    );
    assert.equal(await password(), "revealed");
  });
});
