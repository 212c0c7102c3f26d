import { type CollectionComments, EntryComments } from "./entry-comments.ts";
import type { MappingNode } from "./node.ts";

/** A key and what it stands for. */
export interface Entry<V> {
  readonly key: V;
  readonly value: V;
}

/** A mapping that shows through (`<<: *other`); not `visible` to a look at the keys if it was empty when merged. */
export interface Merge<V> {
  readonly mapping: MappingValue<V>;
  readonly visible: boolean;
}

/** Where an entry of its own is written: where it was read, among those that show through, or at the end. */
type Place = "read" | "merged" | "new";

interface OwnEntry<V> extends Entry<V> {
  readonly place: Place;
}

const none: ReadonlySet<string> = new Set();
const noMerges: readonly never[] = [];

/**
 * A mapping: entries of its own, in order, and those that show through from the mappings merged into it. Keys
 * are known by their identities. Only its own entries are written: first those that were read, then those set
 * over ones that show through, in the order of the latter, then new ones.
 */
export class MappingValue<V> {
  readonly kind = "mapping";
  readonly tag: string;
  readonly source: MappingNode | undefined;
  /** It is written as `!!omap`: a sequence of single pairs. */
  readonly ordered: boolean;
  readonly entryComments = new EntryComments<string>();
  comments: CollectionComments | undefined = undefined;
  anchor: string | undefined = undefined;
  flow = false;
  /** It is a key, and written in full wherever it stands. */
  isKey = false;
  merges: readonly Merge<V>[] = noMerges;
  /** Among its own entries, where `<<` stands. */
  mergePosition = 0;
  private readonly own = new Map<string, OwnEntry<V>>();
  private removed: ReadonlySet<string> = none;
  private populated = false;

  constructor(tag: string, source?: MappingNode, ordered = false) {
    this.tag = tag;
    this.source = source;
    this.ordered = ordered;
  }

  /** The entry under a key, its own or one that shows through. */
  entry(key: string): Entry<V> | undefined {
    const holder = this.holderOf(key) ?? this.hiddenHolderOf(key);
    return holder?.own.get(key);
  }

  /** The value of a key, its own or one that shows through. */
  get(key: string): V | undefined {
    return this.entry(key)?.value;
  }

  /** The value of a key of its own. */
  ownValue(identity: string): V | undefined {
    return this.own.get(identity)?.value;
  }

  /** Whether the key is its own or visibly shows through. */
  has(key: string): boolean {
    return this.holderOf(key) !== undefined;
  }

  /** Whether it had entries to be seen when it was read. */
  wasPopulated(): boolean {
    return this.populated;
  }

  /** Its own keys, then the others that are to be seen. */
  *keys(): Generator<string> {
    const given = new Set(this.removed);
    for (const mapping of this.lookupOrder()) {
      for (const key of mapping.own.keys()) {
        if (!given.has(key)) {
          given.add(key);
          yield key;
        }
      }
    }
  }

  /** Adds an entry as it is read, and says whether it is the first of its identity. */
  add(identity: string, key: V, value: V): boolean {
    const before = this.own.size;
    this.own.set(identity, { key, value, place: "read" });
    this.populated = true;
    return this.own.size > before;
  }

  /** Merges other mappings in, where all its own entries have been read. */
  merge(mappings: readonly MappingValue<V>[], position: number): void {
    this.merges = mappings.map((mapping) => ({ mapping, visible: mapping.populated }));
    this.mergePosition = position;
    this.populated ||= this.merges.some(({ visible }) => visible);
  }

  /** Sets a key of its own; where one shows through, the key is written as it is there. */
  set(identity: string, key: V, value: V): void {
    const previous = this.holderOf(identity)?.own.get(identity);
    const place = this.own.get(identity)?.place ?? (previous === undefined ? "new" : "merged");
    this.own.set(identity, { key: previous?.key ?? key, value, place });
    if (this.removed.has(identity)) {
      this.removed = new Set([...this.removed].filter((removed) => removed !== identity));
    }
  }

  /** Removes a key, so that it shows through no more either. */
  delete(identity: string): void {
    this.own.delete(identity);
    if (this.has(identity)) {
      this.removed = new Set([...this.removed, identity]);
    }
  }

  /** How many entries are its own. */
  get ownSize(): number {
    return this.own.size;
  }

  /** The entries to be written, in order. */
  ownEntries(): Iterable<[string, Entry<V>]> {
    const entries = this.merges.length === 0 ? [] : [...this.own];
    const merged = entries.filter(([, { place }]) => place === "merged");
    return merged.length === 0 ? this.own : this.inOrder(entries, merged);
  }

  private inOrder(entries: [string, OwnEntry<V>][], merged: [string, OwnEntry<V>][]): [string, Entry<V>][] {
    const order = [...this.mergedKeys()];
    merged.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    const at = (wanted: Place): typeof entries => entries.filter(([, { place }]) => place === wanted);
    return [...at("read"), ...merged, ...at("new")];
  }

  private *mergedKeys(): Generator<string> {
    for (const mapping of this.lookupOrder()) {
      if (mapping !== this) {
        yield* mapping.own.keys();
      }
    }
  }

  /** The mapping whose own entry is seen here under this key. */
  private holderOf(key: string): MappingValue<V> | undefined {
    for (const mapping of this.lookupOrder((through) => !through.removed.has(key))) {
      if (mapping.own.has(key)) {
        return mapping;
      }
    }
    return undefined;
  }

  /** A key that cannot be seen may still be read, from whatever is merged in. */
  private hiddenHolderOf(key: string): MappingValue<V> | undefined {
    for (const { mapping } of this.merges) {
      const holder = mapping.holderOf(key);
      if (holder !== undefined) {
        return holder;
      }
    }
    return undefined;
  }

  /** This mapping and those that show through, nearest first, each once: the merges may form any graph. */
  private *lookupOrder(
    mayPass: (mapping: MappingValue<V>) => boolean = () => true,
  ): Generator<MappingValue<V>> {
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
