/**
 * Measures scanning images: 20 repositories with 200 tags from a local registry into memcached, without rate
 * limits, compared with plain parallel GETs of the same manifests and configurations and with
 * docker-registry-client; then a round without changes. `node dev/bench/registry.ts`, or with other numbers of
 * repositories and tags, such as `node dev/bench/registry.ts 100 1000`. The repositories contain the same images
 * under different names. Asserts nothing.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { Pool } from "undici";
import { nodeOptions } from "../../scripts/build/node-options.ts";
import { MemcachedServer } from "../../test/support/registry-memcached.ts";
import { pushImage } from "../../test/support/registry-push.ts";
import { RegistryServer } from "../../test/support/registry-server.ts";
import { eachInParallel } from "./support/each-in-parallel.ts";
import type { ScanResult } from "./support/scan-result.ts";
import { note, printTable, row } from "./support/table.ts";

const run = promisify(execFile);
const [repositories = 20, tags = 200] = process.argv.slice(2).map(Number);
const connections = 10;
/** With many images, one run is enough. */
const runs = repositories * tags > 10_000 ? 1 : 5;
const manifestType = "application/vnd.docker.distribution.manifest.v2+json";

await using registry = await RegistryServer.start();
await using memcached = await MemcachedServer.start({ megabytes: 512, itemMegabytes: 8 });
const names = Array.from({ length: repositories }, (_, index) => `bench/app-${index}`);
await fillRegistry();

const bare: number[] = [];
const peers: ScanResult[] = [];
const scans: ScanResult[] = [];
const polls: ScanResult[] = [];
if (runs > 1) {
  await timeBareGets();
}
for (let count = 0; count < runs; count += 1) {
  bare.push(await timeBareGets());
  peers.push(await runProgram("peer-scan.ts", [registry.url, ...names]));
  await memcached.ask("flush_all\r\n");
  scans.push(await scan());
  polls.push(await scan());
}

const least = median(bare);
const [peer, cold, warm] = [medianOf(peers), medianOf(scans), medianOf(polls)];
console.log(
  printTable(`${repositories} repositories of ${tags} tags`, [
    note("bare parallel GETs of the same manifests and configurations", least, "s"),
    note("the same through docker-registry-client", peer.seconds, "s"),
    note("its share of the bare GETs", peer.seconds / least, "×"),
    note("its requests", peer.requests, ""),
    note("peak memory of its process", peer.peakMiB, "MiB"),
    row("scan into an empty cache", { measured: cold.seconds, limit: least * 1.3, unit: "s" }),
    note("its share of the bare GETs", cold.seconds / least, "×"),
    note("its requests", cold.requests, ""),
    note("peak memory of its process", cold.peakMiB, "MiB"),
    note("a round without changes", warm.seconds, "s"),
    note("its requests, two of which probe the registry, with and without TLS", warm.requests, ""),
    note("peak memory of its process", warm.peakMiB, "MiB"),
  ]),
);

/**
 * Only the first repository is pushed; the others are aliases for it, because pushing all of them would take an
 * hour.
 */
async function fillRegistry(): Promise<void> {
  const [first = "", ...others] = names;
  const created = new Date(0).toISOString();
  await eachInParallel(tagNames(), connections, async (tag) => {
    await pushImage(registry, { repository: first, tag, created });
  });
  registry.alias(first, others);
}

function tagNames(): readonly string[] {
  return Array.from({ length: tags }, (_, index) => `v1.${index}.0`);
}

/**
 * Fetches all manifests and configurations, with as many connections as a scan, and only computes digests.
 */
async function timeBareGets(): Promise<number> {
  const pool = new Pool(registry.url, { connections });
  const images = names.flatMap((name) => tagNames().map((tag) => ({ name, tag })));
  const start = performance.now();
  await eachInParallel(images, connections, async ({ name, tag }) => {
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

/** One round of the warmer over all repositories. */
function scan(): Promise<ScanResult> {
  return runProgram("scan.ts", [registry.host, String(memcached.port), ...names]);
}

/** Runs a program of support/ in a separate process, with the same Node.js options as fluxd. */
async function runProgram(program: string, args: readonly string[]): Promise<ScanResult> {
  const file = join(import.meta.dirname, "support", program);
  const { stdout } = await run(process.execPath, [...nodeOptions.fluxd, file, ...args]);
  return JSON.parse(stdout) as ScanResult;
}

function medianOf(results: readonly ScanResult[]): ScanResult {
  return {
    seconds: median(results.map(({ seconds }) => seconds)),
    requests: median(results.map(({ requests }) => requests)),
    peakMiB: median(results.map(({ peakMiB }) => peakMiB)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
