import { Alarm, type Clock, Listeners, type Unsubscribe } from "@weir/base";
import { type KubeObject, printKey, type ResourceKey } from "@weir/kube";
import type { LeaveGuard } from "./sync/plan.ts";
import type { ApplyMethod } from "./sync/sync-options.ts";

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
  /** Returns a reason to leave the live object as it is, or undefined. */
  readonly leave: LeaveGuard | undefined;
}

/** The dependencies of a drift watch. */
export interface DriftWatchOptions {
  readonly clock: Clock;
  /** How long changes are collected before they're checked. */
  readonly delayMs: number;
  /** Checks an object at this moment; returns undefined if it matches its target. */
  readonly look: (synced: SyncedTarget) => DriftedObject["what"] | undefined;
}

/** What is known about one unit. */
interface Unit {
  readonly synced: Map<string, SyncedTarget>;
  /** The objects to check. */
  readonly touched: Set<string>;
  isSyncing: boolean;
}

/**
 * Detects live objects that no longer match their targets. An event only says which object to check; what
 * counts is the object's state at the time of the check, so echoes of our own writes, status changes, and
 * reverted changes aren't drift.
 */
export class DriftWatch {
  readonly #options: DriftWatchOptions;
  readonly #units = new Map<string, Unit>();
  readonly #listeners = new Listeners<(drift: Drift) => void>();
  readonly #alarm: Alarm;
  #isSet = false;

  constructor(options: DriftWatchOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock, () => this.#look());
  }

  subscribe(listener: (drift: Drift) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  /** The last synced targets of a unit, by their key as text. */
  syncedOf(unit: string): ReadonlyMap<string, SyncedTarget> {
    return this.#unit(unit).synced;
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
    if (known.touched.size > 0) {
      this.#setAlarm();
    }
  }

  /** An object changed. */
  note(key: ResourceKey): void {
    const id = printKey(key);
    for (const { synced, touched, isSyncing } of this.#units.values()) {
      if (isSyncing || synced.has(id)) {
        touched.add(id);
        this.#setAlarm();
      }
    }
  }

  /** Stops all checks. */
  stop(): void {
    this.#alarm.clear();
    this.#isSet = false;
  }

  #setAlarm(): void {
    if (!this.#isSet) {
      this.#isSet = true;
      this.#alarm.set(this.#options.delayMs);
    }
  }

  #look(): void {
    this.#isSet = false;
    for (const [unit, known] of this.#units) {
      const objects = known.isSyncing ? [] : this.#driftedOf(known);
      for (const listener of objects.length === 0 ? [] : this.#listeners) {
        listener({ unit, objects });
      }
    }
  }

  #driftedOf({ synced, touched }: Unit): readonly DriftedObject[] {
    const ids = [...touched];
    touched.clear();
    return ids.flatMap((id) => {
      const one = synced.get(id);
      const what = one === undefined ? undefined : this.#options.look(one);
      return one === undefined || what === undefined ? [] : [{ key: one.key, what }];
    });
  }

  #unit(name: string): Unit {
    const known = this.#units.get(name) ?? { synced: new Map(), touched: new Set(), isSyncing: false };
    this.#units.set(name, known);
    return known;
  }
}
