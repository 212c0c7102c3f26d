import type { ImageRef } from "../image/ref.ts";
import type { ResourceId } from "./id.ts";
import type { PolicySet } from "./policy.ts";

/** A container of a workload, and its image. */
export interface Container {
  readonly name: string;
  readonly image: ImageRef;
}

/** A manifest from a file or a generator. */
export interface Resource {
  /** Includes the effective namespace. */
  readonly id: ResourceId;
  /** For people to read: the path of the file relative to the root of the repository, or the generator. */
  readonly source: string;
  /** The document, parsed and printed as Flux does; this is what's compared, checksummed, and applied. */
  readonly bytes: string;
  readonly policies: PolicySet;
  /** Containers, then init containers; undefined for kinds without containers. */
  readonly containers?: readonly Container[];
  /** Values of the manifest that are encrypted in git, as texts; they must not be shown. */
  readonly confidential?: ReadonlySet<string>;
}
