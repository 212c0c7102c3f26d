import { type BackoffPolicy, backoffDelay, type Clock, type Logger, toError, Wake } from "@weir/base";
import { type Drift, DriftMemory } from "../drift/drift-memory.ts";
import { Claims } from "./claims.ts";
import { type Connection, openConnection } from "./cluster-connection.ts";
import { ClusterLink, type ClusterUnavailableError } from "./cluster-link.ts";
import { type CompareContext, compareUnit } from "./compare-unit.ts";
import type { FleetLimits, Processors } from "./fleet-limits.ts";
import type { FleetListeners } from "./fleet-listeners.ts";
import { OperationStates } from "./operation-states.ts";
import type { OutsideCalls } from "./outside-calls.ts";
import type {
  CredentialsStore,
  OperationState,
  ReconciliationSettings,
  SyncUnit,
  SyncUnitEvent,
} from "./ports.ts";
import { UnitOperations } from "./unit-operations.ts";
import type { UnitRecords } from "./unit-records.ts";
import type { UnitTargets } from "./unit-targets.ts";
import { WorkQueue } from "./work-queue.ts";

/** How often to try whether an unavailable cluster answers again. */
const recovery: BackoffPolicy = { initialMs: 2_000, maxMs: 60_000, factor: 2, jitter: 0.5 };

/** The dependencies that the lanes of all clusters share. */
export interface SharedByLanes {
  readonly credentials: CredentialsStore;
  readonly settings: () => ReconciliationSettings;
  readonly records: UnitRecords;
  readonly targets: UnitTargets;
  readonly calls: OutsideCalls;
  readonly limits: FleetLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly listeners: FleetListeners;
  /** Reads a unit again, and everything about it that's due. */
  readonly refresh: (unit: string) => void;
}

/**
 * The units of one cluster, with queues and workers of their own, so that a cluster that is slow or away holds
 * up only them.
 */
export class ClusterLane {
  readonly #cluster: string;
  readonly #shared: SharedByLanes;
  readonly #units = new Set<string>();
  readonly #looks = new WorkQueue();
  readonly #due = new WorkQueue();
  readonly #memory = new DriftMemory();
  readonly #claims = new Claims();
  readonly #unavailable = new Wake();
  readonly #link: ClusterLink;
  readonly #operations: UnitOperations;
  readonly #context: CompareContext;

  constructor(cluster: string, shared: SharedByLanes) {
    const { records, targets, calls, clock, limits, listeners } = shared;
    const tell = (unit: string, event: SyncUnitEvent): void => listeners.tellUnit(unit, event);
    this.#cluster = cluster;
    this.#shared = shared;
    this.#link = new ClusterLink({
      cluster,
      connect: (signal) => this.#connect(signal),
      calls,
      limitMs: limits.connectMs,
      clock,
      onUnavailable: (error) => this.#onUnavailable(error),
    });
    const common = { targets, link: this.#link, claims: this.#claims, calls };
    const completed = (unit: string, state: OperationState): void => {
      listeners.tellCompleted(unit, state);
      this.look(unit);
    };
    this.#operations = new UnitOperations({
      cluster,
      records,
      states: new OperationStates({ records, clock, tell, completed }),
      context: {
        ...common,
        clock,
        limitMs: limits.compareMs,
        review: (unit, tasks) => listeners.review(unit, tasks),
      },
      tell,
      ready: (unit) => this.#due.add(unit),
    });
    this.#context = {
      ...common,
      records,
      tell,
      compareMs: limits.compareMs,
      concerns: (units) => this.#lookAll(units),
    };
  }

  /** A unit of this cluster, as it's stored now: compares it, and runs its operation if that's due. */
  add(unit: SyncUnit): void {
    this.#units.add(unit.id);
    this.#operations.note(unit);
    this.look(unit.id);
  }

  /** Compares a unit again. */
  look(unit: string): void {
    this.#looks.add(unit);
  }

  /** The unit is gone, or in another cluster now. */
  remove(unit: string): void {
    if (this.#units.delete(unit)) {
      this.#operations.forget(unit);
      this.#memory.forget(unit);
      this.#lookAll(this.#claims.replace(unit, []));
    }
  }

  get isEmpty(): boolean {
    return this.#units.size === 0;
  }

  /** The settings or credentials have changed: new work gets a new connection, and all units are compared. */
  renew(): void {
    this.#link.renew();
    this.#units.forEach((unit) => this.#shared.refresh(unit));
  }

  /** Works until the signal is aborted, then closes the connections; what that does is left to `calls`. */
  async run({ statusProcessors, operationProcessors }: Processors, signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.#looks.run(statusProcessors, (id) => this.#compare(id, signal), signal),
      this.#due.run(operationProcessors, (id) => this.#operate(id, signal), signal),
      this.#recover(signal).catch(() => undefined),
    ]);
    this.#link.close();
  }

  async #compare(id: string, signal: AbortSignal): Promise<void> {
    await this.#withoutFailing(id, signal, async () => {
      const unit = await this.#shared.records.get(id, signal);
      if (unit?.destination.cluster === this.#cluster) {
        await compareUnit(unit, this.#context, signal);
      }
    });
  }

  async #operate(id: string, signal: AbortSignal): Promise<void> {
    await this.#withoutFailing(id, signal, () => this.#operations.advance(id, signal));
  }

  async #withoutFailing(unit: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) {
        this.#shared.logger.log({ warning: "cannot work on a sync unit", unit, err: toError(error) });
      }
    }
  }

  async #connect(signal: AbortSignal): Promise<Connection> {
    const { credentials, clock, logger, records, listeners, settings, refresh } = this.#shared;
    const cluster = await credentials.getCluster(this.#cluster, signal);
    if (signal.aborted) {
      await cluster.client.close();
      signal.throwIfAborted();
    }
    return openConnection(cluster, {
      settings: settings(),
      driftMemory: this.#memory,
      operations: records.operationsIn(this.#cluster),
      clock,
      logger,
      news: {
        onResource: (event) => listeners.tellResource(this.#cluster, event),
        onInitialized: (server) => {
          listeners.tellInitialized(server);
          this.#units.forEach(refresh);
        },
        onDrift: (drift) => {
          listeners.tellUnit(drift.unit, { kind: "drifted", message: driftMessage(drift) });
          this.look(drift.unit);
        },
      },
    });
  }

  #lookAll(units: Iterable<string>): void {
    for (const unit of units) {
      this.look(unit);
    }
  }

  #onUnavailable(error: ClusterUnavailableError): void {
    this.#shared.logger.log({ warning: "a cluster is unavailable", cluster: this.#cluster, err: error });
    this.#lookAll(this.#units);
    this.#unavailable.wake();
  }

  async #recover(signal: AbortSignal): Promise<void> {
    const { clock, logger, refresh } = this.#shared;
    for (;;) {
      await this.#unavailable.wait(signal);
      let tries = 1;
      do {
        await clock.sleep(backoffDelay(recovery, tries), signal);
        tries += 1;
      } while (!(await this.#link.recover(signal)));
      logger.log({ info: "a cluster is available again", cluster: this.#cluster });
      this.#units.forEach(refresh);
    }
  }
}

function driftMessage({ objects }: Drift): string {
  return objects.map(({ key, what }) => `${key.kind} ${key.namespace}/${key.name} ${what}`).join(", ");
}
