/**
 * The GitOps engine: keeps Kubernetes clusters in sync with manifests. It depends on Kubernetes only, not on
 * the program that uses it; this is its only entry point. `createClusterEngine` keeps one cluster in sync
 * with manifests and is called for each sync. `createFleetEngine` builds on it and keeps many units in many
 * clusters in sync. Two parts are useful on their own: live objects (`createClusterCache`), and health (`healthOf`).
 * `connectCluster` makes an engine for the cluster of a kubeconfig; whoever uses only this package finds the
 * types and factories of the layers below here too.
 */
export {
  type Clock,
  type Environment,
  type JsonObject,
  type JsonValue,
  type LogFields,
  type Logger,
  type LogValue,
  silentLogger,
  systemClock,
  type Unsubscribe,
} from "@weir/base";
export {
  type ApiResource,
  type ApiStatus,
  type GroupKind,
  type GroupVersionKind,
  KubeApiError,
  type KubeObject,
  type ObjectMeta,
  type OwnerReference,
  type ResourceKey,
  type StatusCause,
} from "@weir/kube";
export {
  createRestClient,
  credentialsOf,
  KubeConfigError,
  type KubeConfigErrorOptions,
  type KubeConfigFile,
  type KubeConfigOptions,
  type KubeConfigSource,
  loadKubeConfig,
  type NamedEntries,
  parseKubeConfig,
  type RestClientOptions,
} from "@weir/kube/client";
export type { PatchField, PatchSchema } from "@weir/kube/patch";
export {
  type ClusterCredentials,
  type ClusterTls,
  ConnectionError,
  type ConnectionLoss,
  createDiscovery,
  createSchemaSource,
  type Discovery,
  type DiscoveryFailure,
  type RequestHeaders,
  type RestClient,
  type RestRequest,
  type SchemaSource,
  type Served,
  type ServedKind,
} from "@weir/kube/rest";
export {
  type ClusterCache,
  type ClusterCacheOptions,
  createClusterCache,
} from "./cache/cluster-cache.ts";
export type { HeldObject, HeldParts, Judge } from "./cache/held-object.ts";
export type { ManagedLabel } from "./cache/managed-label.ts";
export type {
  ExpectedTargetKinds,
  KindInNamespace,
  KnownObject,
  ResourceCache,
  ResourceEvent,
  UnavailableApi,
} from "./cache/resource-cache.ts";
export { type ResourceNode, resourceTrees } from "./cache/resource-tree.ts";
export type { KindFilter } from "./cache/watchable.ts";
export {
  type ConnectedCluster,
  type ConnectOptions,
  connectCluster,
  type EngineSettings,
} from "./connect/connect-cluster.ts";
export { lastAppliedAnnotation, withLastApplied } from "./diff/last-applied.ts";
export {
  type Drift,
  type DriftedObject,
  DriftMemory,
  type DriftUnit,
  type SyncedTarget,
} from "./drift/drift-memory.ts";
export type { TaskPreview } from "./dry-run/preview.ts";
export { createClusterEngine } from "./engine.ts";
export { createFleetEngine, type FleetEngine, type FleetEngineOptions } from "./fleet/fleet-engine.ts";
export type { FleetLimits, Processors } from "./fleet/fleet-limits.ts";
export type { BeforeSync } from "./fleet/fleet-listeners.ts";
export type {
  Cluster,
  ClusterEvent,
  CredentialsStore,
  DataKey,
  GeneratedManifests,
  ManifestGenerator,
  OperationState,
  ReconciliationSettings,
  SyncOperation,
  SyncStatus,
  SyncUnit,
  SyncUnitEvent,
  SyncUnitStatus,
  SyncUnitStore,
} from "./fleet/ports.ts";
export { healthOf } from "./health/health.ts";
export type { Health, HealthRule, HealthStatus } from "./health/health-status.ts";
export type { ResourceOverride, ResourceOverrides } from "./health/overrides.ts";
export { type FieldOwner, fieldOwnersOf, ownerOfField } from "./ignore/field-owners.ts";
export type { IgnoredDifferences } from "./ignore/ignored-differences.ts";
export type { JsonPath } from "./ignore/json-path.ts";
export type { Change } from "./operations/context.ts";
export type { ServerSideSettings } from "./operations/server-side-settings.ts";
export type { ServerSideDiff } from "./plan/compare-options.ts";
export { type ForeignOwner, foreignOwnerOf, foreignOwnersOf } from "./plan/foreign-owner.ts";
export type { ForeignRule } from "./plan/foreign-rule.ts";
export type { GuardName, KeptObject, PruneMode } from "./plan/guards.ts";
export type { LeaveGuard, LeaveRule, LeftAlone } from "./plan/leave.ts";
export type { NamespaceMetadata, NamespaceOptions } from "./plan/namespace.ts";
export { type PlanOptions, type SyncPlan, tasksOf } from "./plan/plan.ts";
export { printPlan } from "./plan/print-plan.ts";
export type { PruneLast } from "./plan/prune.ts";
export { type PruneLimit, PruneLimitError, parsePruneLimit } from "./plan/prune-limit.ts";
export { DuplicateTargetError, type Target } from "./plan/reconcile.ts";
export type { ObjectSelector } from "./plan/selection.ts";
export type { Wave } from "./plan/stages.ts";
export type { ApplyMethod, PropagationPolicy } from "./plan/sync-options.ts";
export type { SyncOptions, SyncRequest } from "./plan/sync-request.ts";
export type { TargetOptions } from "./plan/target-options.ts";
export type {
  GoingTask,
  HookDeletePolicy,
  HookTask,
  PruneTask,
  SyncPhase,
  SyncTask,
  TargetTask,
  TaskBase,
} from "./plan/task.ts";
export {
  createMemoryOperationStore,
  type OperationRecord,
  type OperationStore,
  type TaskRecord,
} from "./run/operation-record.ts";
export { parseOperation, serializeOperation } from "./run/record-text.ts";
export type { OperationPhase, ResourceResult, ResultCode, SyncResult } from "./run/result.ts";
export type { ClusterEngine, ClusterEngineOptions, ExpectedTargets, Preview } from "./sync/cluster-engine.ts";
export { OperationConflictError } from "./sync/operation.ts";
export { SyncAbortedError, type SyncProgress, SyncReplacedError } from "./sync/sync-progress.ts";
