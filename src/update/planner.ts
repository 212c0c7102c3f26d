import type { ImageRef } from "../image/ref.ts";
import type { ResourceId } from "../resource/id.ts";
import type { Candidate } from "./candidate.ts";
import type { CandidateFilter, ManifestFilter } from "./filter.ts";
import type { ImageRepositories } from "./images.ts";
import type { UpdateResult, WorkloadResult } from "./result.ts";

/** Which images have to be looked up before an update can be decided. */
export type ImagesNeeded =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly ref: ImageRef }
  | { readonly kind: "running" };

/** How an update is worked out: who is asked for, who is left out and why, and what is to change in the others. */
export interface UpdatePlanner {
  /** Asked for by name: where git has not got them, the result says so. */
  readonly named: readonly ResourceId[];
  /** In the order in which they object. */
  readonly manifestFilters: readonly ManifestFilter[];
  readonly candidateFilters: readonly CandidateFilter[];
  readonly images: ImagesNeeded;
  /** What becomes of one candidate. */
  decide(candidate: Candidate, images: ImageRepositories): WorkloadResult;
  /** Why the whole update is off, seeing its result; undefined where it is not. */
  refuse?(result: UpdateResult): string | undefined;
}
