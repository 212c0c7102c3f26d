import { type KubeObject, keyOf } from "@weir/kube";
import { isOlder, OwnWrites } from "./own-writes.ts";
import type { ResourceEvent } from "./resource-cache.ts";
import { ResourceIndex } from "./resource-index.ts";

/**
 * The objects of one kind, updated by lists, watches, and our own writes. Each change is returned as an
 * event.
 */
export class KindStore {
  readonly #index = new ResourceIndex();
  readonly #writes = new OwnWrites();

  get(namespace: string, name: string): KubeObject | undefined {
    return this.#index.get(namespace, name);
  }

  list(namespace?: string): IterableIterator<KubeObject> {
    return this.#index.list(namespace);
  }

  /** A list begins; pass the returned moment to `listed`. */
  listing(): number {
    return this.#writes.moment();
  }

  /** Applies a list that began at that moment, of all namespaces or of one. */
  listed(objects: readonly KubeObject[], moment: number, namespace?: string): readonly ResourceEvent[] {
    this.#writes.forgetUntil(moment);
    const gone = new Set(this.#index.list(namespace));
    const events: ResourceEvent[] = [];
    for (const object of objects) {
      const { namespace: where = "", name = "" } = object.metadata;
      const before = this.#index.get(where, name);
      if (before !== undefined) {
        gone.delete(before);
      }
      events.push(...this.changed(object));
    }
    return [
      ...events,
      ...[...gone].flatMap((object) => (this.#writes.isAwaited(object) ? [] : this.#remove(object))),
    ];
  }

  /** That list was of this version. */
  listedAt(version: string, namespace?: string): void {
    this.#writes.listed(version, namespace);
  }

  /** The watch reports the current state of an object. */
  changed(object: KubeObject): readonly ResourceEvent[] {
    return this.#writes.outdatesChange(object) ? [] : this.#put(object);
  }

  /** The watch reports that an object was deleted. */
  deleted(object: KubeObject): readonly ResourceEvent[] {
    this.#writes.reported(object);
    return this.#writes.outdatesDeletion(object) ? [] : this.#remove(object);
  }

  /** The server responded to one of our writes with this object. */
  wrote(object: KubeObject): readonly ResourceEvent[] {
    const { namespace = "", name = "", resourceVersion } = object.metadata;
    const before = this.#index.get(namespace, name);
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
    return this.#put(object);
  }

  /** We deleted an object, or the server said that it doesn't exist; with a UID, only that object. */
  wroteDeletion(namespace: string, name: string, uid?: string): readonly ResourceEvent[] {
    const before = this.#index.get(namespace, name);
    if (before === undefined || (uid !== undefined && before.metadata.uid !== uid)) {
      return [];
    }
    this.#writes.deleted(before);
    return this.#remove(before);
  }

  /** Removes all objects: nothing keeps them up to date anymore. */
  clear(): readonly ResourceEvent[] {
    return [...this.#index.list()].flatMap((object) => this.#remove(object));
  }

  #put(object: KubeObject): readonly ResourceEvent[] {
    const before = this.#index.set(object);
    // The same version again: our own write reported back, or a list that found nothing new.
    const same = before !== undefined && before.metadata.resourceVersion === object.metadata.resourceVersion;
    return same ? [] : [{ key: keyOf(object), before, after: object }];
  }

  #remove(object: KubeObject): readonly ResourceEvent[] {
    const { namespace = "", name = "" } = object.metadata;
    const before = this.#index.delete(namespace, name);
    return before === undefined ? [] : [{ key: keyOf(before), before, after: undefined }];
  }
}
