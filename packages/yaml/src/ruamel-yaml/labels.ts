import type { Value } from "./value.ts";

/**
 * The anchors to write, by value: for everything that occurs more than once, and for scalars that always keep theirs.
 * Values without a name get one: `id001` and so on.
 */
export function labelsOf(root: Value): ReadonlyMap<Value, string> {
  const labels = new Labels();
  labels.visit(root);
  return labels.byValue;
}

class Labels {
  readonly byValue = new Map<Value, string>();
  readonly #met = new Set<Value>();
  #made = 0;

  visit(value: Value): void {
    if (value.kind === "scalar" && !value.aliasable) {
      return;
    }
    if ((value.kind === "sequence" || value.kind === "mapping") && value.isKey) {
      this.#visitParts(value);
      return;
    }
    if (this.#met.has(value)) {
      if (!this.byValue.has(value)) {
        this.byValue.set(value, value.anchor ?? this.#make());
      }
      return;
    }
    this.#met.add(value);
    if (value.kind === "scalar") {
      this.#keep(value, value.anchor);
    } else {
      this.#visitParts(value);
    }
  }

  #keep(value: Value, anchor: string | undefined): void {
    if (anchor !== undefined) {
      this.byValue.set(value, anchor);
    }
  }

  #visitParts(value: Exclude<Value, { readonly kind: "scalar" }>): void {
    switch (value.kind) {
      case "sequence":
        this.#visitAll(value.items);
        break;
      case "set":
        this.#visitAll(value.members.values());
        break;
      case "mapping": {
        const entries = Array.from(value.ownEntries(), ([, entry]) => [entry.key, entry.value]);
        const merged = value.merges.map(({ mapping }) => mapping);
        entries.splice(value.mergePosition, 0, merged);
        this.#visitAll(entries.flat());
      }
    }
  }

  #visitAll(values: Iterable<Value>): void {
    for (const value of values) {
      this.visit(value);
    }
  }

  #make(): string {
    this.#made += 1;
    return `id${this.#made.toString().padStart(3, "0")}`;
  }
}
