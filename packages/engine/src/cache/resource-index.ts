import type { KubeObject } from "@weir/kube";

/** The objects of one kind by namespace and name. Objects without a namespace are under "". */
export class ResourceIndex {
  readonly #namespaces = new Map<string, Map<string, KubeObject>>();

  get(namespace: string, name: string): KubeObject | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** Adds or replaces an object; returns the previous one. */
  set(object: KubeObject): KubeObject | undefined {
    const { namespace = "", name = "" } = object.metadata;
    let names = this.#namespaces.get(namespace);
    if (names === undefined) {
      names = new Map();
      this.#namespaces.set(namespace, names);
    }
    const before = names.get(name);
    names.set(name, object);
    return before;
  }

  /** Removes an object; returns it. */
  delete(namespace: string, name: string): KubeObject | undefined {
    const names = this.#namespaces.get(namespace);
    const before = names?.get(name);
    names?.delete(name);
    if (names?.size === 0) {
      this.#namespaces.delete(namespace);
    }
    return before;
  }

  /** All objects, or those of one namespace. */
  *list(namespace?: string): IterableIterator<KubeObject> {
    if (namespace !== undefined) {
      yield* this.#namespaces.get(namespace)?.values() ?? [];
      return;
    }
    for (const names of this.#namespaces.values()) {
      yield* names.values();
    }
  }
}
