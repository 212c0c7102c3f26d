/**
 * Runs one round of the warmer in a separate process, so that its memory can be measured: `node
 * dev/bench/support/scan.ts <host> <memcached port> <repository>…`. Prints a ScanResult as JSON when all
 * repositories are done.
 */
import { silentLogger, systemClock } from "@weir/base";
import { noCredentials } from "@weir/flux";
import type { HttpTransport } from "@weir/http";
import { createTransport } from "@weir/http";
import type { CacheStore } from "../../../src/registry/cache/store.ts";
import { HttpRegistryClients } from "../../../src/registry/http-client.ts";
import { openMemcached } from "../../../src/registry/memcached/memcached.ts";
import { Warmer } from "../../../src/registry/warm/warmer.ts";
import type { ScanResult } from "./scan-result.ts";

const connections = 10;
const [host = "", port = "", ...names] = process.argv.slice(2);

let requests = 0;
let gone = 0;
const done = Promise.withResolvers<undefined>();
const transport = countRequests(createTransport({ connections }));
const store = await openMemcached({
  findServers: () => Promise.resolve([{ host: "127.0.0.1", port: Number(port) }]),
  timeoutMs: 5_000,
  clock: systemClock,
  logger: silentLogger,
});
const images = new Map(names.map((name) => [`${host}/${name}`, noCredentials]));
const warmer = new Warmer({
  images: { imageCredentials: () => Promise.resolve(images) },
  clients: new HttpRegistryClients({
    limits: { rps: Infinity, burst: connections },
    userAgent: "weir-bench",
    trace: false,
    transport,
    clock: systemClock,
    logger: silentLogger,
    insecureHosts: [host],
  }),
  store: countRepositories(store),
  burst: connections,
  trace: false,
  clock: systemClock,
  logger: silentLogger,
  onNewImages: () => undefined,
  metrics: { countScan: () => undefined, setRepositories: () => undefined },
});
const start = performance.now();
warmer.start();
await done.promise;
const seconds = (performance.now() - start) / 1000;
await warmer.stop();
await store.close();
await transport.close();
const result: ScanResult = { seconds, requests, peakMiB: process.resourceUsage().maxRSS / 1024 };
console.log(JSON.stringify(result));

function countRequests(next: HttpTransport): HttpTransport {
  return {
    send(request) {
      requests += 1;
      return next.send(request);
    },
    close: () => next.close(),
  };
}

/** The record of a repository is written last. */
function countRepositories(next: CacheStore): CacheStore {
  return {
    get: (key) => next.get(key),
    close: () => next.close(),
    async set(key, item) {
      await next.set(key, item);
      gone += key.startsWith("registryrepo") ? 1 : 0;
      if (gone === names.length) {
        done.resolve(undefined);
      }
    },
  };
}
