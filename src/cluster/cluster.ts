import type { Unsubscribe } from "@weir/base";
import type { ResourceId } from "../resource/id.ts";
import type { ResourcePreview } from "./preview.ts";
import type { ResourceError, SyncSet } from "./sync-set.ts";
import type { ResourceStatus } from "./tree.ts";
import type { Workload } from "./workload.ts";

/** One digest of a public key: the hash without its prefix, and the picture that ssh-keygen draws. */
export interface SshFingerprint {
  readonly hash: string;
  readonly randomart: string;
}

/** The public half of the key with which git is reached; `key` is empty where there is none. */
export interface PublicSshKey {
  readonly key: string;
  readonly fingerprints: Readonly<Record<string, SshFingerprint>> | null;
}

/**
 * The cluster as the daemon sees it. What flows in are sets of manifests, what flows out are workloads and
 * errors by resource. After Flux's pkg/cluster.
 */
export interface Cluster {
  /** Workloads of a namespace, or of all that are allowed where it is "". Unsorted. */
  allWorkloads(namespace: string, signal: AbortSignal): Promise<readonly Workload[]>;
  /** The named workloads, those that are there. */
  someWorkloads(ids: readonly ResourceId[], signal: AbortSignal): Promise<readonly Workload[]>;
  /** False where the allowed namespaces leave the resource out. */
  isAllowed(id: ResourceId): boolean;
  /** Rejects where the API server does not answer. */
  ping(signal: AbortSignal): Promise<void>;
  /** Namespaces and their workloads as multi-document YAML. */
  exportAll(signal: AbortSignal): Promise<string>;
  /**
   * Makes the cluster hold what the set says: applies, and prunes where garbage collection is on. Resolves
   * to the errors of single resources; rejects where nothing could be done at all. What has not begun when
   * `beginBy` is aborted does not begin; what has is ended by `signal` alone.
   */
  sync(set: SyncSet, signal: AbortSignal, beginBy?: AbortSignal): Promise<readonly ResourceError[]>;
  /**
   * What `sync` of that set would do, for everything that it would not leave as it is; nothing is done. Rejects as
   * `sync` does.
   */
  preview(set: SyncSet, signal: AbortSignal): Promise<readonly ResourcePreview[]>;
  /**
   * How everything is that the set is about, in one namespace ("" for all), each with what it owns. Rejects as `sync`
   * does.
   */
  tree(set: SyncSet, namespace: string, signal: AbortSignal): Promise<readonly ResourceStatus[]>;
  /** The key for git; makes a new one where asked. */
  publicSshKey(regenerate: boolean, signal: AbortSignal): Promise<PublicSshKey>;
  /** Calls back when a live object stops matching the set that was synced last. */
  onDrift(listener: () => void): Unsubscribe;
}
