import type { HeldObject } from "./held-object.ts";

/** The objects of one kind by namespace and name. Objects without a namespace are under "". */
export class ResourceIndex {
  readonly #namespaces = new Map<string, Map<string, HeldObject>>();

  get(namespace: string, name: string): HeldObject | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** Adds or replaces an object; returns the previous one. */
  set(held: HeldObject): HeldObject | undefined {
    const { namespace = "", name = "" } = held.object.metadata;
    let names = this.#namespaces.get(namespace);
    if (names === undefined) {
      names = new Map();
      this.#namespaces.set(namespace, names);
    }
    const before = names.get(name);
    names.set(name, held);
    return before;
  }

  /** Removes an object; returns it. */
  delete(namespace: string, name: string): HeldObject | undefined {
    const names = this.#namespaces.get(namespace);
    const before = names?.get(name);
    names?.delete(name);
    if (names?.size === 0) {
      this.#namespaces.delete(namespace);
    }
    return before;
  }

  /** All objects, or those of one namespace. */
  *list(namespace?: string): IterableIterator<HeldObject> {
    if (namespace !== undefined) {
      yield* this.#namespaces.get(namespace)?.values() ?? [];
      return;
    }
    for (const names of this.#namespaces.values()) {
      yield* names.values();
    }
  }
}
