/**
 * Keeps many units in sync with their manifests, in many clusters. The store knows which units exist and what
 * to do with them, the generator creates their manifests, and one ClusterEngine for each cluster compares and
 * syncs them. Events and polls only say which unit to check again.
 */
import {
  type Clock,
  Listeners,
  type Logger,
  silentLogger,
  systemClock,
  toError,
  type Unsubscribe,
} from "@weir/base";
import type { KubeObject, ResourceKey } from "@weir/kube";
import type { ResourceEvent } from "./cache/resource-cache.ts";
import type { Drift } from "./drift.ts";
import type { SyncTask } from "./sync/task.ts";
import type {
  ClusterEvent,
  CredentialsStore,
  ManifestGenerator,
  OperationState,
  ReconciliationSettings,
  SyncUnit,
  SyncUnitEvent,
  SyncUnitStore,
} from "./types.ts";
import { ClusterPool } from "./units/clusters.ts";
import { lookAtUnit, operateOnUnit, type UnitContext } from "./units/unit-work.ts";
import { WorkQueue } from "./units/work-queue.ts";

/** How many units are compared, and how many are synced, at the same time. */
export interface Processors {
  readonly statusProcessors: number;
  readonly operationProcessors: number;
}

/** Reviews the tasks of a sync before it starts; returns the tasks to do, or throws to prevent the sync. */
export type BeforeSync = (
  unit: string,
  tasks: readonly SyncTask[],
) => readonly SyncTask[] | Promise<readonly SyncTask[]>;

/** Keeps many units in sync with their manifests, in many clusters. */
export interface FleetEngine {
  /** Compares all units, and runs their operations, until the signal is aborted. */
  run(processors: Processors, signal: AbortSignal): Promise<void>;
  /** Checks one unit or all units again, because the source, operation, or destination changed. */
  refresh(unit?: string): void;
  /** Takes effect immediately: clusters are watched again and all units are checked again. */
  setReconciliationSettings(settings: ReconciliationSettings): void;
  /** Called before each sync, one listener after the other. */
  onBeforeSync(listener: BeforeSync): Unsubscribe;
  /** Called after each sync, including failed ones. */
  onSyncCompleted(listener: (unit: string, state: OperationState) => void): Unsubscribe;
  /** Called with the address of a server when all managed objects there are known. */
  onClusterCacheInitialized(listener: (server: string) => void): Unsubscribe;
  /** Called for live objects that are created or changed, as far as they're watched. */
  onResourceUpdated(listener: (cluster: string, object: KubeObject) => void): Unsubscribe;
  /** Called for live objects that are deleted. */
  onResourceRemoved(listener: (cluster: string, key: ResourceKey) => void): Unsubscribe;
  /** Called for the events of units. */
  onSyncUnitEvent(listener: (unit: string, event: SyncUnitEvent) => void): Unsubscribe;
}

/** The dependencies of a fleet engine. */
export interface FleetEngineOptions {
  readonly settings: ReconciliationSettings;
  readonly credentialsStore: CredentialsStore;
  readonly manifestGenerator: ManifestGenerator;
  readonly store: SyncUnitStore;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** How often each unit is checked without a reason, in milliseconds; 3 minutes by default. */
  readonly refreshMs?: number;
}

const usualRefreshMs = 180_000;

/** Creates an engine for the units of `store`. Nothing happens until it runs. */
export function createFleetEngine(options: FleetEngineOptions): FleetEngine {
  return new QueuedFleetEngine(options);
}

class QueuedFleetEngine implements FleetEngine {
  readonly #credentials: CredentialsStore;
  readonly #store: SyncUnitStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #refreshMs: number;
  readonly #clusters: ClusterPool;
  readonly #context: UnitContext;
  readonly #looks = new WorkQueue();
  readonly #operations = new WorkQueue();
  readonly #beforeSync = new Listeners<BeforeSync>();
  readonly #completed = new Listeners<(unit: string, state: OperationState) => void>();
  readonly #initialized = new Listeners<(server: string) => void>();
  readonly #updated = new Listeners<(cluster: string, object: KubeObject) => void>();
  readonly #removed = new Listeners<(cluster: string, key: ResourceKey) => void>();
  readonly #unitEvents = new Listeners<(unit: string, event: SyncUnitEvent) => void>();
  #settings: ReconciliationSettings;
  /** Resolved when all units are due; the loop that lists them waits for it. */
  #allDue = Promise.withResolvers<true>();

  constructor(options: FleetEngineOptions) {
    const { settings, credentialsStore: credentials, manifestGenerator: generator, store } = options;
    const { clock = systemClock, logger = silentLogger, refreshMs = usualRefreshMs } = options;
    this.#settings = settings;
    this.#credentials = credentials;
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#refreshMs = refreshMs;
    this.#clusters = new ClusterPool({
      credentials,
      settings: () => this.#settings,
      news: {
        onInitialized: (server) => this.#tell(this.#initialized, (listener) => listener(server)),
        onResource: (cluster, event) => this.#tellResource(cluster, event),
        onDrift: (drift) => this.#noteDrift(drift),
      },
      clock,
      logger,
    });
    this.#context = {
      store,
      generator,
      clock,
      settings: () => this.#settings,
      engineOf: (cluster, signal) => this.#clusters.engineOf(cluster, signal),
      review: (unit, tasks) => this.#review(unit, tasks),
      tell: (unit, event) => this.#tell(this.#unitEvents, (listener) => listener(unit, event)),
      completed: (unit, state) => this.#tell(this.#completed, (listener) => listener(unit, state)),
    };
  }

  async run({ statusProcessors, operationProcessors }: Processors, signal: AbortSignal): Promise<void> {
    const watching = this.#credentials.watchClusters((event) => this.#noteCluster(event), signal);
    await Promise.all([
      this.#listUnits(signal),
      this.#looks.run(statusProcessors, (id) => this.#look(id, signal), signal),
      this.#operations.run(operationProcessors, (id) => this.#operate(id, signal), signal),
      watching.catch((error: unknown) => this.#failed("cannot watch the clusters", error, signal)),
    ]);
    await this.#clusters.dropAll();
  }

  refresh(unit?: string): void {
    if (unit === undefined) {
      this.#allDue.resolve(true);
    } else {
      this.#looks.add(unit);
    }
  }

  setReconciliationSettings(settings: ReconciliationSettings): void {
    this.#settings = settings;
    void this.#clusters.dropAll();
    this.refresh();
  }

  onBeforeSync(listener: BeforeSync): Unsubscribe {
    return this.#beforeSync.add(listener);
  }

  onSyncCompleted(listener: (unit: string, state: OperationState) => void): Unsubscribe {
    return this.#completed.add(listener);
  }

  onClusterCacheInitialized(listener: (server: string) => void): Unsubscribe {
    return this.#initialized.add(listener);
  }

  onResourceUpdated(listener: (cluster: string, object: KubeObject) => void): Unsubscribe {
    return this.#updated.add(listener);
  }

  onResourceRemoved(listener: (cluster: string, key: ResourceKey) => void): Unsubscribe {
    return this.#removed.add(listener);
  }

  onSyncUnitEvent(listener: (unit: string, event: SyncUnitEvent) => void): Unsubscribe {
    return this.#unitEvents.add(listener);
  }

  /** Checks every unit at the start, on request, and periodically. */
  async #listUnits(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#allDue = Promise.withResolvers<true>();
      try {
        for (const { id } of await this.#store.list(signal)) {
          this.#looks.add(id);
        }
      } catch (error) {
        this.#failed("cannot list the sync units", error, signal);
      }
      const enough = new AbortController();
      const either = AbortSignal.any([signal, enough.signal]);
      const timeout = this.#clock.sleep(this.#refreshMs, either).catch(() => undefined);
      await Promise.race([this.#allDue.promise, timeout]);
      enough.abort();
    }
  }

  async #look(id: string, signal: AbortSignal): Promise<void> {
    await this.#withUnit(id, signal, async (unit) => {
      if (unit.operation !== undefined) {
        this.#operations.add(id);
      }
      await lookAtUnit(unit, this.#context, signal);
    });
  }

  async #operate(id: string, signal: AbortSignal): Promise<void> {
    await this.#withUnit(id, signal, async (unit) => {
      await operateOnUnit(unit, this.#context, signal);
      this.#looks.add(id);
    });
  }

  async #withUnit(id: string, signal: AbortSignal, work: (unit: SyncUnit) => Promise<void>): Promise<void> {
    try {
      const unit = await this.#store.get(id, signal);
      if (unit !== undefined) {
        await work(unit);
      }
    } catch (error) {
      this.#failed("cannot work on a sync unit", error, signal);
    }
  }

  async #review(unit: string, tasks: readonly SyncTask[]): Promise<readonly SyncTask[]> {
    let reviewed = tasks;
    for (const listener of this.#beforeSync) {
      reviewed = await listener(unit, reviewed);
    }
    return reviewed;
  }

  #noteCluster({ cluster }: ClusterEvent): void {
    void this.#clusters.drop(cluster);
    this.refresh();
  }

  #noteDrift({ unit, objects }: Drift): void {
    const message = objects
      .map(({ key, what }) => `${key.kind} ${key.namespace}/${key.name} ${what}`)
      .join(", ");
    this.#context.tell(unit, { kind: "drifted", message });
    this.#looks.add(unit);
  }

  #tellResource(cluster: string, { key, after }: ResourceEvent): void {
    if (after === undefined) {
      this.#tell(this.#removed, (listener) => listener(cluster, key));
    } else {
      this.#tell(this.#updated, (listener) => listener(cluster, after));
    }
  }

  /** A listener that throws doesn't affect the others. */
  #tell<Listener>(listeners: Listeners<Listener>, call: (listener: Listener) => void): void {
    for (const listener of listeners) {
      try {
        call(listener);
      } catch (error) {
        this.#logger.log({ warning: "a listener of the engine failed", err: toError(error) });
      }
    }
  }

  #failed(warning: string, error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) {
      this.#logger.log({ warning, err: toError(error) });
    }
  }
}
