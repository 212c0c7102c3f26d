/**
 * Keeps many units in sync with their manifests, in many clusters. The store knows which units exist and what
 * to do with them, the generator creates their manifests, and one ClusterEngine for each cluster compares and
 * syncs them. Events and polls only say which unit to check again. Each cluster has queues and workers of its
 * own (fleet/cluster-lane), and no call to a cluster, the generator, or a store is waited for longer than its
 * limit (fleet/outside-calls), so that none of them holds up the others.
 */
import { type Clock, invariant, type Logger, silentLogger, systemClock, type Unsubscribe } from "@weir/base";
import type { KubeObject, ResourceKey } from "@weir/kube";
import { type FleetLimits, type Processors, usualLimits } from "./fleet-limits.ts";
import { type BeforeSync, FleetListeners } from "./fleet-listeners.ts";
import { FleetRun } from "./fleet-run.ts";
import { OutsideCalls } from "./outside-calls.ts";
import type {
  CredentialsStore,
  ManifestGenerator,
  OperationState,
  ReconciliationSettings,
  SyncUnitEvent,
  SyncUnitStore,
} from "./ports.ts";
import { UnitRecords } from "./unit-records.ts";
import { UnitTargets } from "./unit-targets.ts";

/** Keeps many units in sync with their manifests, in many clusters. */
export interface FleetEngine {
  /**
   * Compares all units, and runs their operations, until the signal is aborted; then ends within 2 seconds.
   * Calls that ignore the abort are abandoned and logged. Operations that are interrupted continue with the
   * next run. Must not be called again before it has ended.
   */
  run(processors: Processors, signal: AbortSignal): Promise<void>;
  /**
   * Checks one unit or all units again, because the source, operation, or destination changed. An operation
   * with a higher generation than the one that runs ends that one, even while it waits.
   */
  refresh(unit?: string): void;
  /**
   * Takes effect for everything that begins from now on: clusters are watched again, and all units are checked
   * again. Syncs that run end with the old settings.
   */
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
  /** How long to wait for clusters, the generator, and the store. */
  readonly limits?: Partial<FleetLimits>;
}

const usualRefreshMs = 180_000;

/** Creates an engine for the units of `store`. Nothing happens until it runs. */
export function createFleetEngine(options: FleetEngineOptions): FleetEngine {
  return new LaneFleetEngine(options);
}

class LaneFleetEngine implements FleetEngine {
  readonly #options: FleetEngineOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #listeners: FleetListeners;
  #settings: ReconciliationSettings;
  #run: FleetRun | undefined;

  constructor(options: FleetEngineOptions) {
    const { settings, clock = systemClock, logger = silentLogger } = options;
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
    this.#listeners = new FleetListeners(logger);
    this.#settings = settings;
  }

  async run(processors: Processors, signal: AbortSignal): Promise<void> {
    invariant(this.#run === undefined, "the fleet engine is running already");
    this.#run = this.#begin(processors, signal);
    try {
      await this.#run.toEnd();
    } finally {
      this.#run = undefined;
    }
  }

  refresh(unit?: string): void {
    this.#run?.refresh(unit);
  }

  setReconciliationSettings(settings: ReconciliationSettings): void {
    this.#settings = settings;
    this.#run?.renew();
  }

  onBeforeSync(listener: BeforeSync): Unsubscribe {
    return this.#listeners.beforeSync.add(listener);
  }

  onSyncCompleted(listener: (unit: string, state: OperationState) => void): Unsubscribe {
    return this.#listeners.completed.add(listener);
  }

  onClusterCacheInitialized(listener: (server: string) => void): Unsubscribe {
    return this.#listeners.initialized.add(listener);
  }

  onResourceUpdated(listener: (cluster: string, object: KubeObject) => void): Unsubscribe {
    return this.#listeners.updated.add(listener);
  }

  onResourceRemoved(listener: (cluster: string, key: ResourceKey) => void): Unsubscribe {
    return this.#listeners.removed.add(listener);
  }

  onSyncUnitEvent(listener: (unit: string, event: SyncUnitEvent) => void): Unsubscribe {
    return this.#listeners.unitEvents.add(listener);
  }

  #begin(processors: Processors, signal: AbortSignal): FleetRun {
    const { credentialsStore: credentials, manifestGenerator: generator, store } = this.#options;
    const { refreshMs = usualRefreshMs } = this.#options;
    const [clock, logger, listeners] = [this.#clock, this.#logger, this.#listeners];
    const limits = { ...usualLimits, ...this.#options.limits };
    const calls = new OutsideCalls(clock);
    const records = new UnitRecords({ store, calls, limitMs: limits.storeMs });
    const common = { records, credentials, calls, clock, logger };
    const lanes = {
      ...common,
      limits,
      targets: new UnitTargets({ generator, calls, clock, limitMs: limits.generateMs }),
      settings: () => this.#settings,
      listeners,
    };
    return new FleetRun({ ...common, processors, refreshMs, lanes }, signal);
  }
}
