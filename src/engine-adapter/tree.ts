/**
 * The status of everything in a sync set. Takes the plan of a sync, which compares each object with its manifest, and
 * the live objects. Returns statuses, each with those of the objects that it owns.
 */
import {
  type ClusterCache,
  type ResourceNode,
  resourceTrees,
  type SyncPlan,
  type SyncTask,
  type Target,
  tasksOf,
} from "@weir/engine";
import type { ResourceId, ResourceStatus } from "@weir/flux";
import { type GroupKind, type KubeObject, keyOf, printKey, type ResourceKey } from "@weir/kube";
import { liveIdOf } from "./live-id.ts";
import { idOf } from "./object-id.ts";
import { ignoredInFile } from "./sync-report.ts";
import type { TargetSet } from "./target-set.ts";

/** Where to read live objects. */
export type TreeCache = Pick<ClusterCache, "get" | "held" | "childrenOf" | "healthOf" | "watchKinds">;

/**
 * Kinds that other objects create, and that syncs needn't watch; they're watched from the first tree on. Those that
 * fluxd has no permission to watch aren't shown: an incomplete tree is better than none.
 */
const madeKinds: readonly GroupKind[] = [
  { group: "", kind: "PersistentVolumeClaim" },
  { group: "", kind: "Pod" },
  { group: "apps", kind: "ReplicaSet" },
  { group: "batch", kind: "Job" },
];

/** The sync set to show. */
export interface TreeSubject extends Pick<TargetSet, "targets" | "resourceOf"> {
  readonly plan: SyncPlan;
  /** "" for all namespaces. */
  readonly namespace: string;
  /** Why the last sync couldn't apply resources of this set. */
  readonly errors: ReadonlyMap<ResourceId, string>;
}

/** An object at the root of the tree, as a sync sees it. */
interface Root {
  readonly key: ResourceKey;
  readonly live: KubeObject | undefined;
  readonly sync: ResourceStatus["sync"];
  readonly message: string;
}

/** The statuses of a plan's objects, by ID. Waits until the cluster can be listed, or rejects when aborted. */
export async function readTree(
  { plan, targets, resourceOf, namespace, errors }: TreeSubject,
  cache: TreeCache,
  signal: AbortSignal,
): Promise<readonly ResourceStatus[]> {
  await cache.watchKinds(madeKinds, signal);
  const roots = rootsOf(plan, targets, cache).filter(
    ({ key }) => namespace === "" || key.namespace === namespace,
  );
  const live = roots.flatMap((root) => root.live ?? []);
  const nodes = new Map(resourceTrees(live, cache).map((node) => [printKey(keyOf(node.object)), node]));
  return roots
    .map(({ key, sync, message }) => {
      const resource = resourceOf(key);
      const node = nodes.get(printKey(key));
      const status = node ? statusOf(node) : missing;
      const id = resource?.id ?? idOf(key);
      // What has become as it should be in the meantime isn't a problem anymore.
      const error = sync === "Synced" ? undefined : errors.get(id);
      return {
        ...status,
        id,
        source: resource?.source ?? "",
        sync,
        message: error ?? (message === "" ? status.message : message),
      };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
}

const missing = { apiVersion: "", health: "Missing", message: "", children: [] } as const;

function rootsOf(plan: SyncPlan, targets: readonly Target[], cache: TreeCache): readonly Root[] {
  const tasks = tasksOf(plan).filter(({ action }) => action !== "hook");
  const planned = tasks.map((task) => ({
    key: task.key,
    live: liveOf(task, cache),
    sync: syncOf(task),
    message: syncOf(task) === "Obsolete" ? "no longer in git" : "",
  }));
  const kept = plan.kept
    .filter(({ isTarget }) => isTarget)
    .map(({ key, reason }) => leftAlone(key, reason, cache));
  const ignored = targets
    .filter(({ apply }) => apply === false)
    .map(({ object }) => leftAlone(keyOf(object), ignoredInFile, cache));
  return [...planned, ...kept, ...ignored];
}

function leftAlone(key: ResourceKey, message: string, cache: TreeCache): Root {
  return { key, live: cache.get(key), sync: "Ignored", message };
}

function liveOf(task: SyncTask, cache: TreeCache): KubeObject | undefined {
  return cache.get(task.key) ?? (task.action === "hook" ? undefined : task.live);
}

function syncOf({ action }: SyncTask): ResourceStatus["sync"] {
  switch (action) {
    case "unchanged":
      return "Synced";
    case "prune":
    case "going":
      return "Obsolete";
    case "create":
    case "patch":
    case "apply":
    case "hook":
      return "OutOfSync";
  }
}

function statusOf({ object, health, children }: ResourceNode): ResourceStatus {
  return {
    id: liveIdOf(object),
    apiVersion: object.apiVersion,
    source: "",
    sync: "",
    health: health?.status ?? "",
    message: health?.message ?? "",
    children: children.map(statusOf),
  };
}
