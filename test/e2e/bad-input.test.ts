import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { configMapPath, deploymentPath, describeOnEachCluster, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { pushPath, pushTree, writeTreeBomb } from "../support/git-objects.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";

const unparsable = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: [oops\n";

describeOnEachCluster("bad input", (cluster) => {
  async function started(repository: TestRepository, ...flags: readonly string[]): Promise<Fluxd> {
    const fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags,
    });
    await fluxd.ready();
    return fluxd;
  }

  async function has(path: string): Promise<boolean> {
    return (await cluster.kube.get(path)) !== undefined;
  }

  it("a file that is no YAML stops the sync before anything is applied, and is named; once it is mended all goes on", async () => {
    await using repository = await TestRepository.create({
      "good.yaml": configMap("unparsable-good"),
      "bad.yaml": unparsable,
    });
    await using fluxd = await started(repository);

    await fluxd.logged('scanning multidoc from \\"bad.yaml\\": yaml: line 4: did not find expected');
    const listed = await fluxctl(fluxd, "list-workloads");
    assert.equal(listed.code, 1);
    assert.match(listed.stderr, /Unable to parse files as manifests[^]*bad\.yaml/);
    assert.equal(await has(configMapPath("unparsable-good")), false);

    const head = await repository.push({ "bad.yaml": configMap("unparsable-bad") }, "mend it");
    await fluxd.notify(repository.url);
    await until("the sync", async () => (await repository.synced()) === head);
    assert.ok(await has(configMapPath("unparsable-good")));
    assert.ok(await has(configMapPath("unparsable-bad")));
  });

  it("a commit that cannot be checked out is named, stops nothing but its sync, and leaves nothing behind", async () => {
    await using repository = await TestRepository.create({ "good.yaml": configMap("before-the-bomb") });
    await using fluxd = await started(repository);
    await fluxd.synced(repository);

    const deep = await pushPath(repository, `${"d/".repeat(2_100)}a.yaml`);
    await fluxd.notify(repository.url);
    await fluxd.logged(`cannot check out commit ${deep}: it contains a path that's longer than 3500 bytes`);
    const bomb = await pushTree(repository, await writeTreeBomb(repository, 7, 10));
    await fluxd.notify(repository.url);
    await fluxd.logged(`cannot check out commit ${bomb}: it has more than 250000 files and folders`);
    assert.ok(await has(configMapPath("before-the-bomb")));

    const head = await repository.push({ "good.yaml": configMap("after-the-bomb") }, "defuse it");
    await fluxd.notify(repository.url);
    await until("the sync", async () => (await repository.synced()) === head);
    assert.ok(await has(configMapPath("after-the-bomb")));
    const { code } = await fluxd.stop();
    assert.deepEqual([code, await readdir(join(fluxd.folder, "tmp"))], [0, []]);
  });

  it("an object that the API server refuses, and one of a kind that it does not know, hold nothing up", async () => {
    const refused = deployment("refused").replace("app: refused\n  template", "app: other\n  template");
    await using repository = await TestRepository.create({
      "good.yaml": configMap("beside-the-refused"),
      "refused.yaml": refused,
      "unknown.yaml":
        "apiVersion: nothing.test/v1\nkind: Thing\nmetadata:\n  name: t\n  namespace: default\n",
    });
    await using fluxd = await started(repository);

    await fluxd.synced(repository);
    assert.ok(await has(configMapPath("beside-the-refused")));
    assert.equal(await has(deploymentPath("refused")), false);
    assert.match(
      fluxd.log,
      /default:deployment\/refused: The Deployment \\"refused\\" is invalid: spec\.template\.metadata\.labels/,
    );
    assert.match(fluxd.log, /cannot find scope of resource thing\/t/);

    const head = await repository.push({ "refused.yaml": deployment("refused") }, "mend it");
    await fluxd.notify(repository.url);
    await until("the sync", async () => (await repository.synced()) === head);
    assert.ok(await has(deploymentPath("refused")));
  });

  it("with --sync-quarantine the bad files alone are left out, and never pruned", async () => {
    await using repository = await TestRepository.create({
      "good.yaml": configMap("quarantine-good"),
      "turns-bad.yaml": configMap("quarantine-kept"),
    });
    await using fluxd = await started(repository, "--sync-quarantine", "--sync-garbage-collection");
    await fluxd.synced(repository);

    const head = await repository.push(
      {
        "good.yaml": configMap("quarantine-good", "v2"),
        "turns-bad.yaml": unparsable,
        "one.yaml": configMap("quarantine-twice"),
        "two.yaml": configMap("quarantine-twice"),
      },
      "break one, define one twice",
    );
    await fluxd.notify(repository.url);
    await until("the sync", async () => (await repository.synced()) === head);

    assert.deepEqual((await cluster.kube.get(configMapPath("quarantine-good")))?.data, { key: "v2" });
    assert.ok(await has(configMapPath("quarantine-kept")), "what a broken file held is not pruned");
    assert.equal(await has(configMapPath("quarantine-twice")), false);
    assert.match(fluxd.log, /turns-bad\.yaml/);
    assert.match(fluxd.log, /one\.yaml and two\.yaml/);
  });

  it("a repository without any manifest prunes nothing", async () => {
    await using repository = await TestRepository.create({ "only.yaml": configMap("not-pruned") });
    await using fluxd = await started(repository, "--sync-garbage-collection");
    await fluxd.synced(repository);

    const head = await repository.push(
      { "only.yaml": null, "README.md": "nothing here" },
      "remove everything",
    );
    await fluxd.notify(repository.url);
    await until("the sync", async () => (await repository.synced()) === head);

    assert.ok(await has(configMapPath("not-pruned")));
  });
});
