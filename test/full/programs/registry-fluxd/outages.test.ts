import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { lacks, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../../../support/fluxd.ts";
import { automatedDeployment } from "../../../support/manifests.ts";
import { sampleOf } from "../../../support/metrics.ts";
import { MemcachedServer } from "../../../support/registry-memcached.ts";
import { pushImage } from "../../../support/registry-push.ts";
import { RegistryServer } from "../../../support/registry-server.ts";
import { TestRepository } from "../../../support/repository.ts";

/** So many that a scan of them takes a while, at fifty requests a second. */
const manyTags = 60;
const failedLists = 'flux_client_fetch_duration_seconds_count{kind="tags",success="false"}';
const failedReads = 'flux_cache_request_duration_seconds_count{method="GetKey",success="false"}';

describe("automation in spite of outages", { skip: lacks("docker-registry") || lacks("memcached") }, () => {
  let registry: RegistryServer;
  let memcached: MemcachedServer;

  before(async () => {
    registry = await RegistryServer.start();
    memcached = await MemcachedServer.start();
  });

  after(async () => {
    await registry[Symbol.asyncDispose]();
    await memcached[Symbol.asyncDispose]();
  });

  /** Pushes 1.0.0, 1.1.0 and so on; the last one is to be released. */
  async function push(repository: string, count: number): Promise<void> {
    for (let minor = 0; minor < count; minor += 1) {
      await pushImage(registry, { repository, tag: `1.${minor}.0`, created: "2020-01-01T00:00:00Z" });
    }
  }

  function workload(repository: string): Promise<TestRepository> {
    const image = `${registry.host}/${repository}:0.1.0`;
    return TestRepository.create({ "app.yaml": automatedDeployment("app", image, "semver:^1") });
  }

  function start(repository: TestRepository): Promise<Fluxd> {
    return Fluxd.start({
      gitUrl: repository.url,
      flags: [
        "--embedded-cluster",
        "--registry-disable-scanning=false",
        `--registry-insecure-host=${registry.host}`,
        "--memcached-service=",
        `--memcached-hostname=${memcached.host}`,
        `--memcached-port=${memcached.port}`,
      ],
    });
  }

  async function synced(repository: TestRepository): Promise<void> {
    await until("the first sync", async () => (await repository.synced()) !== "");
  }

  async function released(repository: TestRepository, image: string): Promise<void> {
    const isReleased = async (): Promise<boolean> =>
      (await repository.upstream("show", "master:app.yaml")).includes(`image: ${registry.host}/${image}`);
    await until(`the release of ${image}`, isReleased);
  }

  /** Tells fluxd of an image again and again, and waits each time until that came to nothing. */
  async function tryInVain(fluxd: Fluxd, image: string, sample: string): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      const failures = await sampleOf(fluxd, sample);
      await fluxd.notifyImage(registry.host, image);
      await until("the failure", async () => (await sampleOf(fluxd, sample)) > failures);
    }
  }

  it("of the registry in the middle of a scan: said once, and gone on with when it is back", async () => {
    await push("lost/registry", manyTags);
    await using repository = await workload("lost/registry");
    await using fluxd = await start(repository);
    await synced(repository);

    await fluxd.notifyImage(registry.host, "lost/registry");
    await fluxd.logged('info="refreshing image"');
    await registry.stop();
    await fluxd.logged("because the registry doesn't respond");
    await tryInVain(fluxd, "lost/registry", failedLists);
    assert.equal(linesWith(fluxd, "requesting tags").length, 1, fluxd.log);
    const tellsOfImages = linesWith(fluxd, "ECONNREFUSED").filter((line) => line.includes(" ref="));
    assert.equal(tellsOfImages.length, 1, fluxd.log);

    await registry.start();
    await push("lost/registry", manyTags + 1);
    await fluxd.notifyImage(registry.host, "lost/registry");
    await released(repository, `lost/registry:1.${manyTags}.0`);
  });

  it("of memcached in the middle of a scan: said once, and filled anew when it is back", async () => {
    await push("lost/cache", manyTags);
    await using repository = await workload("lost/cache");
    await using fluxd = await start(repository);
    await synced(repository);

    await fluxd.notifyImage(registry.host, "lost/cache");
    await fluxd.logged('info="refreshing image"');
    await memcached.stop();
    await fluxd.logged("memcached is unavailable");
    await tryInVain(fluxd, "lost/cache", failedReads);
    const listed = await fluxctl(fluxd, "list-images", "-w", "default:deployment/app");
    assert.match(listed.stdout, /image data not available/);
    assert.equal(linesWith(fluxd, `memcached at 127.0.0.1:${memcached.port}`).length, 1, fluxd.log);

    await memcached.start();
    await fluxd.notifyImage(registry.host, "lost/cache");
    await released(repository, `lost/cache:1.${manyTags - 1}.0`);
    assert.equal(linesWith(fluxd, 'info="memcached is back"').length, 1, fluxd.log);
    assert.match(await memcached.ask(recordOf("lost/cache")), /^VALUE .*"LastError":""/s);
  });

  it("of memcached at the start: done without until it comes, which then gets what is known", async () => {
    await push("late/cache", 2);
    await memcached.stop();
    await using repository = await workload("late/cache");
    await using fluxd = await start(repository);
    await synced(repository);

    await fluxd.logged(
      'warning="image metadata is kept in the memory of this process until memcached responds"',
    );
    await fluxd.notifyImage(registry.host, "late/cache");
    await released(repository, "late/cache:1.1.0");

    await memcached.start();
    await fluxd.logged('info="memcached responds; image metadata is kept there from now on" items=3');
    assert.match(await memcached.ask(recordOf("late/cache")), /^VALUE .*"1\.1\.0"/s);

    await push("late/cache", 3);
    await fluxd.notifyImage(registry.host, "late/cache");
    await released(repository, "late/cache:1.2.0");
    assert.match(await memcached.ask(recordOf("late/cache")), /^VALUE .*"1\.2\.0"/s);
  });

  /** Asks memcached for what is known of a repository. */
  function recordOf(image: string): string {
    return `get registryrepov4|${registry.host}/${image}\r\n`;
  }
});

function linesWith(fluxd: Fluxd, text: string): readonly string[] {
  return fluxd.log.split("\n").filter((line) => line.includes(text));
}
