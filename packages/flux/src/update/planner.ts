import type { ImageRef } from "../image/ref.ts";
import type { ResourceId } from "../resource/id.ts";
import type { Candidate } from "./candidate.ts";
import type { CandidateFilter, ManifestFilter } from "./filter.ts";
import type { ImageRepositories } from "./images.ts";
import type { UpdateResult, WorkloadResult } from "./result.ts";

/** The images to look up before an update can be decided. */
export type ImagesNeeded =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly ref: ImageRef }
  | { readonly kind: "running" };

/**
 * How to calculate an update: which workloads to query, which ones to leave out and why, and what to change in the
 * rest.
 */
export interface UpdatePlanner {
  /** The workloads that were requested by name; the result says so if they aren't in git. */
  readonly named: readonly ResourceId[];
  /** In the order in which they're applied. */
  readonly manifestFilters: readonly ManifestFilter[];
  readonly candidateFilters: readonly CandidateFilter[];
  readonly images: ImagesNeeded;
  /** The result for one candidate. */
  decide(candidate: Candidate, images: ImageRepositories): WorkloadResult;
  /** Why the whole update is refused, given its result; undefined if it isn't. */
  refuse?(result: UpdateResult): string | undefined;
}
