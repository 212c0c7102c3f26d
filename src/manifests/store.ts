import type { ImageRef } from "../image/ref.ts";
import type { ResourceId } from "../resource/id.ts";
import type { PolicyUpdate } from "../resource/policy.ts";
import type { ManifestSet } from "./assemble.ts";

/**
 * The resources of a checkout, and how to change them in the place where they are defined: in files, or by the
 * commands that a .flux.yaml names. After Flux's pkg/manifests.
 */
export interface ManifestStore {
  /** All resources as they are now. Rejects as loadManifests does. */
  resources(signal: AbortSignal): Promise<ManifestSet>;
  /** Sets the image of a container. Rejects with ResourceNotFoundError, or where it cannot be set. */
  setWorkloadImage(id: ResourceId, container: string, image: ImageRef, signal: AbortSignal): Promise<void>;
  /**
   * Changes the policies of a workload; resolves to false where nothing had to change. Rejects with
   * ResourceNotFoundError, NotAWorkloadError or InvalidTagPatternError.
   */
  updateWorkloadPolicies(id: ResourceId, update: PolicyUpdate, signal: AbortSignal): Promise<boolean>;
}
