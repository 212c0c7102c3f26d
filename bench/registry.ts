/**
 * What scanning images costs: 20 repositories of 200 tags from a registry on this machine into memcached, without
 * limits, beside bare parallel GETs of the same manifests and configurations; then a round in which nothing has
 * changed. `node bench/registry.ts`, or with another number of repositories and tags. Asserts nothing.
 */
import { Pool } from "undici";
import { systemClock } from "../src/base/clock.ts";
import { silentLogger } from "../src/base/logger.ts";
import { noCredentials } from "../src/image/credentials.ts";
import type { HttpTransport } from "../src/registry/http/transport.ts";
import { createTransport } from "../src/registry/http/undici-transport.ts";
import { HttpRegistryClients } from "../src/registry/http-client.ts";
import { openMemcached } from "../src/registry/memcached/memcached.ts";
import { Warmer } from "../src/registry/warm/warmer.ts";
import { MemcachedServer } from "../test/support/registry-memcached.ts";
import { pushImage } from "../test/support/registry-push.ts";
import { RegistryServer } from "../test/support/registry-server.ts";
import { note, printTable, row } from "./support/table.ts";

const [repositories = 20, tags = 200] = process.argv.slice(2).map(Number);
const connections = 10;
const runs = 5;
const manifestType = "application/vnd.docker.distribution.manifest.v2+json";

await using registry = await RegistryServer.start();
await using memcached = await MemcachedServer.start();
const names = Array.from({ length: repositories }, (_, index) => `bench/app-${index}`);
await fillRegistry();

const bare: number[] = [];
const scans: number[] = [];
const polls: number[] = [];
let requests = 0;
await timeBareGets();
for (let run = 0; run < runs; run += 1) {
  bare.push(await timeBareGets());
  await memcached.ask("flush_all\r\n");
  scans.push((await timeRound(repositories)).seconds);
  const poll = await timeRound(0);
  polls.push(poll.seconds);
  requests = poll.requests;
}

const peer = median(bare);
console.log(
  printTable(`${repositories} repositories of ${tags} tags`, [
    note("bare parallel GETs of the same manifests and configurations", peer, "s"),
    row("scan into an empty cache", median(scans), peer * 1.3, "s"),
    note("its share of the bare GETs", median(scans) / peer, "×"),
    note("a round without changes", median(polls), "s"),
    note("requests of that round, two of which look for the registry, with TLS and without", requests, ""),
  ]),
);

async function fillRegistry(): Promise<void> {
  const created = new Date(0).toISOString();
  for (const repository of names) {
    await eachInParallel(tagNames(), async (tag) => {
      await pushImage(registry, { repository, tag, created });
    });
  }
}

function tagNames(): readonly string[] {
  return Array.from({ length: tags }, (_, index) => `v1.${index}.0`);
}

/** All manifests and configurations, over as many connections as a scan has, and nothing made of them but digests. */
async function timeBareGets(): Promise<number> {
  const pool = new Pool(registry.url, { connections });
  const images = names.flatMap((name) => tagNames().map((tag) => ({ name, tag })));
  const start = performance.now();
  await eachInParallel(images, async ({ name, tag }) => {
    const manifest = await get(pool, `/v2/${name}/manifests/${tag}`);
    const { config } = JSON.parse(manifest) as { config: { digest: string } };
    await get(pool, `/v2/${name}/blobs/${config.digest}`);
  });
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  return seconds;
}

async function get(pool: Pool, path: string): Promise<string> {
  const { body } = await pool.request({ method: "GET", path, headers: { accept: manifestType } });
  return body.text();
}

/** One round of the warmer, until so many repositories have news; without news, until all were gone over. */
async function timeRound(news: number): Promise<{ readonly seconds: number; readonly requests: number }> {
  const transport = counting(createTransport({ connections }));
  const store = await openMemcached({
    findServers: () => Promise.resolve([memcached]),
    timeoutMs: 5_000,
    clock: systemClock,
    logger: silentLogger,
  });
  let heard = 0;
  const done = Promise.withResolvers<undefined>();
  const images = new Map(names.map((name) => [`${registry.host}/${name}`, noCredentials]));
  let gone = 0;
  const counted: typeof store = {
    ...store,
    get: (key) => store.get(key),
    close: () => store.close(),
    set: async (key, item) => {
      await store.set(key, item);
      gone += key.startsWith("registryrepo") ? 1 : 0;
      if (gone === repositories && news === 0) {
        done.resolve(undefined);
      }
    },
  };
  const warmer = new Warmer({
    images: { imageCredentials: () => Promise.resolve(images) },
    clients: new HttpRegistryClients({
      limits: { rps: Infinity, burst: connections },
      userAgent: "weir-bench",
      trace: false,
      transport,
      clock: systemClock,
      logger: silentLogger,
      insecureHosts: [registry.host],
    }),
    store: counted,
    burst: connections,
    trace: false,
    clock: systemClock,
    logger: silentLogger,
    onNewImages: () => {
      heard += 1;
      if (heard === news) {
        done.resolve(undefined);
      }
    },
  });
  const start = performance.now();
  warmer.start();
  await done.promise;
  const seconds = (performance.now() - start) / 1000;
  await warmer.stop();
  await store.close();
  await transport.close();
  return { seconds, requests: transport.count() };
}

function counting(transport: HttpTransport): HttpTransport & { count(): number } {
  let count = 0;
  return {
    send(request) {
      count += 1;
      return transport.send(request);
    },
    close: () => transport.close(),
    count: () => count,
  };
}

async function eachInParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const item of queue) {
        await work(item);
      }
    }),
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
