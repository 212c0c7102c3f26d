import { identityOf } from "./scalar-value.ts";
import type { Mapping, ScalarValue, Value } from "./value.ts";

/** True if two values have the same meaning, regardless of styles, comments, anchors, and the order of keys. */
export function sameValues(a: Value, b: Value): boolean {
  return new Comparison().same(a, b);
}

/** Values can contain themselves, so a pair that's being compared counts as equal. */
class Comparison {
  readonly #begun = new Map<Value, Value>();

  same(a: Value, b: Value): boolean {
    if (a.kind === "scalar" && b.kind === "scalar") {
      return sameScalars(a, b);
    }
    if (this.#begun.get(a) === b) {
      return true;
    }
    this.#begun.set(a, b);
    return this.#sameCollections(a, b);
  }

  #sameCollections(a: Value, b: Value): boolean {
    if (a.kind === "sequence" && b.kind === "sequence") {
      return a.tag === b.tag && this.#allSame(a.items, b.items);
    }
    if (a.kind === "set" && b.kind === "set") {
      return a.members.size === b.members.size && a.members.keys().every((member) => b.members.has(member));
    }
    return a.kind === "mapping" && b.kind === "mapping" && this.#sameMappings(a, b);
  }

  #sameMappings(a: Mapping, b: Mapping): boolean {
    const others = new Map(b.ownEntries());
    const entries = [...a.ownEntries()];
    const merged = ({ merges }: Mapping): Value[] => merges.map(({ mapping }) => mapping);
    return (
      a.tag === b.tag &&
      entries.length === others.size &&
      entries.every(([identity, { value }]) => {
        const other = others.get(identity)?.value;
        return other !== undefined && this.same(value, other);
      }) &&
      this.#allSame(merged(a), merged(b))
    );
  }

  #allSame(a: readonly Value[], b: readonly Value[]): boolean {
    return (
      a.length === b.length &&
      a.every((value, index) => {
        const other = b[index];
        return other !== undefined && this.same(value, other);
      })
    );
  }
}

function sameScalars(a: ScalarValue, b: ScalarValue): boolean {
  return a.type === "tagged"
    ? b.type === "tagged" && a.tag === b.tag && a.text === b.text
    : identityOf(a) === identityOf(b);
}
