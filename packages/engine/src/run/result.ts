import type { ResourceKey } from "@weir/kube";
import type { Change } from "../operations/context.ts";
import type { GuardName } from "../plan/guards.ts";
import type { SyncPhase } from "../plan/task.ts";

/** The state of an operation, or how it ended. Error: it couldn't run at all. */
export type OperationPhase = "Running" | "Succeeded" | "Failed" | "Error";

/** The result for one object of a sync. */
export type ResultCode =
  /** It matches its target or, for a hook, it succeeded. */
  | "Synced"
  /** It was refused, or didn't become healthy while others waited for it: see `error`. */
  | "SyncFailed"
  | "Pruned"
  /** It has no target but was kept: see `reason`. */
  | "PruneSkipped"
  /** It was left alone, at its own or the caller's request: see `reason`. */
  | "Skipped"
  /** It wasn't started because an earlier step failed or the sync ended. */
  | "HeldBack";

/** The result for one object of a sync. */
export interface ResourceResult {
  readonly key: ResourceKey;
  /** The UID of an object that was not pruned, if it's known. */
  readonly uid?: string;
  readonly phase: SyncPhase;
  readonly wave: number;
  readonly code: ResultCode;
  readonly change: Change;
  /** kubectl's message; never contains values of Secrets. */
  readonly error?: string;
  /** The guard that left the object alone, if one did. */
  readonly guard?: GuardName;
  readonly reason?: string;
}

/** The result of a whole sync. */
export interface SyncResult {
  readonly revision: string;
  readonly phase: OperationPhase;
  /** A sentence for people. */
  readonly message: string;
  /** True: the server refused the plan in a pre-flight check, or others manage targets, so nothing was changed. */
  readonly isRefused?: boolean;
  /** In the order of the plan; objects that were left alone come last. */
  readonly resources: readonly ResourceResult[];
}
