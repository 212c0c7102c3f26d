import type { ResourceId } from "../resource/id.ts";
import type { Cause } from "../update/spec.ts";

/** A request to undo a commit. */
export interface UndoRequest {
  readonly cause: Cause;
  /** The commit, by its hash of at least 7 characters; "" for the last one that changed the resource. */
  readonly commit: string;
  /** Only undo what the commit did to this resource; "" for everything that it did to manifests. */
  readonly resource: ResourceId | "";
  /** Allow that resources are removed from git, and thereby from the cluster. */
  readonly allowDelete: boolean;
  /** Only say what would be done. */
  readonly dryRun: boolean;
}

/** What undoing a commit does to a resource in git. */
export interface UndoneResource {
  readonly id: ResourceId;
  readonly what: "created" | "changed" | "deleted";
}

/** What undoing a commit does to a file. */
export interface UndoneFile {
  readonly path: string;
  /** A unified diff; "" if the file isn't shown because it contains a Secret. */
  readonly diff: string;
}

/** What undoing a commit does. */
export interface UndoPlan {
  /** The undone commit. */
  readonly revision: string;
  /** The head of the branch on which that would be done. */
  readonly head: string;
  readonly author: string;
  /** The first line of its message. */
  readonly message: string;
  /** Sorted by ID. */
  readonly resources: readonly UndoneResource[];
  /** The workloads that are locked, because automation would make the same change again. */
  readonly locks: readonly ResourceId[];
  readonly files: readonly UndoneFile[];
  /** Files that the commit changed too and that stay as they are, because they contain no manifests. */
  readonly leftAlone: readonly string[];
}

/** The answer: what would be done for a dry run, or else the ID of the job that does it. */
export interface UndoAnswer {
  readonly job: string;
  readonly plan: UndoPlan | undefined;
}
