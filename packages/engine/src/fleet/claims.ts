import { printKey, type ResourceKey } from "@weir/kube";

/** How many objects a warning names. */
const named = 3;

/**
 * Which objects of a cluster are targets of which units. Two units with the same object would undo each
 * other's changes for ever, so both are warned.
 */
export class Claims {
  readonly #unitsByObject = new Map<string, Set<string>>();
  readonly #objectsByUnit = new Map<string, ReadonlyMap<string, ResourceKey>>();

  /** Replaces the objects of a unit. Returns the other units that this concerns: their warnings may change. */
  replace(unit: string, keys: Iterable<ResourceKey>): ReadonlySet<string> {
    const before = this.#objectsByUnit.get(unit) ?? new Map<string, ResourceKey>();
    const after = new Map(Iterator.from(keys).map((key) => [printKey(key), key]));
    const concerned = new Set<string>();
    for (const id of before.keys().filter((each) => !after.has(each))) {
      const units = this.#unitsByObject.get(id);
      units?.delete(unit);
      units?.forEach((other) => concerned.add(other));
      if (units?.size === 0) {
        this.#unitsByObject.delete(id);
      }
    }
    for (const id of after.keys().filter((each) => !before.has(each))) {
      const units = this.#unitsByObject.get(id) ?? new Set();
      units.forEach((other) => concerned.add(other));
      this.#unitsByObject.set(id, units.add(unit));
    }
    if (after.size === 0) {
      this.#objectsByUnit.delete(unit);
    } else {
      this.#objectsByUnit.set(unit, after);
    }
    return concerned;
  }

  /** The units that have objects. */
  units(): readonly string[] {
    return [...this.#objectsByUnit.keys()];
  }

  /** True if the object is a target of the unit. */
  has(unit: string, key: ResourceKey): boolean {
    return this.#objectsByUnit.get(unit)?.has(printKey(key)) === true;
  }

  /** True if the object is a target of another unit, which therefore mustn't be deleted. */
  isOfOther(unit: string, key: ResourceKey): boolean {
    const units = this.#unitsByObject.get(printKey(key));
    return units !== undefined && (units.size > 1 || !units.has(unit));
  }

  /** A sentence for each other unit with objects of this one, in the order of their names. */
  warningsOf(unit: string): readonly string[] {
    const shared = new Map<string, string[]>();
    for (const [id, { kind, namespace, name }] of this.#objectsByUnit.get(unit) ?? []) {
      for (const other of this.#unitsByObject.get(id) ?? []) {
        const objects = shared.get(other) ?? [];
        objects.push(`${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`);
        shared.set(other, objects);
      }
    }
    shared.delete(unit);
    return [...shared]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([other, objects]) => warning(other, objects));
  }
}

function warning(other: string, objects: readonly string[]): string {
  const names = objects.toSorted().slice(0, named).join(", ");
  const more = objects.length > named ? `, and ${objects.length - named} more` : "";
  return `unit "${other}" has the same objects: ${names}${more}; each change of one unit is undone by the other, so remove them from one`;
}
