import { type KubeObject, keyOf } from "@weir/kube";
import type { HeldObject } from "./held-object.ts";
import type { ObjectHolder, Received } from "./object-holder.ts";
import { isOlder, OwnWrites } from "./own-writes.ts";
import type { OwnerIndex } from "./owner-index.ts";
import type { ResourceEvent } from "./resource-cache.ts";
import { ResourceIndex } from "./resource-index.ts";

/** What the objects of a store depend on. */
export interface KindStoreOptions {
  readonly holder: ObjectHolder;
  /** True for objects to hold whole; the answer can change, and `slim` and `read` follow it. */
  readonly isWanted: (namespace: string, name: string) => boolean;
  /** Follows each change. */
  readonly owners: OwnerIndex;
}

/**
 * The objects of one kind, updated by lists, watches, and our own writes. Each change is returned as an
 * event. An object is held whole while it's wanted, and slim otherwise, whatever the order in which it's
 * received and becomes wanted; only the body of an object that's already held slim must be read.
 */
export class KindStore {
  readonly #options: KindStoreOptions;
  readonly #index = new ResourceIndex();
  readonly #writes = new OwnWrites();

  constructor(options: KindStoreOptions) {
    this.#options = options;
  }

  get(namespace: string, name: string): HeldObject | undefined {
    return this.#index.get(namespace, name);
  }

  list(namespace?: string): IterableIterator<HeldObject> {
    return this.#index.list(namespace);
  }

  /**
   * Reduces a received object to what's held of it, for `listed`, `changed`, and `deleted`. A version that's
   * held already isn't held twice.
   */
  take(object: KubeObject, received: Received): HeldObject {
    const { namespace = "", name = "" } = object.metadata;
    const isWanted = this.#options.isWanted(namespace, name);
    const known = this.#index.get(namespace, name);
    const isHeld =
      known !== undefined &&
      object.metadata.resourceVersion !== undefined &&
      isSameVersion(known, object) &&
      known.isWhole === isWanted &&
      (known.isJudged || received === "metadata");
    return isHeld ? known : this.#options.holder.hold(object, received, isWanted);
  }

  /** A list begins; pass the returned moment to `listed`. */
  listing(): number {
    return this.#writes.moment();
  }

  /** Applies a list that began at that moment, of all namespaces or of one. */
  listed(objects: readonly HeldObject[], moment: number, namespace?: string): readonly ResourceEvent[] {
    this.#writes.forgetUntil(moment);
    const gone = new Set(this.#index.list(namespace));
    const events: ResourceEvent[] = [];
    for (const held of objects) {
      const { namespace: where = "", name = "" } = held.object.metadata;
      const before = this.#index.get(where, name);
      if (before !== undefined) {
        gone.delete(before);
      }
      events.push(...this.changed(held));
    }
    return [
      ...events,
      ...[...gone].flatMap((held) => (this.#writes.isAwaited(held.object) ? [] : this.#remove(held.object))),
    ];
  }

  /** That list was of this version. */
  listedAt(version: string, namespace?: string): void {
    this.#writes.listed(version, namespace);
  }

  /** The watch reports the current state of an object. */
  changed(held: HeldObject): readonly ResourceEvent[] {
    return this.#writes.outdatesChange(held.object) ? [] : this.#put(held);
  }

  /** The watch reports that an object was deleted. */
  deleted(held: HeldObject): readonly ResourceEvent[] {
    this.#writes.reported(held.object);
    return this.#writes.outdatesDeletion(held.object) ? [] : this.#remove(held.object);
  }

  /** The server responded to one of our writes with this object. */
  wrote(object: KubeObject): readonly ResourceEvent[] {
    const { namespace = "", name = "", resourceVersion } = object.metadata;
    const before = this.#index.get(namespace, name)?.object;
    const isLate =
      before === undefined
        ? this.#writes.isReported(object)
        : isOlder(object, before.metadata.resourceVersion ?? "");
    if (isLate) {
      // The watch was faster: it has already reported this write and what came after it.
      return [];
    }
    if (before?.metadata.resourceVersion !== resourceVersion) {
      this.#writes.wrote(object);
    }
    return this.#put(this.take(object, "whole"));
  }

  /**
   * The body of a wanted object that's held slim was read. What the watch reported in the meantime has its
   * own body, or was a deletion, so the read is then of no use.
   */
  read(object: KubeObject): readonly ResourceEvent[] {
    const { namespace = "", name = "" } = object.metadata;
    const isOfUse =
      this.#index.get(namespace, name)?.isWhole === false && this.#options.isWanted(namespace, name);
    return isOfUse ? this.wrote(object) : [];
  }

  /** We deleted an object, or the server said that it doesn't exist; with a UID, only that object. */
  wroteDeletion(namespace: string, name: string, uid?: string): readonly ResourceEvent[] {
    const before = this.#index.get(namespace, name);
    if (before === undefined || (uid !== undefined && before.object.metadata.uid !== uid)) {
      return [];
    }
    this.#writes.deleted(before.object);
    return this.#remove(before.object);
  }

  /** Drops the body of an object that's no longer wanted. */
  slim(namespace: string, name: string): void {
    const held = this.#index.get(namespace, name);
    if (held?.isWhole === true && !this.#options.isWanted(namespace, name)) {
      this.#replace(this.#options.holder.slim(held));
    }
  }

  /** Drops all bodies that are no longer wanted. */
  slimAll(): void {
    for (const { object } of [...this.#index.list()]) {
      this.slim(object.metadata.namespace ?? "", object.metadata.name ?? "");
    }
  }

  /** Removes all objects: nothing keeps them up to date anymore. */
  clear(): readonly ResourceEvent[] {
    return [...this.#index.list()].flatMap(({ object }) => this.#remove(object));
  }

  #put(held: HeldObject): readonly ResourceEvent[] {
    const { namespace = "", name = "" } = held.object.metadata;
    const known = this.#index.get(namespace, name);
    const isSame = known !== undefined && isSameVersion(known, held.object);
    const isWanted = this.#options.isWanted(namespace, name);
    if (held === known || (isSame && isWanted && known.isWhole && !held.isWhole)) {
      // A page of a list was read before the object became wanted.
      return [];
    }
    const after = isWanted ? held : this.#options.holder.slim(held);
    const before = this.#replace(after);
    // The same version again: our own write reported back, or a list that found nothing new.
    return isSame ? [] : [{ key: keyOf(after.object), before: before?.object, after: after.object }];
  }

  #replace(held: HeldObject): HeldObject | undefined {
    const before = this.#index.set(held);
    this.#options.owners.replace(before, held);
    return before;
  }

  #remove(object: KubeObject): readonly ResourceEvent[] {
    const { namespace = "", name = "" } = object.metadata;
    const before = this.#index.delete(namespace, name);
    this.#options.owners.replace(before, undefined);
    return before === undefined
      ? []
      : [{ key: keyOf(before.object), before: before.object, after: undefined }];
  }
}

function isSameVersion({ object }: HeldObject, { metadata }: KubeObject): boolean {
  return object.metadata.resourceVersion === metadata.resourceVersion;
}
