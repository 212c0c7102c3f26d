import type { GroupKind, ResourceKey } from "@weir/kube";

/** The keys of the targets of several units, which may overlap. */
export class TargetKeys {
  readonly #units = new Map<string, readonly ResourceKey[]>();
  /** How many units have a target, by kind, namespace, and name. Asked for each received object. */
  readonly #counts = new Map<string, Map<string, Map<string, number>>>();

  /** True if an object is the target of a unit. */
  has(kind: GroupKind, namespace: string, name: string): boolean {
    return this.#counts.get(kindText(kind))?.get(namespace)?.has(name) === true;
  }

  /** Replaces the targets of a unit; returns the keys that no unit has anymore. */
  set(unit: string, keys: readonly ResourceKey[]): readonly ResourceKey[] {
    const before = this.#units.get(unit) ?? [];
    if (keys.length === 0) {
      this.#units.delete(unit);
    } else {
      this.#units.set(unit, keys);
    }
    if (isSame(before, keys)) {
      return [];
    }
    keys.forEach((key) => this.#count(key, 1));
    return before.filter((key) => this.#count(key, -1) === 0);
  }

  #count({ group, kind, namespace, name }: ResourceKey, change: 1 | -1): number {
    const namespaces = innerMap(this.#counts, kindText({ group, kind }));
    const names = innerMap(namespaces, namespace);
    const count = (names.get(name) ?? 0) + change;
    if (count > 0) {
      names.set(name, count);
    } else {
      names.delete(name);
    }
    if (names.size === 0) {
      namespaces.delete(namespace);
    }
    if (namespaces.size === 0) {
      this.#counts.delete(kindText({ group, kind }));
    }
    return count;
  }
}

function innerMap<T>(outer: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const known = outer.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = new Map<string, T>();
  outer.set(key, made);
  return made;
}

function isSame(before: readonly ResourceKey[], after: readonly ResourceKey[]): boolean {
  return (
    before.length === after.length &&
    before.every((one, index) => {
      const other = after[index];
      return (
        one.name === other?.name &&
        one.namespace === other.namespace &&
        one.kind === other.kind &&
        one.group === other.group
      );
    })
  );
}

function kindText({ group, kind }: GroupKind): string {
  return `${group}/${kind}`;
}
