import { silentLogger, systemClock } from "@weir/base";
import { type KubeObject, labelOf } from "@weir/kube";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import { createDiscovery } from "@weir/kube/rest";
import { CountingClient } from "@weir/testing";
import {
  type ClusterCache,
  type ClusterEngine,
  createClusterCache,
  createClusterEngine,
  type OperationStore,
  type Preview,
  type ResourceOverrides,
  type SyncOptions,
  type SyncPlan,
  type SyncRequest,
  type SyncResult,
} from "../../src/index.ts";

/** The label by which the rig's objects are known. */
export const ownerLabel = "example.test/owner";

/** The options of a sync; its revision is r1 unless they say otherwise. */
export type RigOptions = SyncOptions & { readonly revision?: string };

/** An engine on a real server, with all that it needs, and a look at what it asks. */
export class EngineRig implements AsyncDisposable {
  readonly engine: ClusterEngine;
  /** Sends what the engine and its cache ask. */
  readonly client: CountingClient;
  /** Sends what the engine asks by itself. The cache asks whenever it likes, also about the kinds of other tests. */
  readonly asked: CountingClient;
  readonly cache: ClusterCache;
  readonly #closed = new AbortController();
  readonly #running: Promise<void>;

  static async open(
    kubeconfigPath: string,
    overrides: ResourceOverrides = {},
    operations?: OperationStore,
  ): Promise<EngineRig> {
    const credentials = await loadKubeConfig({ kubeconfig: kubeconfigPath, env: {} });
    const client = createRestClient({ credentials, userAgent: "weir/test" });
    return new EngineRig(new CountingClient(client), overrides, operations);
  }

  constructor(client: CountingClient, overrides: ResourceOverrides, operations?: OperationStore) {
    this.client = client;
    this.asked = new CountingClient(client);
    this.cache = createClusterCache({
      client,
      discovery: createDiscovery(client),
      managedLabel: { key: ownerLabel },
      namespaces: [],
      clock: systemClock,
      logger: silentLogger,
      excludes: () => false,
      overrides,
    });
    this.cache.start();
    const stored = operations === undefined ? {} : { operations };
    this.engine = createClusterEngine({ client: this.asked, cache: this.cache, overrides, ...stored });
    this.#running = this.engine.run(this.#closed.signal);
  }

  /** Syncs as the owner named; what it says wins over these usual options. */
  sync(
    owner: string,
    objects: readonly KubeObject[],
    options: RigOptions = {},
    signal: AbortSignal = this.#closed.signal,
  ): Promise<SyncResult> {
    return this.engine.sync(syncRequest(owner, objects, options), signal);
  }

  /** What that sync would do. */
  preview(owner: string, objects: readonly KubeObject[], options: RigOptions = {}): Promise<Preview> {
    return this.engine.preview(syncRequest(owner, objects, options), this.#closed.signal);
  }

  /** The plan of that sync. */
  plan(owner: string, objects: readonly KubeObject[], options: SyncOptions = {}): Promise<SyncPlan> {
    return this.engine.plan(syncRequest(owner, objects, options), this.#closed.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await this.#running;
    await this.cache.stop();
    await this.client.close();
  }
}

/** A result in lines, e.g. "ConfigMap a created". */
export function told(result: SyncResult): readonly string[] {
  return result.resources.map(({ key, code, change, error, reason }) => {
    const what = code === "Synced" || code === "Pruned" ? change : code;
    const why = error ?? reason;
    return `${key.kind} ${key.name} ${what}${why === undefined ? "" : `: ${why}`}`;
  });
}

/** The request of such a sync. */
export function syncRequest(owner: string, objects: readonly KubeObject[], options: RigOptions): SyncRequest {
  const targets = objects.map((object) => ({ object: owned(object, owner) }));
  const isManaged = (live: KubeObject): boolean => labelOf(live, ownerLabel) === owner;
  // Most of the rig's owners have so few objects that any prune would exceed the usual limit.
  const usual = { prune: "on", pruneLimit: "100%" } as const;
  return { targets, isManaged, revision: "r1", unit: owner, ...usual, ...options };
}

function owned(object: KubeObject, owner: string): KubeObject {
  const labels = { ...object.metadata.labels, [ownerLabel]: owner };
  return { ...object, metadata: { ...object.metadata, labels } };
}
