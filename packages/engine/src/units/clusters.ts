import { type Clock, type Logger, toError } from "@weir/base";
import type { GroupVersionKind } from "@weir/kube";
import { createDiscovery } from "@weir/kube/rest";
import { createClusterCache } from "../cache/cluster-cache.ts";
import type { ResourceEvent } from "../cache/resource-cache.ts";
import { type ClusterEngine, createClusterEngine } from "../cluster-engine.ts";
import type { Drift } from "../drift.ts";
import type { Cluster, CredentialsStore, ReconciliationSettings } from "../types.ts";

/** What is told of clusters. */
export interface ClusterNews {
  readonly onInitialized: (server: string) => void;
  readonly onResource: (cluster: string, event: ResourceEvent) => void;
  readonly onDrift: (drift: Drift) => void;
}

/** What a pool of clusters is made of. */
export interface ClusterPoolOptions {
  readonly credentials: CredentialsStore;
  readonly settings: () => ReconciliationSettings;
  readonly news: ClusterNews;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A cluster that is being watched. */
interface OpenCluster {
  readonly engine: ClusterEngine;
  close(): Promise<void>;
}

/** Dials each cluster when it is first needed, and watches it until it is let go. */
export class ClusterPool {
  readonly #options: ClusterPoolOptions;
  readonly #open = new Map<string, Promise<OpenCluster>>();

  constructor(options: ClusterPoolOptions) {
    this.#options = options;
  }

  /** The engine of a cluster. Rejects where the credentials store does. */
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

  /** Lets a cluster go; who needs it again dials it anew. */
  async drop(name: string): Promise<void> {
    const known = this.#open.get(name);
    this.#open.delete(name);
    const cluster = await known?.catch(() => undefined);
    await cluster?.close();
  }

  /** Lets all clusters go. */
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
