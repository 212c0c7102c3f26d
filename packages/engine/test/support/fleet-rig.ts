import type { KubeObject } from "@weir/kube";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import { RecordedLog } from "@weir/testing";
import {
  type Cluster,
  type ClusterEvent,
  createFleetEngine,
  type FleetEngine,
  type FleetEngineOptions,
  type GeneratedManifests,
  type OperationState,
  type SyncOperation,
  type SyncUnit,
  type SyncUnitStatus,
  type SyncUnitStore,
} from "../../src/index.ts";

const unknown: SyncUnitStatus = { sync: "Unknown", health: "Unknown", revision: "", message: "" };

/** Units in memory, and their manifests, which the test changes. */
export class Units implements SyncUnitStore {
  readonly #units = new Map<string, SyncUnit>();
  readonly manifests = new Map<string, readonly KubeObject[]>();
  revision = "r1";

  add(id: string, manifests: readonly KubeObject[], cluster = "here"): void {
    this.manifests.set(id, manifests);
    this.#units.set(id, { id, status: unknown, source: id, destination: { cluster } });
  }

  remove(id: string): void {
    this.#units.delete(id);
  }

  list(): Promise<readonly SyncUnit[]> {
    return Promise.resolve([...this.#units.values()]);
  }

  get(id: string): Promise<SyncUnit | undefined> {
    return Promise.resolve(this.#units.get(id));
  }

  setStatus(id: string, status: SyncUnitStatus): Promise<void> {
    this.#change(id, { status });
    return Promise.resolve();
  }

  /** Requests a sync, with the next generation. */
  request(id: string, options: Omit<SyncOperation, "generation"> = {}): number {
    const generation = (this.#units.get(id)?.operation?.generation ?? 0) + 1;
    this.#change(id, { operation: { ...options, generation } });
    return generation;
  }

  generate(source: unknown): Promise<GeneratedManifests> {
    const manifests = this.manifests.get(String(source));
    return manifests === undefined
      ? Promise.reject(new Error(`no manifests for ${String(source)}`))
      : Promise.resolve({ manifests, revision: this.revision });
  }

  unit(id: string): SyncUnit | undefined {
    return this.#units.get(id);
  }

  statusOf(id: string): SyncUnitStatus | undefined {
    return this.#units.get(id)?.status;
  }

  #change(id: string, change: Partial<SyncUnit>): void {
    const unit = this.#units.get(id);
    if (unit !== undefined) {
      this.#units.set(id, { ...unit, ...change });
    }
  }
}

/** Clusters by name, as functions that make a new client each time, and what happens to them. */
export class Clusters {
  readonly #clients = new Map<string, () => Promise<RestClient>>();
  #listener: ((event: ClusterEvent) => void) | undefined;

  add(name: string, client: () => Promise<RestClient>): this {
    this.#clients.set(name, client);
    return this;
  }

  async getCluster(name: string): Promise<Cluster> {
    const client = await this.#clients.get(name)?.();
    if (client === undefined) {
      throw new Error(`no cluster ${name}`);
    }
    return { name, client };
  }

  watchClusters(listener: (event: ClusterEvent) => void, signal: AbortSignal): Promise<void> {
    this.#listener = listener;
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }

  tell(event: ClusterEvent): void {
    this.#listener?.(event);
  }
}

/** A running engine, and what it told. */
export interface RunningFleet extends AsyncDisposable {
  readonly engine: FleetEngine;
  readonly units: Units;
  readonly events: string[];
  readonly completed: OperationState[];
  readonly log: readonly string[];
  /** Aborts the engine; resolves when it has ended. */
  stop(): Promise<void>;
}

/** Runs an engine with one worker of each kind for each cluster; `more` replaces parts of it. */
export function runFleet(
  clusters: Clusters,
  units: Units,
  more: Partial<FleetEngineOptions> = {},
): RunningFleet {
  const log: string[] = [];
  const engine = createFleetEngine({
    settings: { instanceLabelKey: "example.test/unit" },
    credentialsStore: clusters,
    manifestGenerator: units,
    store: units,
    logger: new RecordedLog(log),
    ...more,
  });
  const events: string[] = [];
  const completed: OperationState[] = [];
  engine.onSyncUnitEvent((unit, { kind, message }) => events.push(`${unit} ${kind}: ${message}`));
  engine.onSyncCompleted((_unit, state) => completed.push(state));
  const abort = new AbortController();
  const running = engine.run({ statusProcessors: 1, operationProcessors: 1 }, abort.signal);
  const stop = (): Promise<void> => {
    abort.abort();
    return running;
  };
  return { engine, units, events, completed, log, stop, [Symbol.asyncDispose]: stop };
}

/** Clients for the cluster of a kubeconfig. */
export function clientsOf(kubeconfigPath: string): () => Promise<RestClient> {
  return async () => {
    const credentials = await loadKubeConfig({ kubeconfig: kubeconfigPath, env: {} });
    return createRestClient({ credentials, userAgent: "weir/test" });
  };
}
