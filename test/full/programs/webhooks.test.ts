import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, it } from "node:test";
import { describeOnEachCluster, freePort, lacks, TempFolder, until } from "@weir/testing";
import { Fluxd } from "../../support/fluxd.ts";
import { automatedDeployment, deployment } from "../../support/manifests.ts";
import { pushImage } from "../../support/registry-push.ts";
import { RegistryServer } from "../../support/registry-server.ts";
import { TestRepository } from "../../support/repository.ts";
import { hmac } from "../../support/webhooks.ts";

const keys = {
  Generic: "canary-generic-9d1c2f0b7a",
  GitHub: "canary-github-5e0a7c3d19",
  Distribution: "canary-registry-77b0f4a2c8",
  Quay: "canary-quay-0c6d8e1f35",
} as const;

describeOnEachCluster("webhooks", (cluster) => {
  const skip = lacks("docker-registry");
  const folder = new TempFolder();
  let hooks = "";
  let registry: RegistryServer;

  before(async () => {
    if (skip) {
      return;
    }
    hooks = `127.0.0.1:${await freePort()}`;
    registry = await RegistryServer.start({
      config: {
        notifications: {
          endpoints: [
            {
              name: "weir",
              url: urlOf("Distribution"),
              headers: { Authorization: [`Bearer ${keys.Distribution}`] },
              timeout: "1s",
              threshold: 5,
              backoff: "100ms",
            },
          ],
        },
      },
    });
  });

  after(async () => {
    folder[Symbol.dispose]();
    if (!skip) {
      await registry[Symbol.asyncDispose]();
    }
  });

  function urlOf(source: keyof typeof keys): string {
    return `http://${hooks}/hook/${createHash("sha256").update(keys[source]).digest("hex")}`;
  }

  async function push(repository: string, tag: string, day: number): Promise<string> {
    const created = `2020-06-${String(day).padStart(2, "0")}T08:00:00Z`;
    await pushImage({ url: registry.url }, { repository, tag, created });
    return `${registry.host}/${repository}`;
  }

  /** Every interval is far longer than a test: only what it is told makes it act. */
  async function start(
    repository: TestRepository,
    ...sources: readonly (keyof typeof keys)[]
  ): Promise<Fluxd> {
    const endpoints = sources.map((source) => {
      folder.write(`${source}.key`, keys[source]);
      return { source, keyPath: `${source}.key` };
    });
    const config = folder.write("fluxrecv.yaml", JSON.stringify({ fluxRecvVersion: 1, endpoints }));
    const fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: [
        "--registry-disable-scanning=false",
        `--registry-insecure-host=${registry.host}`,
        "--memcached-service=",
        "--memcached-hostname=",
        `--listen-webhooks=${hooks}`,
        `--webhooks-config=${config}`,
      ],
    });
    await using unless = new AsyncDisposableStack();
    unless.use(fluxd);
    await fluxd.synced(repository);
    await fluxd.logged(/ component=webhooks addr=/);
    unless.move();
    return fluxd;
  }

  /** Resolves when what the registry holds of an image is known; a scan need not be waited for. */
  async function scanned(fluxd: Fluxd, repository: string, count: number): Promise<void> {
    await fluxd.notifyImage(registry.host, repository);
    await fluxd.logged(`updated=${registry.host}/${repository} successful=${count}`);
  }

  async function send(
    source: keyof typeof keys,
    payload: object,
    headers: Readonly<Record<string, string>>,
  ): Promise<number> {
    return (await fetch(urlOf(source), { method: "POST", body: JSON.stringify(payload), headers })).status;
  }

  function signed(payload: object, key: string): string {
    return `sha256=${hmac("sha256", JSON.stringify(payload), Buffer.from(key))}`;
  }

  async function counted(fluxd: Fluxd, source: string, outcome: string): Promise<number> {
    const text = await (await fetch(`${fluxd.baseUrl}/metrics`)).text();
    const line = `weir_webhook_requests_total{source="${source}",outcome="${outcome}"} `;
    return Number(
      text
        .split("\n")
        .find((each) => each.startsWith(line))
        ?.slice(line.length) ?? 0,
    );
  }

  it("have a pushed image released at once, and a forged one changes nothing", { skip }, async () => {
    const name = await push("hooks/web", "1.0", 1);
    await using repository = await TestRepository.create({
      "web.yaml": automatedDeployment("hooks-web", `${name}:1.0`, "glob:1.*"),
    });
    await using fluxd = await start(repository, "Generic");
    await scanned(fluxd, "hooks/web", 1);
    const head = await repository.upstream("rev-parse", "master");
    await push("hooks/web", "1.1", 2);
    const payload = { image: `${name}:1.1` };
    const scans = fluxd.log.split("priority=").length;

    for (const headers of [{}, { "X-Signature": signed(payload, "another key") }]) {
      assert.equal(await send("Generic", payload, headers), 401);
    }
    assert.equal(await repository.upstream("rev-parse", "master"), head);
    assert.equal(fluxd.log.split("priority=").length, scans, "the registry was not even asked");
    assert.equal(await send("Generic", payload, { "X-Signature": signed(payload, keys.Generic) }), 200);

    await until("the commit", async () => (await fileOf(repository, "web.yaml")).includes(`${name}:1.1`));
    assert.match(
      await repository.upstream("log", "-1", "--format=%B", "master"),
      new RegExp(`^Auto-release ${name}:1\\.1`),
    );
    assert.deepEqual(
      [await counted(fluxd, "Generic", "unauthorized"), await counted(fluxd, "Generic", "accepted")],
      [2, 1],
    );
    assert.doesNotMatch(fluxd.log, /canary/);
  });

  it("have an image released that was pushed anew under its tag long before that is due to be looked at", {
    skip,
  }, async () => {
    const name = await push("hooks/moved", "1.0", 3);
    await push("hooks/moved", "1.1", 1);
    await using repository = await TestRepository.create({
      "moved.yaml": automatedDeployment("hooks-moved", `${name}:1.0`, "glob:1.*"),
    });
    await using fluxd = await start(repository, "Quay");
    await scanned(fluxd, "hooks/moved", 2);
    await push("hooks/moved", "1.1", 5);

    assert.equal(await send("Quay", { docker_url: name, updated_tags: ["1.1"] }, {}), 200);

    await until("the commit", async () => (await fileOf(repository, "moved.yaml")).includes(`${name}:1.1`));
  });

  it("are understood as the registry itself sends them", { skip }, async () => {
    const name = await push("hooks/real", "1.0", 1);
    await using repository = await TestRepository.create({
      "real.yaml": automatedDeployment("hooks-real", `${name}:1.0`, "glob:1.*"),
    });
    await using fluxd = await start(repository, "Distribution");
    await scanned(fluxd, "hooks/real", 1);

    await push("hooks/real", "1.1", 2);

    await until("the commit", async () => (await fileOf(repository, "real.yaml")).includes(`${name}:1.1`));
    assert.ok((await counted(fluxd, "Distribution", "accepted")) > 0);
    assert.equal(await counted(fluxd, "Distribution", "unauthorized"), 0);
    assert.doesNotMatch(fluxd.log, /canary/);
  });

  it("have a pushed commit synced at once", { skip }, async () => {
    await using repository = await TestRepository.create({ "a.yaml": deployment("hooks-git", "nginx:1") });
    await using fluxd = await start(repository, "GitHub");
    const revision = await repository.push({ "a.yaml": deployment("hooks-git", "nginx:2") }, "a change");
    const payload = { ref: "refs/heads/master", repository: { ssh_url: repository.url } };

    const status = await send("GitHub", payload, {
      "X-GitHub-Event": "push",
      "X-Hub-Signature-256": signed(payload, keys.GitHub),
      "Content-Type": "application/json",
    });

    assert.equal(status, 200);
    await until("the sync", async () => (await repository.synced()) === revision);
    assert.doesNotMatch(fluxd.log, /canary/);
  });
});

function fileOf(repository: TestRepository, path: string): Promise<string> {
  return repository.upstream("show", `master:${path}`);
}
