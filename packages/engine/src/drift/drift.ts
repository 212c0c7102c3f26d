import { Alarm, type Clock, callAll, Listeners, type Unsubscribe } from "@weir/base";
import { type KubeObject, printKey, type ResourceKey } from "@weir/kube";
import type { LeaveRule } from "../plan/leave.ts";
import type { ApplyMethod } from "../plan/sync-options.ts";

/** An object that has drifted from its target. */
export interface DriftedObject {
  readonly key: ResourceKey;
  readonly what: "changed" | "missing";
}

/** Objects of one unit that matched their targets and no longer do. */
export interface Drift {
  readonly unit: string;
  readonly objects: readonly DriftedObject[];
}

/** A target as last applied. */
export interface SyncedTarget {
  readonly key: ResourceKey;
  readonly target: KubeObject;
  readonly method: ApplyMethod;
  /** Whether the live object is left as it is. */
  readonly leave: LeaveRule;
}

/** What a drift watch, and those that follow it, know about one unit. */
export interface DriftUnit {
  readonly synced: Map<string, SyncedTarget>;
  isSyncing: boolean;
}

/**
 * What was last synced, by unit. It can outlive an engine: given to the next engine for the same cluster, it
 * lets that one notice what changed in between.
 */
export class DriftMemory {
  readonly #units = new Map<string, DriftUnit>();
  readonly #listeners = new Listeners<() => void>();

  /** Called when a sync has ended. */
  onEnded(listener: () => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  /** The last synced targets of a unit, by their key as text. */
  syncedOf(unit: string): ReadonlyMap<string, SyncedTarget> {
    return this.#unit(unit).synced;
  }

  /** All units with their last synced targets. */
  units(): Iterable<readonly [name: string, unit: Readonly<DriftUnit>]> {
    return this.#units;
  }

  /** A sync of the unit begins; until it ends, nothing is drift. */
  began(unit: string): void {
    this.#unit(unit).isSyncing = true;
  }

  /** The sync has ended with these targets. `isAll`: all other targets of the unit are no longer checked. */
  ended(unit: string, synced: Iterable<SyncedTarget>, isAll: boolean): void {
    const known = this.#unit(unit);
    if (isAll) {
      known.synced.clear();
    }
    for (const one of synced) {
      known.synced.set(printKey(one.key), one);
    }
    known.isSyncing = false;
    callAll(this.#listeners);
  }

  /** The unit is gone. */
  forget(unit: string): void {
    this.#units.delete(unit);
  }

  #unit(name: string): DriftUnit {
    const known = this.#units.get(name) ?? { synced: new Map(), isSyncing: false };
    this.#units.set(name, known);
    return known;
  }
}

/** The dependencies of a drift watch. */
export interface DriftWatchOptions {
  readonly clock: Clock;
  readonly memory: DriftMemory;
  /** How long changes are collected before they're checked. */
  readonly delayMs: number;
  /** Checks an object at this moment; returns undefined if it matches its target. */
  readonly look: (synced: SyncedTarget) => DriftedObject["what"] | undefined;
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
