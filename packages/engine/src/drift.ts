import { Alarm, type Clock, Listeners, type Unsubscribe } from "@weir/base";
import { type KubeObject, printKey, type ResourceKey } from "@weir/kube";
import type { LeaveGuard } from "./sync/plan.ts";
import type { ApplyMethod } from "./sync/sync-options.ts";

/** How an object has drifted from its target. */
export interface DriftedObject {
  readonly key: ResourceKey;
  readonly what: "changed" | "missing";
}

/** Objects of one unit that were as their targets said, and no longer are. */
export interface Drift {
  readonly unit: string;
  readonly objects: readonly DriftedObject[];
}

/** A target as it was applied last. */
export interface SyncedTarget {
  readonly key: ResourceKey;
  readonly target: KubeObject;
  readonly method: ApplyMethod;
  /** A reason to leave the live object as it is, or undefined. */
  readonly leave: LeaveGuard | undefined;
}

/** What a drift watch is made of. */
export interface DriftWatchOptions {
  readonly clock: Clock;
  /** How long news are gathered before they are looked at. */
  readonly delayMs: number;
  /** How an object is at this moment; undefined where it is as its target says. */
  readonly look: (synced: SyncedTarget) => DriftedObject["what"] | undefined;
}

/** What is known of one unit. */
interface Unit {
  readonly synced: Map<string, SyncedTarget>;
  /** Objects to be looked at. */
  readonly touched: Set<string>;
  isSyncing: boolean;
}

/**
 * Notices when live objects leave their targets. News only say which object to look at: what counts is how it is
 * when it is looked at, so that echoes of our own writes, changes of status and what was put back are no drift.
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

  /** The targets of a unit as they were synced last, by their key as text. */
  syncedOf(unit: string): ReadonlyMap<string, SyncedTarget> {
    return this.#unit(unit).synced;
  }

  /** A sync of the unit begins: until it ends, nothing is drift. */
  began(unit: string): void {
    this.#unit(unit).isSyncing = true;
  }

  /** The sync has ended and left these; `isAll`: everything else is kept an eye on no longer. */
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

  /** Something happened to an object. */
  note(key: ResourceKey): void {
    const id = printKey(key);
    for (const { synced, touched, isSyncing } of this.#units.values()) {
      if (isSyncing || synced.has(id)) {
        touched.add(id);
        this.#setAlarm();
      }
    }
  }

  /** Looks at nothing any more. */
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
