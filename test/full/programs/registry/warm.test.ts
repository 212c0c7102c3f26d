import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Reported, silentLogger, systemClock } from "@weir/base";
import {
  canonicalImageName,
  type ImageName,
  noCredentials,
  type RepositoryMetadata,
  unknownImageInfo,
} from "@weir/flux";
import { createTransport } from "@weir/http";
import { answer, FakeClock, lacks, RecordedLog } from "@weir/testing";
import { openEmbeddedCache } from "../../../../src/registry/cache/embedded.ts";
import type { CacheItem, CacheStore } from "../../../../src/registry/cache/store.ts";
import { openMemcached } from "../../../../src/registry/memcached/memcached.ts";
import { createCachedRegistry } from "../../../../src/registry/registry.ts";
import { Settled } from "../../../../src/registry/warm/settled.ts";
import { warmRepository } from "../../../../src/registry/warm/warm-repository.ts";
import { TestClients } from "../../../support/registry-clients.ts";
import { MemcachedServer } from "../../../support/registry-memcached.ts";
import { type PushedImage, pushImage, pushIndex } from "../../../support/registry-push.ts";
import { RegistryServer } from "../../../support/registry-server.ts";
import { serveRegistry } from "../../../support/registry-stand-in.ts";
import { CountingTransport } from "../../../support/registry-transport.ts";

const never = new AbortController().signal;
const minute = 60_000;
const hour = 60 * minute;

/** All that a pass needs, with a clock that is moved by hand. */
class Pass implements AsyncDisposable {
  readonly name: ImageName;
  readonly clock = new FakeClock();
  readonly log = new RecordedLog();
  readonly transport = new CountingTransport(createTransport({ connections: 10 }));
  readonly #clients = new TestClients({ transport: this.transport });
  readonly #told = new Reported();
  readonly #settled = new Settled();
  /** The keys that were read from the cache in the last pass. */
  reads: string[] = [];
  /** Those that were written. */
  writes: string[] = [];
  readonly #store: CacheStore;

  constructor(host: string, image: string, store?: CacheStore) {
    this.name = { domain: host, image };
    this.#store = store ?? openEmbeddedCache({ maxBytes: 1 << 20, clock: this.clock });
  }

  /** Goes over the repository; resolves to what was asked of the registry, and whether there was news. */
  async run(
    ...noticed: readonly string[]
  ): Promise<{ readonly news: boolean; readonly asked: readonly string[] }> {
    this.transport.asked = [];
    [this.reads, this.writes] = [[], []];
    const item = {
      name: this.name,
      repository: canonicalImageName(this.name),
      credentials: noCredentials,
    };
    const context = {
      clients: this.#clients,
      store: {
        get: (key: string) => {
          this.reads.push(key);
          return this.#store.get(key);
        },
        set: (key: string, value: CacheItem) => {
          this.writes.push(key);
          return this.#store.set(key, value);
        },
        close: () => this.#store.close(),
      },
      burst: 10,
      trace: false,
      clock: this.clock,
      logger: this.log,
      told: this.#told,
      noticed: new Set(noticed),
      settled: this.#settled,
    };
    const { news } = await warmRepository(item, context, never);
    const asked = this.transport.asked.filter((each) => each !== "GET /v2/");
    return { news, asked: asked.map((each) => each.replace(/sha256:\w+/, "<digest>")) };
  }

  metadata(): Promise<RepositoryMetadata> {
    const registry = createCachedRegistry({ store: this.#store, useLabels: [] });
    return registry.repositoryMetadata(this.name, never);
  }

  /** Leaves the store open. */
  async disconnect(): Promise<void> {
    await this.#clients[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnect();
    await this.#store.close();
  }
}

describe("a pass over a repository", { skip: lacks("docker-registry") }, () => {
  let registry: RegistryServer;

  before(async () => {
    registry = await RegistryServer.start();
  });

  after(() => registry[Symbol.asyncDispose]());

  async function push(repository: string, ...tags: readonly string[]): Promise<void> {
    for (const tag of tags) {
      const image: PushedImage = { repository, tag, created: "2020-01-01T00:00:00Z" };
      await pushImage(registry, image);
    }
  }

  it("reads all images the first time, and says so as Flux does", async () => {
    await push("first/app", "1", "2");
    await using pass = new Pass(registry.host, "first/app");

    const { news } = await pass.run();

    const { tags, images } = await pass.metadata();
    assert.equal(news, true);
    assert.deepEqual(
      [[...tags].sort(), [...images.keys()].sort()],
      [
        ["1", "2"],
        ["1", "2"],
      ],
    );
    assert.equal(images.get("1")?.createdAt, "2020-01-01T00:00:00Z");
    const image = `${registry.host}/first/app`;
    assert.deepEqual(pass.log.lines, [
      `info=refreshing image image=${image} tag_count=2 to_update=2 of_which_refresh=0 of_which_missing=2`,
      `updated=${image} successful=2 attempted=2`,
    ]);
  });

  it("keeps an image without a name for a tag whose configuration makes no sense, as Flux does", {
    skip: lacks("memcached"),
  }, async () => {
    await push("odd/app", "1");
    await pushImage(registry, { repository: "odd/app", tag: "2", created: "yesterday" });
    await using memcached = await MemcachedServer.start();
    const store = await openMemcached({
      findServers: () => Promise.resolve([memcached]),
      timeoutMs: 5_000,
      clock: systemClock,
      logger: silentLogger,
    });
    await using pass = new Pass(registry.host, "odd/app", store);

    await pass.run();

    const { tags, images } = await pass.metadata();
    const name = { domain: registry.host, image: "odd/app" };
    assert.deepEqual([...tags].sort(), ["1", "2"]);
    assert.equal(images.get("1")?.createdAt, "2020-01-01T00:00:00Z");
    assert.deepEqual(images.get("2"), unknownImageInfo({ ...name, tag: "", sha: "" }));
    const key = `registryhistoryv3|${registry.host}/odd/app|2`;
    assert.match(
      (await store.get(key))?.value ?? "",
      /^\{"ID":"","Labels":\{\},"LastFetched":"[0-9T:.-]+Z"\}$/,
    );
  });

  it("asks for the tags and nothing else while nothing changes", async () => {
    await push("quiet/app", "1", "2");
    await using pass = new Pass(registry.host, "quiet/app");
    await pass.run();

    const second = await pass.run();

    assert.deepEqual(second, { news: false, asked: ["GET /v2/quiet/app/tags/list"] });
  });

  it("reads only what is new", async () => {
    await push("new/app", "1");
    await using pass = new Pass(registry.host, "new/app");
    await pass.run();
    await push("new/app", "2");

    const second = await pass.run();

    assert.deepEqual(second, {
      news: true,
      asked: ["GET /v2/new/app/tags/list", "GET /v2/new/app/manifests/2", "GET /v2/new/app/blobs/<digest>"],
    });
    assert.equal((await pass.metadata()).images.size, 2);
  });

  it("looks at a tag again with a HEAD when its time has come, and reads it where it has moved", async () => {
    await push("moved/app", "1");
    await using pass = new Pass(registry.host, "moved/app");
    await pass.run();
    const looked = ["GET /v2/moved/app/tags/list", "HEAD /v2/moved/app/manifests/1"];

    await pass.clock.advance(hour + 1);
    assert.deepEqual(await pass.run(), { news: false, asked: looked });
    await pass.clock.advance(hour + 1);
    assert.deepEqual((await pass.run()).asked, looked.slice(0, 1), "what stays is looked at half as often");
    const moved = { repository: "moved/app", tag: "1", created: "2021-01-01T00:00:00Z" };
    const digest = await pushImage(registry, moved);
    await pass.clock.advance(hour + 1);

    assert.deepEqual(await pass.run(), {
      news: true,
      asked: [...looked, "GET /v2/moved/app/manifests/1", "GET /v2/moved/app/blobs/<digest>"],
    });
    const info = (await pass.metadata()).images.get("1");
    assert.deepEqual([info?.digest, info?.createdAt], [digest, "2021-01-01T00:00:00Z"]);
  });

  it("knows an index by its own digest", async () => {
    const repository = "index/app";
    await pushIndex(registry, { repository, tag: "1" }, [{ repository, tag: "amd" }]);
    await using pass = new Pass(registry.host, repository);
    await pass.run();
    await pass.clock.advance(hour + 1);

    const { asked } = await pass.run();

    assert.deepEqual(
      asked.filter((each) => each.startsWith("GET")),
      ["GET /v2/index/app/tags/list"],
    );
  });

  it("keeps a tag without an image, says so once, and does not hold up the others", async () => {
    await using broken = await serveRegistry(({ url = "" }, response) => {
      const isList = url.startsWith("/v2/app/tags/");
      if (isList) {
        answer(response, { status: 200, body: { tags: ["gone", "1"] } });
      }
      return isList;
    });
    await using pass = new Pass(broken.host, "app");

    await pass.run();
    await pass.run();

    const { tags, images } = await pass.metadata();
    assert.deepEqual([tags, [...images.keys()]], [["gone", "1"], ["1"]]);
    const warnings = pass.log.lines.filter((line) => line.startsWith("warn="));
    assert.deepEqual(warnings, [
      `warn=manifest for tag gone missing in repository ${broken.host}/app impact=flux will fail to auto-release workloads with matching images, ask the repository administrator to fix the inconsistency`,
    ]);
  });

  it("keeps what another process has read meanwhile when it fails", async () => {
    const store = openEmbeddedCache({ maxBytes: 1 << 20, clock: new FakeClock() });
    let isFirst = true;
    await using flaky = await serveRegistry(({ url = "" }, response) => {
      const fails = isFirst && url.startsWith("/v2/app/tags/");
      if (fails) {
        isFirst = false;
        void other.run().then(() => answer(response, { status: 403, body: {} }));
      }
      return fails;
    });
    await using pass = new Pass(flaky.host, "app", store);
    const other = new Pass(flaky.host, "app", store);

    await pass.run();

    const { tags, images, scanError = "" } = await pass.metadata();
    assert.deepEqual([tags, [...images.keys()]], [["1"], ["1"]]);
    assert.notEqual(scanError, "");
    await other.disconnect();
  });

  it("gives up on a registry that loses every image, and tells of some of them", async () => {
    const tags = Array.from({ length: 500 }, (_, index) => `t${index}`);
    await using broken = await serveRegistry(({ url = "" }, response) => {
      if (url.includes("/manifests/")) {
        response.destroy();
      } else if (url.startsWith("/v2/app/tags/")) {
        answer(response, { status: 200, body: { tags } });
      }
      return response.destroyed || response.writableEnded;
    });
    await using pass = new Pass(broken.host, "app");

    const { asked } = await pass.run();

    assert.ok(asked.length < 100, `${asked.length} requests`);
    assert.ok(pass.log.lines.length < 10, pass.log.lines.join("\n"));
    assert.ok(
      pass.log.lines.some((line) => /^err=.*app:t\d+: .* ref=.*app:t\d+ others=\d+$/.test(line)),
      pass.log.lines.join("\n"),
    );
    assert.ok(
      pass.log.lines.includes(
        "warn=aborting image tag fetching because the registry doesn't respond, will try again later",
      ),
    );
    await assert.rejects(pass.metadata(), /last error: .*app:t\d+: /);
  });

  it("stops where the registry says that it is too much, keeps what it has, and goes on in the next pass", async () => {
    let left = 5;
    const tags = Array.from({ length: 40 }, (_, index) => `t${index}`);
    await using busy = await serveRegistry((request, response) => {
      const { url = "" } = request;
      if (url.startsWith("/v2/app/tags/")) {
        answer(response, { status: 200, body: { tags } });
      } else if (url.includes("/manifests/")) {
        left -= 1;
        if (left < 0) {
          answer(response, {
            status: 429,
            body: { errors: [{ code: "TOOMANYREQUESTS", message: "slow down" }] },
          });
        } else {
          request.url = "/v2/app/manifests/1";
        }
      }
      return response.writableEnded;
    });
    await using pass = new Pass(busy.host, "app");

    const first = await pass.run();
    left = Infinity;
    const second = await pass.run();

    assert.ok(first.asked.filter((each) => each.includes("manifests")).length < 30);
    assert.equal(second.asked.filter((each) => each.includes("manifests")).length, 35);
    assert.equal((await pass.metadata()).images.size, 40);
    assert.ok(
      pass.log.lines.includes("warn=aborting image tag fetching due to rate limiting, will try again later"),
    );
  });

  it("keeps what is known while the registry is away, and goes on when it is back", async () => {
    await using other = await RegistryServer.start();
    await pushImage(other, { repository: "away/app", tag: "1" });
    await using pass = new Pass(other.host, "away/app");
    await pass.run();

    await other.stop();
    assert.equal((await pass.run()).news, false);
    assert.equal((await pass.metadata()).images.size, 1);

    await other.start();
    await pushImage(other, { repository: "away/app", tag: "2" });
    assert.equal((await pass.run()).news, true);
    assert.equal((await pass.metadata()).images.size, 2);
  });

  it("asks nothing of the registry while memcached is away, says so once, and fills it when it is back", {
    skip: lacks("memcached"),
  }, async () => {
    await push("cold/app", "1", "2");
    await using memcached = await MemcachedServer.start();
    const log = new RecordedLog();
    const store = await openMemcached({
      findServers: () => Promise.resolve([memcached]),
      timeoutMs: 5_000,
      clock: systemClock,
      logger: log,
    });
    await using pass = new Pass(registry.host, "cold/app", store);
    await pass.run();
    const before = pass.log.lines.length;

    await memcached.stop();
    assert.deepEqual([await pass.run(), await pass.run()], Array(2).fill({ news: false, asked: [] }));
    assert.equal(pass.log.lines.length, before);
    assert.equal(log.lines.length, 1);
    assert.match(log.lines[0] ?? "", /^warning=memcached is unavailable; .* err=memcached at 127/);
    await assert.rejects(pass.metadata(), /memcached at 127/);

    await memcached.start();
    assert.equal((await pass.run()).news, true);
    assert.deepEqual(log.lines.slice(1), [`info=memcached is back server=127.0.0.1:${memcached.port}`]);
    assert.equal((await pass.metadata()).images.size, 2);
  });
});
