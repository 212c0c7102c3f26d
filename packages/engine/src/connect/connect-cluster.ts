/** Connects an engine to the cluster of a kubeconfig. Its parts can be made one by one too. */
import { type Clock, type Environment, type Logger, silentLogger, systemClock } from "@weir/base";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import { type ClusterCredentials, createDiscovery, type RestClient } from "@weir/kube/rest";
import { type ClusterCache, createClusterCache } from "../cache/cluster-cache.ts";
import type { ManagedLabel } from "../cache/managed-label.ts";
import type { KindFilter } from "../cache/watchable.ts";
import { createClusterEngine } from "../engine.ts";
import type { ClusterEngine, ClusterEngineOptions } from "../sync/cluster-engine.ts";

/** Which objects of a cluster are managed, and how an engine watches them. */
export interface EngineSettings extends Pick<ClusterEngineOptions, "operations" | "overrides"> {
  /** Only these namespaces are watched, so that Roles are enough; absent or empty: all. */
  readonly namespaces?: readonly string[];
  /** The label of the objects that may be pruned; without it, nothing is pruned. */
  readonly managedLabel?: ManagedLabel;
  /** Kinds without managed objects; by default none. */
  readonly excludes?: KindFilter;
  /** E.g. "my-agent/1.0.0". */
  readonly userAgent?: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Which cluster to connect to, and which of its objects are managed. */
export interface ConnectOptions extends EngineSettings {
  /** The environment for KUBECONFIG, HOME, and credential plugins; usually `process.env`. */
  readonly env: Environment;
  /** A kubeconfig file; by default those that kubectl would use, or the service account of a pod. */
  readonly kubeconfig?: string;
  /** A context of the kubeconfig; by default its current one. */
  readonly context?: string;
  /** Ends a credential plugin that's still running. */
  readonly signal?: AbortSignal;
}

/** An engine that runs, and what it runs on. Disposing of it stops everything. */
export interface ConnectedCluster extends AsyncDisposable {
  readonly engine: ClusterEngine;
  readonly cache: ClusterCache;
  readonly client: RestClient;
  /** The namespace of the context. */
  readonly namespace: string;
}

/**
 * Reads a kubeconfig, and starts an engine with a client and a cache. Nothing is requested before the first
 * sync. Rejects with KubeConfigError.
 */
export async function connectCluster(options: ConnectOptions): Promise<ConnectedCluster> {
  const { clock = systemClock } = options;
  return startEngine(await loadKubeConfig({ ...options, clock }), options);
}

/** Starts an engine for the cluster of these credentials. Nothing is requested before the first sync. */
export function startEngine(credentials: ClusterCredentials, options: EngineSettings): ConnectedCluster {
  const { clock = systemClock, logger = silentLogger, namespaces = [], operations, overrides } = options;
  const client = createRestClient({ credentials, userAgent: options.userAgent ?? "weir-engine", clock });
  const cache = createClusterCache({
    client,
    discovery: createDiscovery(client, clock),
    managedLabel: options.managedLabel,
    namespaces,
    clock,
    logger,
    excludes: options.excludes ?? (() => false),
    ...(overrides === undefined ? {} : { overrides }),
  });
  const engine = createClusterEngine({
    client,
    cache,
    clock,
    logger,
    ...(operations === undefined ? {} : { operations }),
    ...(overrides === undefined ? {} : { overrides }),
  });
  const over = new AbortController();
  cache.start();
  const running = engine.run(over.signal);
  return {
    engine,
    cache,
    client,
    namespace: credentials.namespace,
    async [Symbol.asyncDispose]() {
      over.abort();
      await running;
      await cache.stop();
      await client.close();
    },
  };
}
