import type { ImageRef } from "../image/ref.ts";
import type { ResourceId } from "../resource/id.ts";
import type { PolicyUpdate } from "../resource/policy.ts";

/** Who asked for a change and what they said. */
export interface Cause {
  readonly message: string;
  readonly user: string;
}

/** Look only, or look and do. Anything else executes like `execute` but commits nothing, as in Flux. */
export type ReleaseKind = "plan" | "execute" | (string & {});

/** Every workload, by Flux's word for it. */
export const allWorkloadsSpec = "<all>";

/** The newest image of each container, by Flux's word for it. */
export const latestImageSpec = "<all latest>";

/** Release one image, or the latest of every image, to workloads. */
export interface ReleaseImageSpec {
  /** Resource IDs or allWorkloadsSpec, as the caller wrote them: as in Flux v1, a bad one fails the job. */
  readonly workloads: readonly string[] | null;
  /** An image reference or latestImageSpec, likewise. */
  readonly image: string;
  readonly kind: ReleaseKind;
  /** An empty ID excludes nothing. */
  readonly excludes: readonly (ResourceId | "")[] | null;
  readonly force: boolean;
}

/** The image of one container, from and to. */
export interface ContainerUpdate {
  readonly container: string;
  /** undefined where the caller did not say what is there now. */
  readonly current: ImageRef | undefined;
  readonly target: ImageRef;
}

/** Release given images to given containers. */
export interface ReleaseContainersSpec {
  readonly kind: ReleaseKind;
  readonly containers: ReadonlyMap<ResourceId, readonly ContainerUpdate[] | null> | null;
  readonly skipMismatches: boolean;
  readonly force: boolean;
}

/** One change that automation made. */
export interface AutomatedChange {
  readonly workload: ResourceId;
  readonly container: { readonly name: string; readonly image: ImageRef };
  readonly image: ImageRef;
}

/** The policies to be changed, by workload. */
export type PolicyUpdates = ReadonlyMap<ResourceId, PolicyUpdate>;

/**
 * What is to be changed, and why: the request, and what a git note records. Lists and maps are null where the caller
 * gave none, since notes and the status of a job repeat it. After Flux's pkg/update.
 */
export type UpdateSpec =
  | { readonly type: "image"; readonly cause: Cause; readonly spec: ReleaseImageSpec }
  | { readonly type: "containers"; readonly cause: Cause; readonly spec: ReleaseContainersSpec }
  | { readonly type: "policy"; readonly cause: Cause; readonly spec: PolicyUpdates | null }
  | { readonly type: "auto"; readonly cause: Cause; readonly spec: readonly AutomatedChange[] }
  | { readonly type: "sync"; readonly cause: Cause };

/** An update that sets images. */
export type ReleaseSpec = Extract<UpdateSpec, { readonly type: "image" | "containers" | "auto" }>;

/** Whether a release is only to be looked at; automation always acts. */
export function releaseKindOf(spec: ReleaseSpec): ReleaseKind {
  return spec.type === "auto" ? "execute" : spec.spec.kind;
}
