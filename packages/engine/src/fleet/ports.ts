import type { GroupVersionKind, KubeObject } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import type { HealthStatus } from "../health/health-status.ts";
import type { ResourceOverrides } from "../health/overrides.ts";
import type { SyncOptions } from "../plan/sync-request.ts";
import type { OperationRecord } from "../run/operation-record.ts";
import type { OperationPhase, SyncResult } from "../run/result.ts";

/** Whether the objects of a unit match their manifests. */
export type SyncStatus = "Synced" | "OutOfSync" | "Unknown";

/** The status of a unit, written only by the engine. */
export interface SyncUnitStatus {
  readonly sync: SyncStatus;
  /** The health of its worst object. */
  readonly health: HealthStatus;
  /** The revision of the manifests that it was compared with. */
  readonly revision: string;
  /** Why the status couldn't be determined; "" if it could. */
  readonly message: string;
  /** What else is wrong, a sentence each, e.g. that another unit has the same objects; absent if nothing is. */
  readonly warnings?: readonly string[];
  /** The last operation, which may still be running. */
  readonly operation?: OperationState;
}

/** The keys of the properties that can be serialized: neither functions nor signals. */
export type DataKey<T> = {
  [Key in keyof T]-?: NonNullable<T[Key]> extends ((...input: never) => unknown) | AbortSignal ? never : Key;
}[keyof T];

/** The request of a sync: all options of a sync that are data. */
export interface SyncOperation extends Omit<Pick<SyncOptions, DataKey<SyncOptions>>, "unit" | "generation"> {
  /**
   * Counts the requests of a unit, starting with 1: a sync is due if this is higher than the generation in the
   * status. A higher one replaces a sync that is running.
   */
  readonly generation: number;
}

/** The state of an operation, or how it ended. */
export interface OperationState {
  readonly phase: OperationPhase;
  readonly message: string;
  /** That of the request. */
  readonly generation: number;
  /** The cluster that it changes. */
  readonly cluster: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt?: number;
  readonly result?: SyncResult;
  /** What a sync that waits for hooks needs to go on after a restart, in the same cluster. */
  readonly record?: OperationRecord | undefined;
}

/** Manifests from one source that are kept in sync with one cluster. */
export interface SyncUnit {
  readonly id: string;
  readonly status: SyncUnitStatus;
  /** The source of its manifests; only the ManifestGenerator interprets it. */
  readonly source: unknown;
  readonly destination: { readonly cluster: string };
  /**
   * The last request, which the engine only reads: how far it is, is in the status. To request a sync, store it
   * with a higher generation and call `FleetEngine.refresh`. Its options also count when the unit is compared, all
   * but `selection`, `prune`, and `hooks`.
   */
  readonly operation?: SyncOperation;
}

/**
 * Stores units; implemented by the caller. A call that takes too long is abandoned, also if it ignores its
 * signal.
 */
export interface SyncUnitStore {
  list(signal: AbortSignal): Promise<readonly SyncUnit[]>;
  get(id: string, signal: AbortSignal): Promise<SyncUnit | undefined>;
  /** Not called again for a unit before the last call has ended, or was aborted. */
  setStatus(id: string, status: SyncUnitStatus, signal: AbortSignal): Promise<void>;
}

/** A cluster and the client to reach it. */
export interface Cluster {
  readonly name: string;
  /** Closed by the engine when it's no longer needed. */
  readonly client: RestClient;
  /** Only these namespaces are watched; absent or empty: all. */
  readonly namespaces?: readonly string[];
}

/** The credentials of a cluster changed, or the cluster was removed. */
export interface ClusterEvent {
  readonly kind: "changed" | "removed";
  readonly cluster: string;
}

/**
 * Provides the clusters; implemented by the caller. A call that takes too long is abandoned, also if it ignores
 * its signal.
 */
export interface CredentialsStore {
  /** A new client for the cluster each time. Rejects if there is no such cluster. */
  getCluster(name: string, signal: AbortSignal): Promise<Cluster>;
  /** Reports changes until the signal is aborted, then resolves. Called again if it ends earlier. */
  watchClusters(listener: (event: ClusterEvent) => void, signal: AbortSignal): Promise<void>;
}

/** The result of a generator. */
export interface GeneratedManifests {
  /** With namespaces set. */
  readonly manifests: readonly KubeObject[];
  readonly revision: string;
}

/** Creates manifests from a unit's source; implemented by the caller. */
export interface ManifestGenerator {
  /** A call that takes too long is abandoned, also if it ignores its signal. */
  generate(source: unknown, signal: AbortSignal): Promise<GeneratedManifests>;
}

/** Settings for all units. */
export interface ReconciliationSettings {
  /** The label of every managed object; its value identifies the unit. */
  readonly instanceLabelKey: string;
  /**
   * Kinds without managed objects, checked for each version in which a kind is served. If no version is left,
   * objects of the kind are never pruned. Absent: all kinds are managed.
   */
  readonly resourcesFilter?: { excludes(gvk: GroupVersionKind, cluster: string): boolean };
  readonly resourceOverrides?: ResourceOverrides;
}

/** An event of a unit. */
export interface SyncUnitEvent {
  readonly kind: "status-changed" | "sync-started" | "sync-completed" | "drifted" | "failed" | "warning";
  readonly message: string;
}
