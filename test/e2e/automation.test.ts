import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { describeOnEmbeddedCluster, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { automatedDeployment, deployment } from "../support/manifests.ts";
import { MemoryRegistry } from "../support/memory-registry.ts";
import { pushImage } from "../support/registry-push.ts";
import { TestRepository } from "../support/repository.ts";

describeOnEmbeddedCluster("automation", {}, (cluster) => {
  let registry: MemoryRegistry;
  before(async () => (registry = await MemoryRegistry.start()));
  after(() => registry[Symbol.asyncDispose]());

  /** A repository of images with a tag for each day of the month. */
  async function push(repository: string, ...tags: readonly [tag: string, day: number][]): Promise<string> {
    for (const [tag, day] of tags) {
      const created = `2020-06-${String(day).padStart(2, "0")}T08:00:00Z`;
      await pushImage({ url: registry.url }, { repository, tag, created });
    }
    return `${registry.host}/${repository}`;
  }

  function start(repository: TestRepository): Promise<Fluxd> {
    return Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: [
        "--registry-disable-scanning=false",
        `--registry-insecure-host=${registry.host}`,
        "--memcached-service=",
        "--memcached-hostname=",
      ],
    });
  }

  it("commits the newest image that a pattern allows, and goes on with the next one", async () => {
    const name = await push("auto/web", ["1.0", 1], ["2.0", 3]);
    await using repository = await TestRepository.create({
      "web.yaml": automatedDeployment("auto-web", `${name}:1.0`, "glob:1.*"),
      "other.yaml": deployment("auto-other", `${name}:1.0`),
    });
    await using fluxd = await start(repository);
    await fluxd.synced(repository);

    await push("auto/web", ["1.1", 2]);
    await fluxd.notifyImage(registry.host, "auto/web");

    await until("the commit", async () => (await fileOf(repository, "web.yaml")).includes(`${name}:1.1`));
    assert.match(
      await repository.upstream("log", "-1", "--format=%B", "master"),
      new RegExp(`^Auto-release ${name}:1\\.1`),
    );
    assert.match(await fileOf(repository, "other.yaml"), new RegExp(`${name}:1\\.0`));
    await fluxd.logged(
      new RegExp(
        `workload=default:deployment/auto-web container=main repo=${name} pattern=glob:1\\.\\* current=${name}:1\\.0 ` +
          `info="added update to automation run" new=${name}:1\\.1 reason="latest 1\\.1 \\(2020-06-02 `,
      ),
    );

    await push("auto/web", ["1.2", 4]);
    await fluxd.notifyImage(registry.host, "auto/web");

    await until("the next commit", async () =>
      (await fileOf(repository, "web.yaml")).includes(`${name}:1.2`),
    );
  });

  it("begins when a workload is automated, and ends when it is locked", async () => {
    const name = await push("auto/late", ["1", 1], ["2", 2]);
    await using repository = await TestRepository.create({
      "late.yaml": deployment("auto-late", `${name}:1`),
    });
    await using fluxd = await start(repository);
    await fluxd.synced(repository);
    await fluxd.notifyImage(registry.host, "auto/late");
    await until("the scan", async () => (await fluxctl(fluxd, "list-images")).stdout.includes("2"));
    assert.match(await fileOf(repository, "late.yaml"), new RegExp(`${name}:1$`, "m"));

    const automate = await fluxctl(fluxd, "automate", "--workload=deployment/auto-late");
    assert.equal(automate.code, 0, automate.stderr);
    await until("the release", async () => (await fileOf(repository, "late.yaml")).includes(`${name}:2`));

    const lock = await fluxctl(fluxd, "lock", "--workload=deployment/auto-late");
    assert.equal(lock.code, 0, lock.stderr);
    await push("auto/late", ["3", 3]);
    const before = fluxd.log.length;
    await fluxd.notifyImage(registry.host, "auto/late");
    await until("a look at what is new", () =>
      fluxd.log.slice(before).includes('msg="no automated workloads"'),
    );
    assert.match(await fileOf(repository, "late.yaml"), new RegExp(`${name}:2`));
  });
});

function fileOf(repository: TestRepository, path: string): Promise<string> {
  return repository.upstream("show", `master:${path}`);
}
