import type { KubeObject, ResourceKey } from "@weir/kube";
import type { PropagationPolicy } from "./sync-options.ts";
import type { TargetOptions } from "./target-options.ts";

/** The phases of a sync, in order; SyncFail runs only if another phase failed. */
export type SyncPhase = "PreSync" | "Sync" | "PostSync" | "SyncFail";

/** When a hook's object is deleted by the sync. */
export type HookDeletePolicy = "BeforeHookCreation" | "HookSucceeded" | "HookFailed";

/** The fields of all tasks. */
export interface TaskBase {
  /** Unique within the plan. */
  readonly id: string;
  readonly key: ResourceKey;
  readonly phase: SyncPhase;
  readonly wave: number;
}

/** A target to bring to the cluster, or one that is already in sync. */
export interface TargetTask extends TaskBase, TargetOptions {
  /** "apply": the live object isn't known, so it's read first, then created, patched, or left as it is. */
  readonly action: "create" | "patch" | "apply" | "unchanged";
  readonly target: KubeObject;
  /** The live object from the cache. */
  readonly live?: KubeObject;
  /** True: an object that already exists is left as it is. */
  readonly createOnly?: boolean;
}

/** An object to create in its phase and to wait for until it has finished. */
export interface HookTask extends TaskBase {
  readonly action: "hook";
  readonly target: KubeObject;
  readonly deletePolicies: readonly HookDeletePolicy[];
  /** How its object is written. */
  readonly options: TargetOptions;
  /** How long the hook can take. */
  readonly timeoutMs: number;
}

/** A live object without a target, to be deleted. */
export interface PruneTask extends TaskBase {
  readonly action: "prune";
  readonly live: KubeObject;
  /** True: after the rest of its wave; false: before. */
  readonly last: boolean;
  readonly propagation: PropagationPolicy;
}

/** An orphan that is already being deleted: what comes later waits until it's gone. */
export interface GoingTask extends TaskBase {
  readonly action: "going";
  readonly live: KubeObject;
  /** As of a PruneTask. */
  readonly last: boolean;
}

/** A single action of a sync. */
export type SyncTask = TargetTask | HookTask | PruneTask | GoingTask;

/** True for tasks that send a request to the server. */
export function isWork(task: SyncTask): boolean {
  return task.action !== "unchanged" && task.action !== "going";
}

/** True for tasks that end when their object is gone. */
export function isDeletion(task: SyncTask): task is PruneTask | GoingTask {
  return task.action === "prune" || task.action === "going";
}

/** True for tasks that change the synced state; hooks only accompany such changes. */
export function isChange(task: SyncTask): boolean {
  return isWork(task) && task.action !== "hook";
}
