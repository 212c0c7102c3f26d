import { type Clock, type Logger, toError, type Unsubscribe } from "@weir/base";
import { KubeApiError } from "@weir/kube";
import { createDiscovery } from "@weir/kube/rest";
import { createClusterCache } from "../cache/cluster-cache.ts";
import type { ResourceEvent } from "../cache/resource-cache.ts";
import type { Drift, DriftMemory } from "../drift/drift-memory.ts";
import { createClusterEngine } from "../engine.ts";
import type { OperationStore } from "../run/operation-record.ts";
import type { ClusterEngine } from "../sync/cluster-engine.ts";
import type { Cluster, ReconciliationSettings } from "./ports.ts";

/** What happens in a cluster. */
export interface ClusterNews {
  /** All managed objects are known. */
  readonly onInitialized: (server: string) => void;
  readonly onResource: (event: ResourceEvent) => void;
  readonly onDrift: (drift: Drift) => void;
}

/** The dependencies of a connection. */
export interface ConnectionOptions {
  readonly settings: ReconciliationSettings;
  readonly news: ClusterNews;
  /** What earlier connections to the cluster have synced. */
  readonly driftMemory: DriftMemory;
  readonly operations: OperationStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A cluster that is watched with one client and with the settings of one moment. */
export interface Connection {
  readonly server: string;
  readonly engine: ClusterEngine;
  readonly settings: ReconciliationSettings;
  /** Resolves if the server answers, whatever it says. */
  probe(signal: AbortSignal): Promise<void>;
  /** Stops the news: another connection brings them now. */
  mute(): void;
  /** Ends everything; resolves when nothing of it is left. */
  close(): Promise<void>;
}

/** Starts to watch a cluster. */
export function openConnection(
  { name, client, namespaces = [] }: Cluster,
  options: ConnectionOptions,
): Connection {
  const { settings, news, driftMemory, operations, clock, logger } = options;
  const { instanceLabelKey, resourcesFilter, resourceOverrides: overrides = {} } = settings;
  const cache = createClusterCache({
    client,
    discovery: createDiscovery(client, clock),
    managedLabel: { key: instanceLabelKey },
    namespaces,
    clock,
    logger,
    excludes: (gvk) => resourcesFilter?.excludes(gvk, name) ?? false,
    overrides,
  });
  const engine = createClusterEngine({ client, cache, overrides, clock, logger, driftMemory, operations });
  const closed = new AbortController();
  const subscriptions: Unsubscribe[] = [cache.subscribe(news.onResource), engine.onDrift(news.onDrift)];
  cache.start();
  cache
    .watchManaged(closed.signal)
    .then(() => news.onInitialized(client.server))
    .catch(() => undefined);
  const running = engine.run(closed.signal).catch((error: unknown) => {
    logger.log({ warning: "cannot watch a cluster", cluster: name, err: toError(error) });
  });
  return {
    server: client.server,
    engine,
    settings,
    async probe(signal) {
      try {
        await client.json({ method: "GET", path: "/version", isProbe: true, signal });
      } catch (error) {
        if (!(error instanceof KubeApiError)) {
          throw error;
        }
      }
    },
    mute() {
      subscriptions.forEach((unsubscribe) => unsubscribe());
    },
    async close() {
      closed.abort();
      await running;
      await cache.stop();
      await client.close();
    },
  };
}
