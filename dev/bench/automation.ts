/**
 * Measures how long automation takes to decide: reads the metadata of 100 repositories with 1,000 tags each
 * from memcached, and applies it to 1,000 automated workloads with all types of patterns. `node
 * dev/bench/automation.ts`, or with other numbers of repositories, tags, and workloads. Asserts nothing.
 */
import { createHash } from "node:crypto";
import { silentLogger, systemClock } from "@weir/base";
import {
  distinctRepositories,
  findUpdates,
  type ImageInfo,
  type ImageName,
  makeResourceId,
  type PolicySet,
  tagPolicyOf,
  timestampOf,
  type Workload,
} from "@weir/flux";
import { fetchImageRepositories } from "../../src/daemon/image-repositories.ts";
import { openMemcached } from "../../src/registry/memcached/memcached.ts";
import { createCachedRegistry } from "../../src/registry/registry.ts";
import { RepositoryCache } from "../../src/registry/warm/repository-cache.ts";
import { MemcachedServer } from "../../test/support/registry-memcached.ts";
import { note, printTable } from "./support/table.ts";

const [repositories = 100, tags = 1_000, workloads = 1_000] = process.argv.slice(2).map(Number);
const runs = 5;
const hourMs = 3_600_000;
const patterns = ["glob:*", "semver:~1", "regexp:^v1\\.\\d+\\.0$", "glob:v1.9*"];
const never = new AbortController().signal;

await using memcached = await MemcachedServer.start({ megabytes: 512, itemMegabytes: 8 });
const store = await openMemcached({
  findServers: () => Promise.resolve([memcached]),
  timeoutMs: 5_000,
  clock: systemClock,
  logger: silentLogger,
});
for (let index = 0; index < repositories; index += 1) {
  await keepRepository(repositoryName(index));
}
const running = Array.from({ length: workloads }, (_, index) => workloadOf(index));
const images = createCachedRegistry({ store, useLabels: [] });

const reads: number[] = [];
const decisions: number[] = [];
const cpu: number[] = [];
let updates = 0;
for (let run = 0; run < runs; run += 1) {
  const [start, used] = [performance.now(), process.cpuUsage()];
  const names = distinctRepositories(
    running.flatMap(({ containers }) => containers.map((each) => each.image)),
  );
  const known = await fetchImageRepositories(names, images, silentLogger, never);
  const read = performance.now();
  const policiesById = new Map(running.map(({ id, policies }) => [id, policies]));
  updates = findUpdates(running, (id) => policiesById.get(id) ?? {}, known).length;
  reads.push(read - start);
  decisions.push(performance.now() - read);
  const { user, system } = process.cpuUsage(used);
  cpu.push((user + system) / 1000);
}
await store.close();
console.log(
  printTable(`${workloads} automated workloads, ${repositories} repositories of ${tags} tags`, [
    note("reading the metadata from memcached", median(reads), "ms"),
    note("making the decisions", median(decisions), "ms"),
    note("CPU time of both, including concurrent garbage collection", median(cpu), "ms"),
    note("updates found", updates, ""),
  ]),
);

function repositoryName(index: number): ImageName {
  return { domain: "registry.example.test", image: `team/app-${index}` };
}

async function keepRepository(name: ImageName): Promise<void> {
  const all = Array.from({ length: tags }, (_, index) => imageOf(name, index));
  const now = timestampOf(new Date());
  const record = {
    tags: all.map(({ ref }) => ref.tag),
    images: new Map(all.map((info) => [info.ref.tag, info])),
    lastError: "",
    lastUpdate: now,
  };
  await new RepositoryCache(store, name).setRecord(record, Date.now());
}

/** Higher numbers are newer. */
function imageOf(name: ImageName, index: number): ImageInfo {
  const digest = `sha256:${createHash("sha256").update(`${name.image} ${index}`).digest("hex")}`;
  const createdAt = timestampOf(new Date(index * hourMs));
  const ref = { ...name, tag: `v1.${index}.0`, sha: "" };
  return { ref, digest, imageId: digest, labels: {}, createdAt, lastFetched: createdAt };
}

/** Each workload runs the oldest image of its repository. */
function workloadOf(index: number): Workload {
  const name = `app-${index}`;
  const image = { ...repositoryName(index % repositories), tag: "v1.0.0", sha: "" };
  const policies: PolicySet = {
    automated: "true",
    [tagPolicyOf("main")]: patterns[Math.floor(index / repositories) % patterns.length] ?? "",
  };
  return {
    id: makeResourceId("bench", "deployment", name),
    status: "ready",
    rollout: { desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: null },
    labels: null,
    policies,
    containers: [{ name: "main", image }],
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
