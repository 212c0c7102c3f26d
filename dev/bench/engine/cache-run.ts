/**
 * A fresh cache of what the stub server has; prints measurements as JSON. Arguments: the URL, and what to do:
 * "managed" (the managed objects as metadata), "slim" (all objects of all kinds), "whole" (the same, held whole).
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { silentLogger, systemClock } from "@weir/base";
import { createClusterCache, resourceTrees } from "@weir/engine";
import type { KubeObject } from "@weir/kube";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import { createDiscovery } from "@weir/kube/rest";
import { residentMemory } from "../support/processes.ts";
import { writeStubKubeconfig } from "./stub-kubeconfig.ts";
import { makeStub, stubKinds, stubLabel } from "./stub-objects.ts";

/** What a run of the cache measured: seconds, milliseconds, MiB, and bytes. */
export interface CacheRun {
  readonly objects: number;
  readonly loadSeconds: number;
  readonly residentMiB: number;
  readonly peakMiB: number;
  readonly heapBytesAnObject: number;
  readonly treeMs: number;
  readonly treeNodes: number;
  readonly eventMs: readonly number[];
}

const never = new AbortController().signal;
const [url = "", form = "", ...counts] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "weir-bench-"));
const kubeconfig = join(folder, "config");
writeStubKubeconfig(kubeconfig, url);
const client = createRestClient({
  credentials: await loadKubeConfig({ kubeconfig, env: {} }),
  userAgent: "weir/bench",
});
rmSync(folder, { recursive: true });
const numbers = new Map(counts.map((each) => each.split("=") as [string, string]));
const kinds = stubKinds.filter(({ kind }) => numbers.has(kind));
const objects = [...numbers.values()].reduce((sum, count) => sum + Number(count), 0);

globalThis.gc?.();
const heapBefore = process.memoryUsage().heapUsed;
const cache = createClusterCache({
  client,
  discovery: createDiscovery(client),
  managedLabel: { key: stubLabel },
  namespaces: [],
  clock: systemClock,
  logger: silentLogger,
  excludes: () => false,
});
const began = performance.now();
await load();
const loadSeconds = (performance.now() - began) / 1000;
await pause(2_000);
const { now: residentMiB, peak: peakMiB } = residentMemory(process.pid);
globalThis.gc?.();
const heapBytesAnObject = (process.memoryUsage().heapUsed - heapBefore) / objects;
const eventMs = await events();
const [treeMs, treeNodes] = form === "managed" ? [Number.NaN, 0] : measureTree();
const run: CacheRun = {
  objects,
  loadSeconds,
  residentMiB,
  peakMiB,
  heapBytesAnObject,
  treeMs,
  treeNodes,
  eventMs,
};
console.log(JSON.stringify(run));
process.exit(0);

async function load(): Promise<void> {
  if (form === "managed") {
    await cache.watchManaged(never);
  } else if (form === "slim") {
    await cache.watchKinds(kinds, never);
  } else {
    await cache.holdKinds(kinds, never);
  }
}

/** The median of trees of all Deployments. */
function measureTree(): readonly [number, number] {
  const deployment = kinds.find(({ kind }) => kind === "Deployment");
  const roots = Array.from({ length: Number(numbers.get("Deployment") ?? 0) }, (_, index) =>
    deployment === undefined ? undefined : makeStub(deployment, index),
  ).filter((root): root is KubeObject => root !== undefined);
  const times: number[] = [];
  let nodes = 0;
  for (let round = 0; round < 15; round += 1) {
    const start = performance.now();
    const trees = resourceTrees(roots, cache);
    times.push(performance.now() - start);
    nodes = trees.reduce((sum, tree) => sum + size(tree), 0);
  }
  return [times.toSorted((a, b) => a - b)[7] ?? Number.NaN, nodes];
}

function size({ children }: { readonly children: readonly object[] }): number {
  return (children as readonly Parameters<typeof size>[0][]).reduce((sum, child) => sum + size(child), 1);
}

/** The time from a change, over the server and the watch, to a subscriber. */
async function events(): Promise<readonly number[]> {
  const [kind] = kinds;
  const times: number[] = [];
  for (let index = 0; index < 300 && kind !== undefined; index += 1) {
    const seen = Promise.withResolvers<number>();
    const unsubscribe = cache.subscribe(() => seen.resolve(performance.now()));
    const start = performance.now();
    await fetch(`${url}/touch/${kind.kind}/${index}`, { method: "POST" });
    times.push((await seen.promise) - start);
    unsubscribe();
  }
  return times;
}
