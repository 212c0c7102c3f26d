import { allowedNamespacesOf } from "../../fluxd-flags/allowed-namespaces.ts";
import type { FluxdFlags } from "../../fluxd-flags/flags.ts";

/** The flags that determine what a sync does, and to which objects. */
export interface SyncFlags {
  readonly url: string;
  readonly branch: string;
  readonly paths: readonly string[];
  readonly allowedNamespaces: readonly string[];
  readonly excludedKinds: readonly string[];
  readonly prune: "on" | "off" | "dry-run";
  readonly quarantine: boolean;
  readonly manifestGeneration: boolean;
  readonly syncTimeout: number;
}

/** Reads them from fluxd's flags. An empty --git-path, as the chart passes it, means no path. */
export function syncFlagsOf(flags: FluxdFlags): SyncFlags {
  return {
    url: flags.gitUrl.value,
    branch: flags.gitBranch.value,
    paths: flags.gitPath.value,
    allowedNamespaces: allowedNamespacesOf(flags),
    excludedKinds: flags.k8sUnsafeExcludeResource.value,
    prune: flags.syncGarbageCollectionDry.value
      ? "dry-run"
      : flags.syncGarbageCollection.value
        ? "on"
        : "off",
    quarantine: flags.syncQuarantine.value,
    manifestGeneration: flags.manifestGeneration.value,
    syncTimeout: flags.syncTimeout.value,
  };
}
