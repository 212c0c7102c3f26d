import type { KubeObject, ResourceKey } from "@weir/kube";
import type { ApplyMethod } from "./sync-options.ts";

/** The parts of a sync, in their order; SyncFail comes only where another failed. */
export type SyncPhase = "PreSync" | "Sync" | "PostSync" | "SyncFail";

/** When a hook's object is deleted by the sync. */
export type HookDeletePolicy = "BeforeHookCreation" | "HookSucceeded" | "HookFailed";

/** What all tasks have. */
export interface TaskBase {
  /** Tells the tasks of a plan apart. */
  readonly id: string;
  readonly key: ResourceKey;
  readonly phase: SyncPhase;
  readonly wave: number;
}

/** A target to be brought to the cluster, or found there as it is to be. */
export interface TargetTask extends TaskBase {
  /** "apply": what lives is not known, so it is read first; then it is created, patched or left as it is. */
  readonly action: "create" | "patch" | "apply" | "unchanged";
  readonly target: KubeObject;
  /** The live object as the cache has it. */
  readonly live?: KubeObject;
  readonly method: ApplyMethod;
  /** False: fields unknown to the server are no error. */
  readonly validate: boolean;
}

/** An object to be created in its phase and waited for until it has done its work. */
export interface HookTask extends TaskBase {
  readonly action: "hook";
  readonly target: KubeObject;
  readonly deletePolicies: readonly HookDeletePolicy[];
}

/** A live object that no target asks for any more, to be deleted. */
export interface PruneTask extends TaskBase {
  readonly action: "prune";
  readonly live: KubeObject;
  /** True: after everything else of its wave; false: before. */
  readonly last: boolean;
}

/** One thing that a sync does. */
export type SyncTask = TargetTask | HookTask | PruneTask;

/** True for what asks something of the server. */
export function isWork(task: SyncTask): boolean {
  return task.action !== "unchanged";
}

/** True for what changes the state that is kept in step; hooks only go along with such changes. */
export function isChange(task: SyncTask): boolean {
  return isWork(task) && task.action !== "hook";
}
