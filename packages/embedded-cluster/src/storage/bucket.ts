import type { StoredObject } from "./stored-object.ts";
import { keyIn } from "./stored-object.ts";

/** What happened to an object. */
export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly revision: number;
  /** The new version; of a deleted object its last one, under the revision of the deletion. */
  readonly object: StoredObject;
  /** The version before, where there was one. */
  readonly previous: StoredObject | undefined;
}

/** All objects of one resource in the order of their keys, and the events that led here, as far as kept. */
export class Bucket {
  readonly #objects = new Map<string, StoredObject>();
  /** The keys of #objects in order. */
  readonly #keys: string[] = [];
  readonly #events: StoreEvent[] = [];
  /** How many of #events at its front are no longer kept. */
  #forgotten = 0;
  #oldest: number;

  constructor(oldest: number) {
    this.#oldest = oldest;
  }

  /** Events after this revision are all kept; one before it may be lost. */
  get oldest(): number {
    return this.#oldest;
  }

  get size(): number {
    return this.#keys.length;
  }

  get(namespace: string, name: string): StoredObject | undefined {
    return this.#objects.get(keyIn(namespace, name));
  }

  /** Sets an object without an event: what an earlier process left. */
  restore(object: StoredObject): void {
    this.#set(object);
  }

  /** Makes an event true and remembers it. */
  apply(event: StoreEvent): void {
    if (event.type === "DELETED") {
      this.#remove(event.object);
    } else {
      this.#set(event.object);
    }
    this.#events.push(event);
  }

  /** Forgets the oldest event. */
  forgetOldest(): void {
    const event = this.#events[this.#forgotten];
    if (event !== undefined) {
      this.#oldest = event.revision;
      this.#forgotten++;
    }
    // Moving the rest to the front is put off until it halves the list: so it costs little per event.
    if (this.#forgotten > 64 && this.#forgotten * 2 > this.#events.length) {
      this.#events.splice(0, this.#forgotten);
      this.#forgotten = 0;
    }
  }

  /** The first event after a revision, or undefined. */
  nextAfter(revision: number): StoreEvent | undefined {
    let low = this.#forgotten;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.revision ?? 0) > revision) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return this.#events[low];
  }

  /** The objects of a namespace, or of all ("") in the order of their keys. */
  list(namespace: string): readonly StoredObject[] {
    const [from, to] = namespace === "" ? [0, this.#keys.length] : this.#range(`${namespace}/`);
    return this.#keys.slice(from, to).flatMap((key) => this.#objects.get(key) ?? []);
  }

  /** The objects as they were at a revision that is not before `oldest`. */
  listAt(namespace: string, revision: number): readonly StoredObject[] {
    const past = new Map(
      this.list(namespace).map((object) => [keyIn(object.namespace, object.name), object]),
    );
    for (let at = this.#events.length - 1; at >= this.#forgotten; at--) {
      const event = this.#events[at];
      if (event === undefined || event.revision <= revision) {
        break;
      }
      if (namespace === "" || event.object.namespace === namespace) {
        undo(past, event);
      }
    }
    return [...past].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  #set(object: StoredObject): void {
    const key = keyIn(object.namespace, object.name);
    if (!this.#objects.has(key)) {
      this.#keys.splice(this.#firstAtOrAfter(key), 0, key);
    }
    this.#objects.set(key, object);
  }

  #remove(object: StoredObject): void {
    const key = keyIn(object.namespace, object.name);
    if (this.#objects.delete(key)) {
      this.#keys.splice(this.#firstAtOrAfter(key), 1);
    }
  }

  #range(prefix: string): [number, number] {
    return [this.#firstAtOrAfter(prefix), this.#firstAtOrAfter(`${prefix}\uffff`)];
  }

  #firstAtOrAfter(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? "") < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

function undo(objects: Map<string, StoredObject>, event: StoreEvent): void {
  const key = keyIn(event.object.namespace, event.object.name);
  if (event.previous === undefined) {
    objects.delete(key);
  } else {
    objects.set(key, event.previous);
  }
}
