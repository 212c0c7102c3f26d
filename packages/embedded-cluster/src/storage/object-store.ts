/**
 * All objects of the cluster with their recent history. Every write has a revision of its own, is in the
 * journal before it can be seen, and wakes those who follow its bucket. Nothing here waits: a request reads,
 * decides and writes in one go, so that no other can come between.
 */
import type { Unsubscribe } from "@weir/base";
import type { Tree } from "../tree.ts";
import { Bucket, type StoreEvent } from "./bucket.ts";
import { type StoredObject, storeTree, treeOf } from "./stored-object.ts";

/** Where writes are kept beyond the process. A method that throws leaves everything as it was. */
export interface Journal {
  /** What an earlier process left: its objects and its last revision. */
  load(): { readonly objects: Iterable<StoredObject>; readonly revision: number };
  put(object: StoredObject): void;
  remove(object: StoredObject, revision: number): void;
  close(): void;
}

/** Told of every write, after it was made. */
export type StoreListener = (event: StoreEvent) => void;

/** What a store is made with. */
export interface StoreOptions {
  /** How many events are kept over all buckets, for watches that resume and for lists in pages. */
  readonly historyLimit: number;
  readonly journal?: Journal | undefined;
}

export class ObjectStore {
  readonly #buckets = new Map<string, Bucket>();
  readonly #listeners = new Set<StoreListener>();
  /** The bucket of every event that is kept, oldest first from #firstKept on. */
  readonly #kept: Bucket[] = [];
  readonly #historyLimit: number;
  readonly #journal: Journal | undefined;
  /** What an earlier process left was written up to here; all later events went through this store. */
  readonly #firstRevision: number;
  #firstKept = 0;
  #revision: number;

  constructor({ historyLimit, journal }: StoreOptions) {
    this.#historyLimit = historyLimit;
    this.#journal = journal;
    const { objects, revision } = journal?.load() ?? { objects: [], revision: 1 };
    this.#revision = revision;
    this.#firstRevision = revision;
    for (const object of objects) {
      this.bucket(object.bucket).restore(object);
    }
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The objects of a resource; an empty bucket where it has none. */
  bucket(name: string): Bucket {
    const found = this.#buckets.get(name);
    if (found !== undefined) {
      return found;
    }
    const made = new Bucket(this.#firstRevision);
    this.#buckets.set(name, made);
    return made;
  }

  /** The names of the buckets that were ever used. */
  bucketNames(): readonly string[] {
    return [...this.#buckets.keys()];
  }

  get(bucket: string, namespace: string, name: string): StoredObject | undefined {
    return this.#buckets.get(bucket)?.get(namespace, name);
  }

  /** Stores a new object, or a new version of `previous`. The tree gets its resource version. */
  put(bucket: string, tree: Tree, previous: StoredObject | undefined): StoredObject {
    const object = storeTree(bucket, tree, this.#revision + 1);
    this.#journal?.put(object);
    this.#commit({
      type: previous === undefined ? "ADDED" : "MODIFIED",
      revision: object.revision,
      object,
      previous,
    });
    return object;
  }

  /** Removes an object; returns its last version under the revision of the deletion. */
  remove(previous: StoredObject): StoredObject {
    const object = storeTree(previous.bucket, treeOf(previous), this.#revision + 1);
    this.#journal?.remove(previous, object.revision);
    this.#commit({ type: "DELETED", revision: object.revision, object, previous });
    return object;
  }

  /** Subscribes to all writes. A listener must not write at once: it notes what to look at, and looks later. */
  onEvent(listener: StoreListener): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Closes the journal. Writes after that are not kept. */
  close(): void {
    this.#journal?.close();
  }

  #commit(event: StoreEvent): void {
    const bucket = this.bucket(event.object.bucket);
    this.#revision = event.revision;
    bucket.apply(event);
    this.#kept.push(bucket);
    this.#trim();
    for (const listener of this.#listeners) {
      listener(event);
    }
  }

  #trim(): void {
    while (this.#kept.length - this.#firstKept > this.#historyLimit) {
      this.#kept[this.#firstKept++]?.forgetOldest();
    }
    if (this.#firstKept > 1024 && this.#firstKept * 2 > this.#kept.length) {
      this.#kept.splice(0, this.#firstKept);
      this.#firstKept = 0;
    }
  }
}
