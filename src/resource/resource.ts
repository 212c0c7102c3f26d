import type { ImageRef } from "../image/ref.ts";
import type { ResourceId } from "./id.ts";
import type { PolicySet } from "./policy.ts";

/** A container of a workload and the image it is to run. */
export interface Container {
  readonly name: string;
  readonly image: ImageRef;
}

/** A manifest as loaded from files or made by a generator. */
export interface Resource {
  /** With the effective namespace. */
  readonly id: ResourceId;
  /** Path of the file relative to the root of the repository, or what generated it; for people to read. */
  readonly source: string;
  /** The document, decoded and written again as Flux does: what is compared, checksummed and applied. */
  readonly bytes: string;
  readonly policies: PolicySet;
  /** Containers, then init containers; undefined where the kind has none. */
  readonly containers?: readonly Container[];
}
