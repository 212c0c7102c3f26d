/**
 * A fresh engine that syncs or plans the objects of the benchmark; prints measurements as JSON. Arguments: a
 * kubeconfig, the number of objects, and "sync" (creates them) or "plan" (nothing is expected to change).
 */
import { silentLogger, systemClock } from "@weir/base";
import { createClusterCache, createClusterEngine, type SyncRequest, tasksOf } from "@weir/engine";
import { type KubeObject, labelOf } from "@weir/kube";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import { createDiscovery } from "@weir/kube/rest";
import { makeObjects } from "../support/objects.ts";
import { residentMemory } from "../support/processes.ts";

/** What a run of the engine measured: seconds, milliseconds, MiB, and tasks that would change something. */
export interface PlanRun {
  readonly loadSeconds: number;
  readonly freshMs: number;
  readonly warmMs: number;
  readonly changes: number;
  readonly residentMiB: number;
}

const never = new AbortController().signal;
const label = "example.test/owner";
const [kubeconfig = "", count = "0", what = ""] = process.argv.slice(2);
const client = createRestClient({
  credentials: await loadKubeConfig({ kubeconfig, env: {} }),
  userAgent: "weir/bench",
});
const cache = createClusterCache({
  client,
  discovery: createDiscovery(client),
  managedLabel: { key: label },
  namespaces: [],
  clock: systemClock,
  logger: silentLogger,
  excludes: () => false,
});
const engine = createClusterEngine({ client, cache });
const request: SyncRequest = {
  targets: makeObjects(Number(count)).map((object) => ({ object: labelled(object) })),
  isManaged: (live) => labelOf(live, label) === "bench",
  revision: "r1",
  unit: "bench",
  prune: "on",
};
if (what === "sync") {
  const { phase, message } = await engine.sync(request, never);
  console.log(JSON.stringify({ phase, message }));
} else {
  const keys = request.targets.map(({ object }) => ({
    group: object.apiVersion.includes("/") ? (object.apiVersion.split("/")[0] ?? "") : "",
    kind: object.kind,
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name ?? "",
  }));
  const loadSeconds =
    (await timed(() => Promise.all([cache.setTargets("bench", keys, never), cache.watchManaged(never)]))) /
    1000;
  let changes = -1;
  const plan = async (): Promise<void> => {
    const made = await engine.plan(request, never);
    changes = tasksOf(made).filter(({ action }) => action !== "unchanged").length;
  };
  const freshMs = await timed(plan);
  const warm: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    warm.push(await timed(plan));
  }
  const warmMs = warm.toSorted((a, b) => a - b)[2] ?? Number.NaN;
  const run: PlanRun = {
    loadSeconds,
    freshMs,
    warmMs,
    changes,
    residentMiB: residentMemory(process.pid).now,
  };
  console.log(JSON.stringify(run));
}
process.exit(0);

function labelled(object: KubeObject): KubeObject {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, [label]: "bench" } } };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}
