import type { ImageRef, PolicyUpdate, ResourceId } from "@weir/flux";
import type { ManifestSet } from "./assemble.ts";

/**
 * The resources of a checkout. Changes them where they're defined: in files, or with the commands in a .flux.yaml.
 * Based on Flux's pkg/manifests.
 */
export interface ManifestStore {
  /** All resources in their current state. Rejects like loadManifests. */
  resources(signal: AbortSignal): Promise<ManifestSet>;
  /** Sets the image of a container. Rejects with ResourceNotFoundError, or if the image can't be set. */
  setWorkloadImage(id: ResourceId, container: string, image: ImageRef, signal: AbortSignal): Promise<void>;
  /**
   * Changes the policies of a workload; resolves to false if nothing had to change. Rejects with ResourceNotFoundError,
   * NotAWorkloadError, or InvalidTagPatternError.
   */
  updateWorkloadPolicies(id: ResourceId, update: PolicyUpdate, signal: AbortSignal): Promise<boolean>;
}
