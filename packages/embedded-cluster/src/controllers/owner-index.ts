import type { StoreEvent } from "../storage/bucket.ts";
import type { StoredObject } from "../storage/stored-object.ts";

/** Who owns whom, by uid, as of the last write. */
export class OwnerIndex {
  readonly #byUid = new Map<string, StoredObject>();
  readonly #dependents = new Map<string, Set<string>>();
  /** The uids of objects without owner, by bucket and namespace. */
  readonly #free = new Map<string, Set<string>>();

  /** Follows a write. */
  observe({ type, object, previous }: StoreEvent): void {
    for (const owner of previous?.owners ?? []) {
      this.#dependents.get(owner)?.delete(object.uid);
    }
    this.#free.get(placeOf(object))?.delete(object.uid);
    if (type === "DELETED") {
      this.#byUid.delete(object.uid);
      return;
    }
    this.#byUid.set(object.uid, object);
    for (const owner of object.owners) {
      addTo(this.#dependents, owner, object.uid);
    }
    if (object.owners.length === 0) {
      addTo(this.#free, placeOf(object), object.uid);
    }
  }

  /** The objects of a bucket and namespace that nobody owns. */
  freeIn(bucket: string, namespace: string): readonly StoredObject[] {
    return [...(this.#free.get(`${bucket}/${namespace}`) ?? [])].flatMap((uid) => this.#byUid.get(uid) ?? []);
  }

  /** The live object with that uid. */
  get(uid: string): StoredObject | undefined {
    return this.#byUid.get(uid);
  }

  /** The objects that name an owner with that uid. */
  dependentsOf(uid: string): readonly StoredObject[] {
    const uids = this.#dependents.get(uid);
    if (uids?.size === 0) {
      this.#dependents.delete(uid);
    }
    return [...(uids ?? [])].flatMap((dependent) => this.#byUid.get(dependent) ?? []);
  }
}

function placeOf({ bucket, namespace }: StoredObject): string {
  return `${bucket}/${namespace}`;
}

function addTo(sets: Map<string, Set<string>>, key: string, uid: string): void {
  const set = sets.get(key);
  if (set === undefined) {
    sets.set(key, new Set([uid]));
  } else {
    set.add(uid);
  }
}
