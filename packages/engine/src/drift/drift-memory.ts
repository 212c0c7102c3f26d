import { callAll, Listeners, type Unsubscribe } from "@weir/base";
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
