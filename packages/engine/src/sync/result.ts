import type { ResourceKey } from "@weir/kube";
import type { Change } from "../operations/context.ts";
import type { GuardName } from "./guards.ts";
import type { SyncPhase } from "./task.ts";

/** How far an operation is, or how it ended. Error: it could not be carried out at all. */
export type OperationPhase = "Running" | "Succeeded" | "Failed" | "Error";

/** What came of one object of a sync. */
export type ResultCode =
  /** It is as its target says, or, a hook, has done its work. */
  | "Synced"
  /** It was refused, or did not get healthy where others wait for it: see `error`. */
  | "SyncFailed"
  | "Pruned"
  /** No target asks for it, and yet it stays: see `reason`. */
  | "PruneSkipped"
  /** It was left alone, by its wish or the consumer's: see `reason`. */
  | "Skipped"
  /** It was not begun, because something that goes before it failed, or the sync was ended. */
  | "HeldBack";

/** The outcome of one object of a sync. */
export interface ResourceResult {
  readonly key: ResourceKey;
  readonly phase: SyncPhase;
  readonly wave: number;
  readonly code: ResultCode;
  readonly change: Change;
  /** As kubectl words it; never holds what a Secret holds. */
  readonly error?: string;
  /** Of what was left alone by a guard: which one. */
  readonly guard?: GuardName;
  readonly reason?: string;
}

/** The outcome of a whole sync. */
export interface SyncResult {
  readonly revision: string;
  readonly phase: OperationPhase;
  /** In a sentence, for people. */
  readonly message: string;
  /** In the order of the plan; what was left alone comes last. */
  readonly resources: readonly ResourceResult[];
}
