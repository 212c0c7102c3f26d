/**
 * What scanning images costs: 20 repositories of 200 tags from a registry on this machine into memcached, without
 * limits, beside the same manifests and configurations by bare parallel GETs and through docker-registry-client; then a
 * round in which nothing has changed. `node bench/registry.ts`, or with another number of repositories and tags, as `node bench/registry.ts 100
 * 1000`. The repositories hold the same images under names of their own. Asserts nothing.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { Pool } from "undici";
import { MemcachedServer } from "../test/support/registry-memcached.ts";
import { pushImage } from "../test/support/registry-push.ts";
import { RegistryServer } from "../test/support/registry-server.ts";
import { eachInParallel } from "./support/each-in-parallel.ts";
import type { ScanResult } from "./support/scan-result.ts";
import { note, printTable, row } from "./support/table.ts";

const run = promisify(execFile);
const [repositories = 20, tags = 200] = process.argv.slice(2).map(Number);
const connections = 10;
/** Of many images one run says enough. */
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
    note("its requests, two of which look for the registry, with TLS and without", warm.requests, ""),
    note("peak memory of its process", warm.peakMiB, "MiB"),
  ]),
);

/** The first repository is pushed to; the others are the same by other names, or it would take an hour. */
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

/** All manifests and configurations, over as many connections as a scan has, and nothing made of them but digests. */
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

/** A program of support/ in a process of its own, with Node's options as fluxd has them. */
async function runProgram(program: string, args: readonly string[]): Promise<ScanResult> {
  const file = join(import.meta.dirname, "support", program);
  const { stdout } = await run(process.execPath, ["--max-semi-space-size=4", file, ...args]);
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
