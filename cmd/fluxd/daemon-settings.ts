/** What the daemon has to know of the configuration. */
import type { PruneMode } from "@weir/engine";
import type { SyncSettings } from "@weir/flux/api";
import type { DaemonSettings } from "../../src/daemon/ports.ts";
import { syncSetName } from "../../src/git/sync-set-name.ts";
import type { FluxdConfig } from "./settings.ts";

/** How the daemon works. */
export function daemonSettings({
  git,
  signatures,
  sync,
  registry,
  automationInterval,
  manifestGeneration,
}: FluxdConfig): DaemonSettings {
  return {
    branch: git.branch,
    paths: git.paths,
    setAuthor: git.setAuthor,
    skipMessage: git.skipMessage,
    pushRetries: git.pushRetries,
    syncSetName: syncSetName(git.url, git.branch, git.paths),
    manifestGeneration,
    verifySignatures: signatures.verify,
    syncInterval: sync.interval,
    syncTimeout: sync.timeout,
    gitTimeout: git.timeout,
    syncOnDrift: sync.onDrift,
    automationInterval: git.readonly || registry.disabled ? undefined : automationInterval,
  };
}

/** What the daemon tells whoever wants to know what a sync would do. */
export function syncSettings(
  { git, sync, cluster, decryption, manifestGeneration }: FluxdConfig,
  defaultNamespace: string,
): SyncSettings {
  return {
    syncSetName: syncSetName(git.url, git.branch, git.paths),
    paths: git.paths,
    defaultNamespace,
    allowedNamespaces: cluster.allowNamespaces,
    excludedKinds: cluster.excludeResources,
    prune: pruneMode(sync),
    pruneLimit: String(sync.pruneLimit),
    takeOver: sync.takeOver,
    quarantine: sync.quarantine,
    manifestGeneration,
    decrypts: decryption.sops || decryption.gitSecret,
  };
}

/** A dry run takes precedence over garbage collection, as in Flux v1. */
export function pruneMode({ garbageCollection, garbageCollectionDry }: FluxdConfig["sync"]): PruneMode {
  return garbageCollectionDry ? "dry-run" : garbageCollection ? "on" : "off";
}
