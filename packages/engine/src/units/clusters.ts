import { type Clock, type Logger, toError } from "@weir/base";
import type { GroupVersionKind } from "@weir/kube";
import { createDiscovery } from "@weir/kube/rest";
import { createClusterCache } from "../cache/cluster-cache.ts";
import type { ResourceEvent } from "../cache/resource-cache.ts";
import { type ClusterEngine, createClusterEngine } from "../cluster-engine.ts";
import type { Drift } from "../drift.ts";
import type { Cluster, CredentialsStore, ReconciliationSettings } from "../types.ts";

/** The callbacks of a cluster pool. */
export interface ClusterNews {
  readonly onInitialized: (server: string) => void;
  readonly onResource: (cluster: string, event: ResourceEvent) => void;
  readonly onDrift: (drift: Drift) => void;
}

/** The dependencies of a cluster pool. */
export interface ClusterPoolOptions {
  readonly credentials: CredentialsStore;
  readonly settings: () => ReconciliationSettings;
  readonly news: ClusterNews;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A watched cluster. */
interface OpenCluster {
  readonly engine: ClusterEngine;
  close(): Promise<void>;
}

/** Connects to each cluster when it's first needed, and watches it until it's released. */
export class ClusterPool {
  readonly #options: ClusterPoolOptions;
  readonly #open = new Map<string, Promise<OpenCluster>>();

  constructor(options: ClusterPoolOptions) {
    this.#options = options;
  }

  /** The engine of a cluster. Rejects if the credentials store rejects. */
  async engineOf(name: string, signal: AbortSignal): Promise<ClusterEngine> {
    const known = this.#open.get(name) ?? this.#dial(name, signal);
    this.#open.set(name, known);
    try {
      return (await known).engine;
    } catch (error) {
      this.#open.delete(name);
      throw error;
    }
  }

  /** Releases a cluster; the next use connects again. */
  async drop(name: string): Promise<void> {
    const known = this.#open.get(name);
    this.#open.delete(name);
    const cluster = await known?.catch(() => undefined);
    await cluster?.close();
  }

  /** Releases all clusters. */
  async dropAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((name) => this.drop(name)));
  }

  async #dial(name: string, signal: AbortSignal): Promise<OpenCluster> {
    return this.#watch(await this.#options.credentials.getCluster(name, signal));
  }

  #watch({ name, client, namespaces = [] }: Cluster): OpenCluster {
    const { clock, logger, news, settings } = this.#options;
    const { instanceLabelKey, resourcesFilter, resourceOverrides = {} } = settings();
    const cache = createClusterCache({
      client,
      discovery: createDiscovery(client, clock),
      managedLabel: { key: instanceLabelKey },
      namespaces,
      clock,
      logger,
      excludes: (gvk: GroupVersionKind) => resourcesFilter?.excludes(gvk, name) ?? false,
    });
    const engine = createClusterEngine({ client, cache, overrides: resourceOverrides, clock, logger });
    const closed = new AbortController();
    cache.subscribe((event) => news.onResource(name, event));
    engine.onDrift(news.onDrift);
    cache.start();
    cache
      .watchManaged(closed.signal)
      .then(() => news.onInitialized(client.server))
      .catch(() => undefined);
    const running = engine.run(closed.signal).catch((error: unknown) => {
      logger.log({ warning: "cannot watch a cluster", cluster: name, err: toError(error) });
    });
    return {
      engine,
      async close() {
        closed.abort();
        await running;
        await cache.stop();
        await client.close();
      },
    };
  }
}
