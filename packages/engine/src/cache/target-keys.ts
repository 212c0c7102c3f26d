import type { GroupKind, ResourceKey } from "@weir/kube";

/** The keys of the targets of several units, which may overlap. */
export class TargetKeys {
  readonly #units = new Map<string, readonly ResourceKey[]>();
  /** How many units have a target, by kind, then by namespace and name. */
  readonly #counts = new Map<string, Map<string, number>>();

  /** True if an object is the target of a unit. */
  has(kind: GroupKind, namespace: string, name: string): boolean {
    return this.#counts.get(kindText(kind))?.has(`${namespace}/${name}`) === true;
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

  #count(key: ResourceKey, change: 1 | -1): number {
    const kind = kindText(key);
    const counts = this.#counts.get(kind) ?? new Map<string, number>();
    const place = `${key.namespace}/${key.name}`;
    const count = (counts.get(place) ?? 0) + change;
    if (count > 0) {
      counts.set(place, count);
    } else {
      counts.delete(place);
    }
    if (counts.size > 0) {
      this.#counts.set(kind, counts);
    } else {
      this.#counts.delete(kind);
    }
    return count;
  }
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
