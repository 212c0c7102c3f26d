import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { describeOnEachCluster, lacks, TempFolder, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../../../support/fluxd.ts";
import { deployment } from "../../../support/manifests.ts";
import { MemcachedServer } from "../../../support/registry-memcached.ts";
import { type PushTarget, pushImage } from "../../../support/registry-push.ts";
import { RegistryServer } from "../../../support/registry-server.ts";
import { TestRepository } from "../../../support/repository.ts";

const password = "U*U";
const login = Buffer.from(`me:${password}`).toString("base64");
/** The password, as bcrypt's own tests have it. */
const hash = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

describeOnEachCluster("images of workloads", (cluster) => {
  const skip = lacks("docker-registry") || lacks("memcached");
  const folder = new TempFolder();
  let registry: RegistryServer;
  let memcached: MemcachedServer;
  let target: PushTarget;

  before(async () => {
    if (!skip) {
      const htpasswd = { realm: "test", path: folder.write("htpasswd", `me:${hash}\n`) };
      registry = await RegistryServer.start({ config: { auth: { htpasswd } } });
      memcached = await MemcachedServer.start();
      target = { url: registry.url, headers: { authorization: `Basic ${login}` } };
    }
  });

  after(async () => {
    if (!skip) {
      await registry[Symbol.asyncDispose]();
      await memcached[Symbol.asyncDispose]();
    }
    folder[Symbol.dispose]();
  });

  it("are scanned with their pull secrets, and again when somebody says that there is a new one", {
    skip,
  }, async () => {
    await pushImage(target, { repository: "shop/web", tag: "1.0", created: "2020-01-01T00:00:00Z" });
    const name = `${registry.host}/shop/web`;
    await using repository = await TestRepository.create({
      "secret.yaml": pullSecret(registry.host),
      "web.yaml": `${deployment("scanned", `${name}:1.0`)}      imagePullSecrets:\n        - name: pull\n`,
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: [
        "--registry-disable-scanning=false",
        `--registry-insecure-host=${registry.host}`,
        "--registry-trace",
        "--memcached-service=",
        `--memcached-hostname=${memcached.host}`,
        `--memcached-port=${memcached.port}`,
      ],
    });
    await fluxd.synced(repository);

    await fluxd.notifyImage(registry.host, "shop/web");
    await until("the scanned tag", async () => (await images(fluxd)).includes("1.0"));
    await pushImage(target, { repository: "shop/web", tag: "1.1", created: "2020-01-02T00:00:00Z" });
    await fluxd.notifyImage(registry.host, "shop/web");
    await until("the new tag", async () => (await images(fluxd)).includes("1.1"));

    assert.match(
      await memcached.ask(`get registryrepov4|${name}\r\n`),
      /^VALUE .*\r\n.*"Tags":\["1\.\d","1\.\d"\]/s,
    );
    const metrics = await (await fetch(`${fluxd.baseUrl}/metrics`)).text();
    for (const sample of [
      'flux_client_fetch_duration_seconds_count{kind="tags",success="true"}',
      'flux_cache_request_duration_seconds_count{method="GetKey",success="false"}',
      'flux_registry_fetch_duration_seconds_count{success="true"}',
    ]) {
      assert.ok(metrics.includes(sample), sample);
    }
    assert.match(fluxd.log, /auth="<registry creds for me@127\.0\.0\.1:\d+, from default:secret\/pull>"/);
    assert.ok(![password, login].some((secret) => fluxd.log.includes(secret)), fluxd.log);
  });

  it("are kept in the process where there is no memcached, which is said", { skip }, async () => {
    await using repository = await TestRepository.create({ "secret.yaml": pullSecret(registry.host) });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: [
        "--registry-disable-scanning=false",
        "--memcached-service=",
        "--memcached-hostname=127.0.0.1",
        "--memcached-port=1",
      ],
    });

    await fluxd.logged(
      /component=memcached warning="image metadata is kept in the memory of this process until memcached responds" err="memcached at 127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
  });
});

function pullSecret(host: string): string {
  const config = JSON.stringify({ auths: { [host]: { auth: login } } });
  return `apiVersion: v1
kind: Secret
metadata:
  name: pull
  namespace: default
type: kubernetes.io/dockerconfigjson
data:
  .dockerconfigjson: ${Buffer.from(config).toString("base64")}
`;
}

async function images(fluxd: Fluxd): Promise<string> {
  return (await fluxctl(fluxd, "list-images", "-w", "default:deployment/scanned")).stdout;
}
