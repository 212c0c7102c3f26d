import { type Clock, type Logger, type Metrics } from "@weir/base";
import { createClusterCache, createClusterEngine, type OperationStore } from "@weir/engine";
import { type Cluster, markLabel } from "@weir/flux";
import type { Discovery, RestClient } from "@weir/kube/rest";
import { openCacheMetrics } from "../../src/cluster-state/metrics.ts";
import type { SshKeyring } from "../../src/cluster-state/ssh-keyring.ts";
import type { DaemonDependencies } from "../../src/daemon/dependencies.ts";
import { accessCheckup } from "../../src/engine-adapter/access.ts";
import { FluxCluster } from "../../src/engine-adapter/cluster.ts";
import { isExcludedKind } from "../../src/engine-adapter/excluded-kinds.ts";
import { ClusterImages } from "../../src/engine-adapter/image-credentials.ts";
import type { PruneAllowance } from "../../src/engine-adapter/prune-allowance.ts";
import { apiCheckup } from "../../src/engine-adapter/unavailable-apis.ts";
import type { ImageSource } from "../../src/registry/image-source.ts";
import { pruneMode } from "./daemon-settings.ts";
import type { FluxdConfig } from "./settings.ts";

/** Watches the cluster, and starts the engine that syncs it; `cleanup` stops both. */
export function openCluster(
  { cluster, sync }: FluxdConfig,
  {
    client,
    discovery,
    keyring,
    operations,
    allowance,
    metrics,
    logger,
    clock,
    cleanup,
    signal,
  }: ClusterContext,
): OpenedCluster {
  const clusterLogger = logger.with({ component: "cluster" });
  const prune = pruneMode(sync);
  const cache = createClusterCache({
    client,
    discovery,
    // Without garbage collection, it doesn't matter which other objects are ours, so nothing else is watched.
    managedLabel: prune === "off" ? undefined : { key: markLabel },
    namespaces: cluster.allowNamespaces,
    clock,
    logger: clusterLogger,
    excludes: (gvk) => isExcludedKind(gvk, cluster.excludeResources),
    // fluxd has no use for the health of what it's going to delete.
    managedHealth: () => false,
  });
  openCacheMetrics(metrics, cache);
  cache.start();
  cleanup.defer(() => cache.stop());
  const engine = createClusterEngine({ client, cache, clock, logger: clusterLogger, operations });
  void engine.run(signal).catch((error: unknown) => {
    clusterLogger.log({ err: error instanceof Error ? error : String(error) });
  });
  const allowedNamespaces = new Set(cluster.allowNamespaces);
  const own = new FluxCluster({
    engine,
    cache,
    client,
    discovery,
    keyring,
    allowance,
    allowedNamespaces,
    prune,
    pruneLimit: sync.pruneLimit,
    takeOver: sync.takeOver,
    preflight: sync.preflight,
    logger: clusterLogger,
  });
  return {
    cluster: own,
    checkups: [
      accessCheckup({
        client,
        discovery,
        allowedNamespaces,
        prunes: prune === "on",
        kindsInUse: () => own.kindsInUse(),
      }),
    ],
    conditions: [apiCheckup(cache)],
    images: new ClusterImages({ cache, client, allowedNamespaces, logger: clusterLogger }),
  };
}

/** The cluster for the daemon, and what is to be known of it. */
interface OpenedCluster extends Pick<DaemonDependencies, "checkups" | "conditions"> {
  readonly cluster: Cluster;
  readonly images: ImageSource;
}

export interface ClusterContext {
  readonly client: RestClient;
  readonly discovery: Discovery;
  readonly keyring: SshKeyring;
  readonly operations: OperationStore;
  readonly allowance: PruneAllowance;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly cleanup: AsyncDisposableStack;
  readonly signal: AbortSignal;
}
