import type { ResourceId } from "../resource/id.ts";
import type { Resource } from "../resource/resource.ts";

/** All that a repository says the cluster should hold. */
export interface SyncSet {
  /** Names the set in the garbage-collection mark; depends on URL, branch and paths. */
  readonly name: string;
  readonly revision: string;
  readonly resources: ReadonlyMap<ResourceId, Resource>;
  /** Resources that git has, but that could not be loaded this time: never deleted. */
  readonly heldBack: readonly ResourceId[];
  /** False where a file could not be read at all, so that nobody knows what it holds: nothing is deleted. */
  readonly complete: boolean;
}

/** What went wrong with one resource of a sync; the others went on. */
export interface ResourceError {
  readonly id: ResourceId;
  readonly source: string;
  readonly error: string;
}
