import { type CollectionComments, EntryComments } from "./entry-comments.ts";
import type { MappingNode } from "./node.ts";

/** A key and its value. */
export interface Entry<V> {
  readonly key: V;
  readonly value: V;
}

/**
 * A mapping whose entries are inherited (`<<: *other`); it's not `visible` when listing keys if it was empty when it
 * was merged.
 */
export interface Merge<V> {
  readonly mapping: MappingValue<V>;
  readonly visible: boolean;
}

/** Where to write an own entry: where it was read, among the inherited ones, or at the end. */
type Place = "read" | "merged" | "new";

interface OwnEntry<V> extends Entry<V> {
  readonly place: Place;
}

const none: ReadonlySet<string> = new Set();
const noMerges: readonly never[] = [];

/**
 * A mapping: its own entries, in order, and those inherited from the mappings that are merged into it. Keys are found
 * by their identities. Only own entries are written: first those that were read, then those that replaced inherited
 * ones, in the order of the latter, then new ones.
 */
export class MappingValue<V> {
  readonly kind = "mapping";
  readonly tag: string;
  readonly source: MappingNode | undefined;
  /** True if it's written as `!!omap`: a sequence of single pairs. */
  readonly ordered: boolean;
  readonly entryComments = new EntryComments<string>();
  comments: CollectionComments | undefined = undefined;
  anchor: string | undefined = undefined;
  flow = false;
  /** True if it's a key, and written in full in each place. */
  isKey = false;
  merges: readonly Merge<V>[] = noMerges;
  /** The position of `<<` among its own entries. */
  mergePosition = 0;
  readonly #own = new Map<string, OwnEntry<V>>();
  #removed: ReadonlySet<string> = none;
  #populated = false;

  constructor(tag: string, source?: MappingNode, ordered = false) {
    this.tag = tag;
    this.source = source;
    this.ordered = ordered;
  }

  /** The entry for a key, either own or inherited. */
  entry(key: string): Entry<V> | undefined {
    return this.#visibleEntry(key) ?? this.#hiddenEntry(key);
  }

  /** The value for a key, either own or inherited. */
  get(key: string): V | undefined {
    return this.entry(key)?.value;
  }

  /** The value of an own key. */
  ownValue(identity: string): V | undefined {
    return this.#own.get(identity)?.value;
  }

  /** True if the key is its own or visibly inherited. */
  has(key: string): boolean {
    return this.#visibleEntry(key) !== undefined;
  }

  /** True if it had visible entries when it was read. */
  wasPopulated(): boolean {
    return this.#populated;
  }

  /** Its own keys, then the other visible ones. */
  *keys(): Generator<string> {
    const given = new Set(this.#removed);
    for (const mapping of this.#lookupOrder()) {
      for (const key of mapping.#own.keys()) {
        if (!given.has(key)) {
          given.add(key);
          yield key;
        }
      }
    }
  }

  /** Adds an entry as it's read, and returns whether it's the first one with its identity. */
  add(identity: string, key: V, value: V): boolean {
    const before = this.#own.size;
    this.#own.set(identity, { key, value, place: "read" });
    this.#populated = true;
    return this.#own.size > before;
  }

  /** Merges other mappings, after all own entries have been read. */
  merge(mappings: readonly MappingValue<V>[], position: number): void {
    this.merges = mappings.map((mapping) => ({ mapping, visible: mapping.#populated }));
    this.mergePosition = position;
    this.#populated ||= this.merges.some(({ visible }) => visible);
  }

  /** Sets an own key; if it's also inherited, the key is written as it is there. */
  set(identity: string, key: V, value: V): void {
    const previous = this.#visibleEntry(identity);
    const place = this.#own.get(identity)?.place ?? (previous === undefined ? "new" : "merged");
    this.#own.set(identity, { key: previous?.key ?? key, value, place });
    if (this.#removed.has(identity)) {
      this.#removed = new Set([...this.#removed].filter((removed) => removed !== identity));
    }
  }

  /** Removes a key, so that it's no longer inherited either. */
  delete(identity: string): void {
    this.#own.delete(identity);
    if (this.has(identity)) {
      this.#removed = new Set([...this.#removed, identity]);
    }
  }

  /** The number of own entries. */
  get ownSize(): number {
    return this.#own.size;
  }

  /** The entries to write, in order. */
  ownEntries(): Iterable<[string, Entry<V>]> {
    const entries = this.merges.length === 0 ? [] : [...this.#own];
    const merged = entries.filter(([, { place }]) => place === "merged");
    return merged.length === 0 ? this.#own : this.#inOrder(entries, merged);
  }

  #inOrder(entries: [string, OwnEntry<V>][], merged: [string, OwnEntry<V>][]): [string, Entry<V>][] {
    const order = [...this.#mergedKeys()];
    merged.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    const at = (wanted: Place): typeof entries => entries.filter(([, { place }]) => place === wanted);
    return [...at("read"), ...merged, ...at("new")];
  }

  *#mergedKeys(): Generator<string> {
    for (const mapping of this.#lookupOrder()) {
      if (mapping !== this) {
        yield* mapping.#own.keys();
      }
    }
  }

  /** The entry that is visible here for this key, either own or inherited. */
  #visibleEntry(key: string): Entry<V> | undefined {
    for (const mapping of this.#lookupOrder((through) => !through.#removed.has(key))) {
      const entry = mapping.#own.get(key);
      if (entry !== undefined) {
        return entry;
      }
    }
    return undefined;
  }

  /** A key that isn't visible can still be read from a merged mapping. */
  #hiddenEntry(key: string): Entry<V> | undefined {
    for (const { mapping } of this.merges) {
      const entry = mapping.#visibleEntry(key);
      if (entry !== undefined) {
        return entry;
      }
    }
    return undefined;
  }

  /** This mapping and those that it inherits from, nearest first, each one once: merges can form any graph. */
  *#lookupOrder(mayPass: (mapping: MappingValue<V>) => boolean = () => true): Generator<MappingValue<V>> {
    const seen = new Set<MappingValue<V>>();
    const waiting: MappingValue<V>[] = [this];
    for (let mapping = waiting.pop(); mapping !== undefined; mapping = waiting.pop()) {
      if (seen.has(mapping)) {
        continue;
      }
      seen.add(mapping);
      yield mapping;
      if (mayPass(mapping)) {
        const visible = mapping.merges.filter((merge) => merge.visible);
        waiting.push(...visible.map((merge) => merge.mapping).reverse());
      }
    }
  }
}
