/**
 * What is exported to Flux v2. Takes a running install of Flux v1 or Weir (its flags, its pod, its workloads and their
 * images), and returns objects of Flux v2 and a list of what has no equivalent there. Pure.
 */

import type { Container, ImageInfo, PolicySet, ResourceId } from "@weir/flux";
import type { FluxdFlags } from "../../fluxd-flags/flags.ts";
import type { DaemonPod } from "../running-install/daemon-pod.ts";

/** A running install, as far as it matters for an export. */
export interface ExportedInstall {
  readonly pod: DaemonPod;
  readonly flags: FluxdFlags;
  readonly workloads: readonly ExportedWorkload[];
}

/** A workload that the install knows. */
export interface ExportedWorkload {
  readonly id: ResourceId;
  readonly policies: PolicySet;
  /** True if its manifest is in the repository. */
  readonly isInGit: boolean;
  readonly containers: readonly Container[];
  /** The known images of each container, by its name; empty if fluxd hasn't scanned them. */
  readonly images: ReadonlyMap<string, readonly ImageInfo[]>;
  /** Names of the Secrets that pull its images. */
  readonly pullSecrets: readonly string[];
}

/** Options for the exported objects. */
export interface ExportOptions {
  /** The namespace of all exported objects. */
  readonly namespace: string;
  /** The URL that Flux v2 should fetch from; "" for fluxd's own. */
  readonly gitUrl: string;
}
