import { printImageRef, type ResourceId } from "@weir/flux";
import type { AutomatedImage } from "./automated-images.ts";

/** A comment after the image of a container, which makes Flux v2 update it. */
export interface Marker {
  readonly workload: ResourceId;
  readonly container: string;
  /** The running image, as it's probably written in the manifest. */
  readonly image: string;
  /** Starts with "#". */
  readonly comment: string;
}

/** The markers for the images that Flux v2 should update. */
export function markersFor(images: readonly AutomatedImage[], namespace: string): readonly Marker[] {
  return images.map(({ workload, container, policyName }) => ({
    workload: workload.id,
    container: container.name,
    image: printImageRef(container.image),
    comment: `# {"$imagepolicy": "${namespace}:${policyName}"}`,
  }));
}
