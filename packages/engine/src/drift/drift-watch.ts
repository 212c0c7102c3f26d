import { Alarm, type Clock, Listeners, type Unsubscribe } from "@weir/base";
import { printKey, type ResourceKey } from "@weir/kube";
import type { ResourceCache } from "../cache/resource-cache.ts";
import type { Drift, DriftedObject, DriftMemory, SyncedTarget } from "./drift-memory.ts";

/** The dependencies of a drift watch. */
export interface DriftWatchOptions {
  readonly clock: Clock;
  readonly memory: DriftMemory;
  /** How long changes are collected before they're checked. */
  readonly delayMs: number;
  /** Checks an object at this moment; returns undefined if it matches its target. */
  readonly look: (synced: SyncedTarget) => DriftedObject["what"] | undefined;
}

/** Where a drift watch looks. */
export interface DriftSources {
  readonly cache: Pick<ResourceCache, "subscribe">;
  /** Learns what checking a unit's objects needs. */
  readonly prepare: (unit: string, synced: readonly SyncedTarget[], signal: AbortSignal) => Promise<void>;
}

/**
 * Detects live objects that no longer match their targets. An event only says which object to check; what
 * counts is the object's state at the time of the check, so echoes of our own writes, status changes, and
 * reverted changes aren't drift.
 */
export class DriftWatch {
  readonly #options: DriftWatchOptions;
  /** The objects to check, by unit. */
  readonly #touched = new Map<string, Set<string>>();
  readonly #listeners = new Listeners<(drift: Drift) => void>();
  readonly #alarm: Alarm;
  readonly #unsubscribe: Unsubscribe;

  constructor(options: DriftWatchOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock, () => this.#look());
    this.#unsubscribe = options.memory.onEnded(() => this.#setAlarm());
  }

  subscribe(listener: (drift: Drift) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  /** An object changed. */
  note(key: ResourceKey): void {
    const id = printKey(key);
    for (const [name, { synced, isSyncing }] of this.#options.memory.units()) {
      if (isSyncing || synced.has(id)) {
        this.#touch(name, id);
      }
    }
  }

  /**
   * Checks what changes until the signal is aborted, and first what was synced before this watch began. A server that
   * can't be reached is waited for.
   */
  async run({ cache, prepare }: DriftSources, signal: AbortSignal): Promise<void> {
    const unsubscribe = cache.subscribe(({ key }) => this.note(key));
    this.#lookAtAll(prepare, signal).catch(() => undefined);
    await untilAborted(signal);
    unsubscribe();
    this.stop();
  }

  async #lookAtAll(prepare: DriftSources["prepare"], signal: AbortSignal): Promise<void> {
    const units = [...this.#options.memory.units()].filter(([, { synced }]) => synced.size > 0);
    await Promise.all(units.map(([name, { synced }]) => prepare(name, [...synced.values()], signal)));
    this.noteAll();
  }

  /** Every object may have changed: this watch has just begun. */
  noteAll(): void {
    for (const [name, { synced }] of this.#options.memory.units()) {
      for (const id of synced.keys()) {
        this.#touch(name, id);
      }
    }
  }

  /** Stops all checks. */
  stop(): void {
    this.#unsubscribe();
    this.#alarm.clear();
  }

  #touch(unit: string, id: string): void {
    const touched = this.#touched.get(unit) ?? new Set();
    this.#touched.set(unit, touched.add(id));
    this.#setAlarm();
  }

  #setAlarm(): void {
    if (!this.#alarm.isSet && this.#touched.size > 0) {
      this.#alarm.set(this.#options.delayMs);
    }
  }

  #look(): void {
    for (const [unit, { synced, isSyncing }] of this.#options.memory.units()) {
      const objects = isSyncing ? [] : this.#driftedOf(unit, synced);
      for (const listener of objects.length === 0 ? [] : this.#listeners) {
        listener({ unit, objects });
      }
    }
  }

  #driftedOf(unit: string, synced: ReadonlyMap<string, SyncedTarget>): readonly DriftedObject[] {
    const ids = [...(this.#touched.get(unit) ?? [])];
    this.#touched.delete(unit);
    return ids.flatMap((id) => {
      const one = synced.get(id);
      const what = one === undefined ? undefined : this.#options.look(one);
      return one === undefined || what === undefined ? [] : [{ key: one.key, what }];
    });
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    } else {
      signal.addEventListener("abort", () => resolve(), { once: true });
    }
  });
}
