import type { GroupVersionKind, KubeObject } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import type { HealthStatus } from "./health/health-status.ts";
import type { SyncOptions } from "./options.ts";
import type { ResourceOverrides } from "./overrides.ts";
import type { NamespaceOptions } from "./sync/namespace.ts";
import type { OperationPhase, SyncResult } from "./sync/result.ts";
import type { TargetOptions } from "./sync/target-options.ts";

/** Whether the objects of a unit match their manifests. */
export type SyncStatus = "Synced" | "OutOfSync" | "Unknown";

/** The status of a unit. */
export interface SyncUnitStatus {
  readonly sync: SyncStatus;
  /** The health of its worst object. */
  readonly health: HealthStatus;
  /** The revision of the manifests that it was compared with. */
  readonly revision: string;
  /** Why the status couldn't be determined; "" if it could. */
  readonly message: string;
  /** The last operation, which may still be running. */
  readonly operation?: OperationState;
}

/** An operation for a unit: a sync with these options. */
export type SyncOperation = Pick<
  SyncOptions,
  | "prune"
  | "pruneLast"
  | "prunePropagationPolicy"
  | "allowEmpty"
  | "dryRun"
  | "selection"
  | "helmHooks"
  | keyof NamespaceOptions
  | keyof TargetOptions
>;

/** The state of an operation, or how it ended. */
export interface OperationState {
  readonly phase: OperationPhase;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt?: number;
  readonly result?: SyncResult;
}

/** Manifests from one source that are kept in sync with one cluster. */
export interface SyncUnit {
  readonly id: string;
  readonly status: SyncUnitStatus;
  /** The source of its manifests; only the ManifestGenerator interprets it. */
  readonly source: unknown;
  readonly destination: { readonly cluster: string };
  /** The pending operation; undefined if there is none. */
  readonly operation?: SyncOperation;
}

/** Stores units; implemented by the caller. */
export interface SyncUnitStore {
  list(signal: AbortSignal): Promise<readonly SyncUnit[]>;
  get(id: string, signal: AbortSignal): Promise<SyncUnit | undefined>;
  setStatus(id: string, status: SyncUnitStatus): Promise<void>;
  /** Undefined: no operation is pending anymore. */
  setOperation(id: string, operation: SyncOperation | undefined): Promise<void>;
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

/** Provides the clusters; implemented by the caller. */
export interface CredentialsStore {
  /** Rejects if there is no such cluster. */
  getCluster(name: string, signal: AbortSignal): Promise<Cluster>;
  /** Reports changes until the signal is aborted, then resolves. */
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
  readonly kind: "status-changed" | "sync-started" | "sync-completed" | "drifted" | "failed";
  readonly message: string;
}
