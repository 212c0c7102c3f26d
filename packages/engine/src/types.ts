import type { GroupVersionKind, KubeObject } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import type { HealthStatus } from "./health/health-status.ts";
import type { SyncOptions } from "./options.ts";
import type { ResourceOverrides } from "./overrides.ts";
import type { OperationPhase, SyncResult } from "./sync/result.ts";

/** Whether a unit's objects are as its manifests say. */
export type SyncStatus = "Synced" | "OutOfSync" | "Unknown";

/** How a unit was found to be. */
export interface SyncUnitStatus {
  readonly sync: SyncStatus;
  /** That of its worst object. */
  readonly health: HealthStatus;
  /** Of the manifests that it was compared with. */
  readonly revision: string;
  /** Why it could not be found out, "" where it could. */
  readonly message: string;
  /** The last operation, also while it runs. */
  readonly operation?: OperationState;
}

/** What is to be done with a unit: it is synced, with these options. */
export type SyncOperation = Pick<SyncOptions, "prune" | "pruneLast" | "allowEmpty" | "method" | "dryRun">;

/** How far an operation is, or how it ended. */
export interface OperationState {
  readonly phase: OperationPhase;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt?: number;
  readonly result?: SyncResult;
}

/** One thing kept in step: manifests from one source in one cluster. */
export interface SyncUnit {
  readonly id: string;
  readonly status: SyncUnitStatus;
  /** Where its manifests come from; only the ManifestGenerator understands it. */
  readonly source: unknown;
  readonly destination: { readonly cluster: string };
  /** What is to be done with it; undefined where nothing is. */
  readonly operation?: SyncOperation;
}

/** Keeps units; the consumer's. */
export interface SyncUnitStore {
  list(signal: AbortSignal): Promise<readonly SyncUnit[]>;
  get(id: string, signal: AbortSignal): Promise<SyncUnit | undefined>;
  setStatus(id: string, status: SyncUnitStatus): Promise<void>;
  /** Undefined: nothing is to be done any more. */
  setOperation(id: string, operation: SyncOperation | undefined): Promise<void>;
}

/** A cluster, with the way to speak to it. */
export interface Cluster {
  readonly name: string;
  /** Closed by the engine when it has no more use for it. */
  readonly client: RestClient;
  /** Only these namespaces are looked at; absent or empty: all. */
  readonly namespaces?: readonly string[];
}

/** A cluster is to be dialled anew, or is gone. */
export interface ClusterEvent {
  readonly kind: "changed" | "removed";
  readonly cluster: string;
}

/** Knows the clusters; the consumer's. */
export interface CredentialsStore {
  /** Rejects where there is no such cluster. */
  getCluster(name: string, signal: AbortSignal): Promise<Cluster>;
  /** Tells of changes until the signal is aborted, then resolves. */
  watchClusters(listener: (event: ClusterEvent) => void, signal: AbortSignal): Promise<void>;
}

/** What a generator made. */
export interface GeneratedManifests {
  /** With their namespaces set. */
  readonly manifests: readonly KubeObject[];
  readonly revision: string;
}

/** Makes manifests from a unit's source; the consumer's. */
export interface ManifestGenerator {
  generate(source: unknown, signal: AbortSignal): Promise<GeneratedManifests>;
}

/** What holds for all units. */
export interface ReconciliationSettings {
  /** The label that every managed object bears; its value names the unit. */
  readonly instanceLabelKey: string;
  /**
   * Kinds of which nothing is managed, asked for each version that a kind is served in: where it leaves none,
   * nothing of the kind is ever pruned. Absent: all are managed.
   */
  readonly resourcesFilter?: { excludes(gvk: GroupVersionKind, cluster: string): boolean };
  readonly resourceOverrides?: ResourceOverrides;
}

/** Something happened to a unit. */
export interface SyncUnitEvent {
  readonly kind: "status-changed" | "sync-started" | "sync-completed" | "drifted" | "failed";
  readonly message: string;
}
