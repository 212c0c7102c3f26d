import type { ImageRef } from "../image/ref.ts";
import type { ResourceId } from "../resource/id.ts";
import type { PolicyUpdate } from "../resource/policy.ts";

/** The person who requested a change, and their message. */
export interface Cause {
  readonly message: string;
  readonly user: string;
}

/** Only plan, or plan and execute. As in Flux, any other kind works like `execute` but doesn't commit. */
export type ReleaseKind = "plan" | "execute" | (string & {});

/** Flux's term for all workloads. */
export const allWorkloadsSpec = "<all>";

/** Flux's term for the newest image of each container. */
export const latestImageSpec = "<all latest>";

/** Release one image, or the latest version of every image, to workloads. */
export interface ReleaseImageSpec {
  /** Resource IDs or allWorkloadsSpec, as given by the caller: as in Flux v1, an invalid one fails the job. */
  readonly workloads: readonly string[] | null;
  /** An image reference or latestImageSpec, as given by the caller. */
  readonly image: string;
  readonly kind: ReleaseKind;
  /** An empty ID excludes nothing. */
  readonly excludes: readonly (ResourceId | "")[] | null;
  readonly force: boolean;
}

/** A container, its current image, and its new image. */
export interface ContainerUpdate {
  readonly container: string;
  /** undefined if the caller didn't name the current image. */
  readonly current: ImageRef | undefined;
  readonly target: ImageRef;
}

/** Release the given images to the given containers. */
export interface ReleaseContainersSpec {
  readonly kind: ReleaseKind;
  readonly containers: ReadonlyMap<ResourceId, readonly ContainerUpdate[] | null> | null;
  readonly skipMismatches: boolean;
  readonly force: boolean;
}

/** One change made by automation. */
export interface AutomatedChange {
  readonly workload: ResourceId;
  readonly container: { readonly name: string; readonly image: ImageRef };
  readonly image: ImageRef;
}

/** Policy changes, by workload. */
export type PolicyUpdates = ReadonlyMap<ResourceId, PolicyUpdate>;

/**
 * What to change, and why; used in requests and recorded in git notes. Lists and maps are null if the caller gave none,
 * because notes and job statuses repeat them. Based on Flux's pkg/update.
 */
export type UpdateSpec =
  | { readonly type: "image"; readonly cause: Cause; readonly spec: ReleaseImageSpec }
  | { readonly type: "containers"; readonly cause: Cause; readonly spec: ReleaseContainersSpec }
  | { readonly type: "policy"; readonly cause: Cause; readonly spec: PolicyUpdates | null }
  | { readonly type: "auto"; readonly cause: Cause; readonly spec: readonly AutomatedChange[] }
  | {
      readonly type: "sync";
      readonly cause: Cause;
      /** Whether what is in git is applied also if it's the same as before; Flux v1 doesn't know this, and ignores it. */
      readonly reapply?: boolean;
    };

/** An update that sets images. */
export type ReleaseSpec = Extract<UpdateSpec, { readonly type: "image" | "containers" | "auto" }>;

/** Whether a release is only planned; automation always executes. */
export function releaseKindOf(spec: ReleaseSpec): ReleaseKind {
  return spec.type === "auto" ? "execute" : spec.spec.kind;
}
