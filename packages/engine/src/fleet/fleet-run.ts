import {
  AnyAbort,
  type BackoffPolicy,
  backoffDelay,
  type Clock,
  type LogFields,
  type Logger,
  toError,
} from "@weir/base";
import { ClusterLane, type SharedByLanes } from "./cluster-lane.ts";
import type { Processors } from "./fleet-limits.ts";
import type { OutsideCalls } from "./outside-calls.ts";
import type { CredentialsStore, SyncUnit } from "./ports.ts";
import type { UnitRecords } from "./unit-records.ts";
import { WorkQueue } from "./work-queue.ts";

/** How many units are read from the store at the same time. */
const readers = 8;
/** How long to wait after an abort for what's under way; what takes longer is abandoned. */
const graceMs = 1_500;
const watchBackoff: BackoffPolicy = { initialMs: 1_000, maxMs: 60_000, factor: 2, jitter: 0.5 };

/** The dependencies of a run. */
export interface FleetRunOptions {
  readonly records: UnitRecords;
  readonly credentials: CredentialsStore;
  readonly calls: OutsideCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly processors: Processors;
  /** How often each unit is checked without a reason. */
  readonly refreshMs: number;
  readonly lanes: Omit<SharedByLanes, "refresh">;
}

/**
 * One run of a fleet engine: finds out which units there are, and gives each to the lane of its cluster. Ends
 * soon after the signal is aborted, whatever others do.
 */
export class FleetRun {
  readonly #options: FleetRunOptions;
  readonly #signal: AbortSignal;
  /** The units to read again. */
  readonly #arrivals = new WorkQueue();
  readonly #lanes = new Map<string, { readonly lane: ClusterLane; readonly stop: AbortController }>();
  readonly #clusterOf = new Map<string, string>();
  /** The lanes that work, and those that are ending. */
  readonly #working = new Set<Promise<void>>();
  /** Resolved when all units are due; the loop that lists them waits for it. */
  #allDue = Promise.withResolvers<true>();

  constructor(options: FleetRunOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  async toEnd(): Promise<void> {
    const { calls, logger } = this.#options;
    await Promise.all([
      this.#listUnits(),
      this.#watchClusters(),
      this.#arrivals.run(readers, (id) => this.#read(id), this.#signal),
    ]);
    await Promise.all(this.#working);
    for (const what of await calls.ended(graceMs)) {
      logger.log({ warning: "abandoned what did not end", what });
    }
  }

  /** Checks one unit or all units again. */
  refresh(unit?: string): void {
    if (unit === undefined) {
      this.#allDue.resolve(true);
    } else {
      this.#arrivals.add(unit);
    }
  }

  /** Takes new settings to all clusters. */
  renew(): void {
    this.#lanes.forEach(({ lane }) => lane.renew());
  }

  /** Checks every unit at the start, on request, and periodically. */
  async #listUnits(): Promise<void> {
    const { records, clock, refreshMs } = this.#options;
    while (!this.#signal.aborted) {
      this.#allDue = Promise.withResolvers<true>();
      try {
        this.#follow(await records.list(this.#signal));
      } catch (error) {
        this.#failed({ warning: "cannot list the sync units" }, error);
      }
      const enough = new AbortController();
      const either = AbortSignal.any([this.#signal, enough.signal]);
      const timeout = clock.sleep(refreshMs, either).catch(() => undefined);
      await Promise.race([this.#allDue.promise, timeout]);
      enough.abort();
    }
  }

  async #watchClusters(): Promise<void> {
    const { credentials, calls, clock } = this.#options;
    const signal = this.#signal;
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        await calls.make({ what: "watching the clusters", signal }, (ends) =>
          credentials.watchClusters(({ cluster }) => this.#lanes.get(cluster)?.lane.renew(), ends),
        );
      } catch (error) {
        this.#failed({ warning: "cannot watch the clusters" }, error);
      }
      await clock.sleep(backoffDelay(watchBackoff, tries), signal).catch(() => undefined);
    }
  }

  async #read(id: string): Promise<void> {
    try {
      const unit = await this.#options.records.get(id, this.#signal);
      if (unit === undefined) {
        this.#remove(id);
      } else {
        this.#place(unit);
      }
    } catch (error) {
      this.#failed({ warning: "cannot read a sync unit", unit: id }, error);
    }
  }

  #follow(units: readonly SyncUnit[]): void {
    const ids = new Set(units.map(({ id }) => id));
    [...this.#clusterOf.keys()].filter((id) => !ids.has(id)).forEach((id) => this.#remove(id));
    units.forEach((unit) => this.#place(unit));
  }

  #place(unit: SyncUnit): void {
    const { cluster } = unit.destination;
    if (this.#clusterOf.get(unit.id) !== cluster) {
      this.#remove(unit.id);
      this.#clusterOf.set(unit.id, cluster);
    }
    this.#laneOf(cluster).add(unit);
  }

  #remove(id: string): void {
    const cluster = this.#clusterOf.get(id) ?? "";
    this.#clusterOf.delete(id);
    const known = this.#lanes.get(cluster);
    known?.lane.remove(id);
    if (known?.lane.isEmpty === true) {
      this.#lanes.delete(cluster);
      known.stop.abort();
    }
  }

  #laneOf(cluster: string): ClusterLane {
    const known = this.#lanes.get(cluster);
    if (known !== undefined) {
      return known.lane;
    }
    const stop = new AbortController();
    const lane = new ClusterLane(cluster, {
      ...this.#options.lanes,
      refresh: (unit) => this.#arrivals.add(unit),
    });
    this.#lanes.set(cluster, { lane, stop });
    const working = this.#work(lane, stop.signal).finally(() => this.#working.delete(working));
    this.#working.add(working);
    return lane;
  }

  async #work(lane: ClusterLane, stop: AbortSignal): Promise<void> {
    using either = new AnyAbort(this.#signal, stop);
    await lane.run(this.#options.processors, either.signal);
  }

  #failed(what: LogFields, error: unknown): void {
    if (!this.#signal.aborted) {
      this.#options.logger.log({ ...what, err: toError(error) });
    }
  }
}
