import type { Unsubscribe } from "@weir/base";
import type { ResourceId } from "../resource/id.ts";
import type { Resource } from "../resource/resource.ts";
import type { ObjectReport } from "./object-report.ts";
import type { ApprovedDeletions, PendingDeletions } from "./pending-deletions.ts";
import type { ResourcePreview } from "./preview.ts";
import type { SyncProgress, SyncSet } from "./sync-set.ts";
import type { ResourceStatus } from "./tree.ts";
import type { Workload } from "./workload.ts";

/** One fingerprint of a public key: the hash without its prefix, and the picture that ssh-keygen draws. */
export interface SshFingerprint {
  readonly hash: string;
  readonly randomart: string;
}

/** The public half of the SSH key for git; `key` is empty if there's none. */
export interface PublicSshKey {
  readonly key: string;
  readonly fingerprints: Readonly<Record<string, SshFingerprint>> | null;
}

/** Resources that a sync will probably have. Disposed when there's no sync, or after it. */
export interface ExpectedResources extends Disposable {
  /** The namespace in its ID is the one that's written, or <cluster> if there's none. */
  add(resource: Resource): void;
}

/**
 * The cluster as the daemon sees it. Takes sets of manifests, and returns workloads and errors by resource. Based on
 * Flux's pkg/cluster.
 */
export interface Cluster {
  /** The workloads of a namespace, or of all allowed namespaces if it's "". Not sorted. */
  allWorkloads(namespace: string, signal: AbortSignal): Promise<readonly Workload[]>;
  /** The workloads with these IDs that exist. */
  someWorkloads(ids: readonly ResourceId[], signal: AbortSignal): Promise<readonly Workload[]>;
  /** False if the allowed namespaces exclude the resource. */
  isAllowed(id: ResourceId): boolean;
  /** Rejects if the API server doesn't respond. */
  ping(signal: AbortSignal): Promise<void>;
  /** Namespaces and their workloads as multi-document YAML. */
  exportAll(signal: AbortSignal): Promise<string>;
  /** The same, but if no namespaces are allowed by name, of all namespaces. */
  exportEverything(signal: AbortSignal): Promise<string>;
  /**
   * Announces a sync of the set with this name while its resources are still being read, so that the cluster is listed
   * meanwhile. The sync does the same without it.
   */
  expect(name: string): ExpectedResources;
  /**
   * Makes the cluster match the set: applies resources, and prunes if garbage collection is on. Resolves when it's
   * finished, or when it has to wait; then another call with the same revision continues, and one with another revision
   * replaces it. Rejects if nothing could be done at all. Nothing new starts after `beginBy` is aborted; only `signal`
   * ends what has already started.
   */
  sync(set: SyncSet, signal: AbortSignal, beginBy?: AbortSignal): Promise<SyncProgress>;
  /** What `sync` would do with this set, for everything that it would change; nothing is done. Rejects like `sync`. */
  preview(set: SyncSet, signal: AbortSignal): Promise<readonly ResourcePreview[]>;
  /**
   * The status of everything in the set in one namespace ("" for all), each with the objects that it owns. Rejects like
   * `sync`.
   */
  tree(set: SyncSet, namespace: string, signal: AbortSignal): Promise<readonly ResourceStatus[]>;
  /**
   * All that's known of one object, in the set or not. A dry run asks the API server what a sync would change. Rejects
   * like `sync`.
   */
  report(set: SyncSet, id: ResourceId, signal: AbortSignal): Promise<ObjectReport>;
  /** The errors of single resources in the last sync that finished. */
  syncErrors(): ReadonlyMap<ResourceId, string>;
  /** What a sync of the set wouldn't delete until somebody confirms it. Rejects like `sync`. */
  pendingDeletions(set: SyncSet, signal: AbortSignal): Promise<PendingDeletions>;
  /**
   * Confirms the deletion of resources that a sync of the set would otherwise not delete. Rejects with
   * NothingToConfirmError if any of them doesn't wait for that, and then confirms none.
   */
  confirmDeletions(set: SyncSet, ids: readonly ResourceId[], signal: AbortSignal): Promise<void>;
  /**
   * Allows the deletion of what a sync of the set holds back because it's too much: only of these resources, and only at
   * the revision of the set. Rejects if that can't be stored now.
   */
  approveDeletions(set: SyncSet, signal: AbortSignal): Promise<ApprovedDeletions>;
  /** The SSH key for git; generates a new one if requested. */
  publicSshKey(regenerate: boolean, signal: AbortSignal): Promise<PublicSshKey>;
  /** Calls back when a live object no longer matches the set that was synced last. */
  onDrift(listener: () => void): Unsubscribe;
  /** Calls back when anything that `tree` reads in the cluster changes. */
  onChange(listener: () => void): Unsubscribe;
}
