import type { ResourceId } from "../resource/id.ts";
import type { Resource } from "../resource/resource.ts";

/** Everything that the cluster should contain according to a repository. */
export interface SyncSet {
  /** The name of the set in the garbage-collection mark; depends on URL, branch, and paths. */
  readonly name: string;
  readonly revision: string;
  readonly resources: ReadonlyMap<ResourceId, Resource>;
  /** Resources in git that couldn't be loaded this time; they're never deleted. */
  readonly heldBack: readonly ResourceId[];
  /** False if a file couldn't be read at all, so that its resources aren't known; then nothing is deleted. */
  readonly complete: boolean;
}

/** The error of one resource in a sync; it didn't stop the others. */
export interface ResourceError {
  readonly id: ResourceId;
  readonly source: string;
  readonly error: string;
}

/** What a sync did to one object. */
export interface SyncedChange {
  readonly id: ResourceId;
  readonly what: "created" | "changed" | "deleted";
  /** If the sync put back what somebody had changed in the cluster: who that was, if it's known. */
  readonly putBackFrom?: ChangeAuthor;
}

/** Who changed an object in the cluster. */
export interface ChangeAuthor {
  /** The name under which the fields were written, such as "kubectl-edit"; safe for terminals. */
  readonly manager: string;
  /** When the manager last wrote to the object. */
  readonly at: Date | undefined;
}

/** How far a sync is. */
export type SyncProgress =
  /** Everything was done that can be; the errors are those of single resources. */
  | {
      readonly kind: "finished";
      readonly errors: readonly ResourceError[];
      /** What it did, apart from hooks, without what was as it should be. */
      readonly changes: readonly SyncedChange[];
    }
  /** Nothing can be done until hooks, or the resources of a wave, are ready. */
  | {
      readonly kind: "waiting";
      readonly waitingFor: readonly ResourceId[];
      /** Resolves when it makes sense to sync again; rejects if the signal is aborted. */
      changed(signal: AbortSignal): Promise<void>;
    };
