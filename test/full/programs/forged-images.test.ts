import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { describeOnEachCluster, lacks, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../../support/fluxd.ts";
import { Forger } from "../../support/forger.ts";
import { automatedDeployment } from "../../support/manifests.ts";
import { MemcachedServer } from "../../support/registry-memcached.ts";
import { pushImage } from "../../support/registry-push.ts";
import { RegistryServer } from "../../support/registry-server.ts";
import { TestRepository } from "../../support/repository.ts";

const unconfirmed = "the registry and the cached metadata disagree about the newest image";

describeOnEachCluster("forged records in memcached", (cluster) => {
  const skip = lacks("docker-registry") || lacks("memcached");
  let registry: RegistryServer;
  let memcached: MemcachedServer;
  let forger: Forger;
  before(async () => {
    if (!skip) {
      registry = await RegistryServer.start();
      memcached = await MemcachedServer.start();
      forger = await Forger.start(memcached);
    }
  });
  after(async () => {
    if (!skip) {
      await forger[Symbol.asyncDispose]();
      await memcached[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
    }
  });

  async function push(repository: string, days: Readonly<Record<string, number>>): Promise<string> {
    for (const [tag, day] of Object.entries(days)) {
      const created = `2020-06-0${day}T08:00:00Z`;
      await pushImage({ url: registry.url }, { repository, tag, created });
    }
    return `${registry.host}/${repository}`;
  }

  async function start(repository: TestRepository): Promise<Fluxd> {
    const fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: [
        "--registry-disable-scanning=false",
        "--automation-interval=200ms",
        "--registry-insecure-host=127.0.0.1",
        "--memcached-service=",
        "--memcached-hostname=127.0.0.1",
        `--memcached-port=${memcached.port}`,
      ],
    });
    await fluxd.synced(repository);
    return fluxd;
  }

  it("release nothing while there is no registry, which is said once", { skip }, async () => {
    const name = "127.0.0.1:1/forged/away";
    await forger.forge(name, { "1.0.0": 1, "9.9.9": 2 });
    await using repository = await TestRepository.create({
      "glob.yaml": automatedDeployment("forged-glob", `${name}:1.0.0`, "glob:*"),
      "semver.yaml": automatedDeployment("forged-semver", `${name}:1.0.0`, "semver:*"),
    });
    const head = await repository.upstream("rev-parse", "master");
    await using fluxd = await start(repository);

    const warning = "cannot verify cached image metadata with the registry";
    await fluxd.logged(new RegExp(`warning="${warning}[^"]*" image=${name} err=".*ECONNREFUSED`));
    const before = fluxd.log.length;
    await until("three more looks", () => polls(fluxd.log.slice(before)) >= 3);

    assert.equal(fluxd.log.split(warning).length, 2);
    assert.equal(await repository.upstream("rev-parse", "master"), head);
    const release = await fluxctl(fluxd, "release", "--all", "--update-all-images", "--dry-run", "-vv");
    assert.match(release.stderr + release.stdout, /not confirmed by the registry: \S+:9\.9\.9/);
    assert.equal(await repository.upstream("rev-parse", "master"), head);
  });

  it("release no image that the registry has not got", { skip }, async () => {
    const name = await push("forged/absent", { "1.0.0": 1 });
    await using repository = await TestRepository.create({
      "absent.yaml": automatedDeployment("forged-absent", `${name}:1.0.0`, "semver:*"),
    });
    const head = await repository.upstream("rev-parse", "master");
    await using fluxd = await start(repository);
    await fluxd.notifyImage(registry.host, name.slice(name.indexOf("/") + 1));
    await until("the scan", async () => (await forger.dayOf(name, "1.0.0")) === 1);

    await forger.forge(name, { "1.0.0": 1, "9.9.9": 2 });
    await fluxd.logged(new RegExp(`warning="${unconfirmed}[^"]*" known=${name}:9\\.9\\.9`));
    await until("a new scan", async () => (await forger.dayOf(name, "9.9.9")) === undefined);

    assert.equal(await repository.upstream("rev-parse", "master"), head);
  });

  it("release no older image for a time that is not its own, and are mended", { skip }, async () => {
    const name = await push("forged/older", { "1.0": 1, "1.1": 2 });
    await using repository = await TestRepository.create({
      "older.yaml": automatedDeployment("forged-older", `${name}:1.1`, "glob:*"),
    });
    const head = await repository.upstream("rev-parse", "master");
    await using fluxd = await start(repository);
    await fluxd.notifyImage(registry.host, name.slice(name.indexOf("/") + 1));
    await until("the scan", async () => (await forger.dayOf(name, "1.1")) === 2);

    await forger.forge(name, { "1.0": 9, "1.1": 2 });
    await fluxd.logged(new RegExp(`warning="${unconfirmed}[^"]*" known=${name}:1\\.0`));
    await until("a new scan", async () => (await forger.dayOf(name, "1.0")) === 1);

    assert.equal(await repository.upstream("rev-parse", "master"), head);
  });

  it("release no older image for tags that are left out", { skip }, async () => {
    const name = await push("forged/hidden", { "1.0.0": 1, "2.0.0": 2 });
    await using repository = await TestRepository.create({
      "hidden.yaml": automatedDeployment("forged-hidden", `${name}:2.0.0`, "semver:*"),
    });
    const head = await repository.upstream("rev-parse", "master");
    await using fluxd = await start(repository);
    await fluxd.notifyImage(registry.host, name.slice(name.indexOf("/") + 1));
    await until("the scan", async () => (await forger.dayOf(name, "2.0.0")) === 2);

    await forger.forge(name, { "1.0.0": 1 });
    await fluxd.logged(new RegExp(`warning="${unconfirmed}[^"]*" known=${name}:1\\.0\\.0`));
    await until("a new scan", async () => (await forger.dayOf(name, "2.0.0")) === 2);

    assert.equal(await repository.upstream("rev-parse", "master"), head);
  });

  it("do not keep what the registry confirms from being released", { skip }, async () => {
    const name = await push("forged/true", { "1.0": 1, "1.1": 2 });
    await using repository = await TestRepository.create({
      "true.yaml": automatedDeployment("forged-true", `${name}:1.0`, "glob:*"),
    });
    await using fluxd = await start(repository);
    await fluxd.notifyImage(registry.host, name.slice(name.indexOf("/") + 1));

    await until("the release", async () =>
      (await repository.upstream("show", "master:true.yaml")).includes(`${name}:1.1`),
    );
    assert.ok(!fluxd.log.includes(unconfirmed), fluxd.log);
  });
});

function polls(log: string): number {
  return log.split("polling for new images").length - 1;
}
