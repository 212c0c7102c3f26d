import type { Comment } from "./token.ts";

/** The comments of a collection as a whole. */
export interface CollectionComments {
  readonly post: Comment | undefined;
  readonly pre: readonly Comment[] | undefined;
  readonly end: readonly Comment[] | undefined;
}

/** The comments of a collection's entries, by index or identity. Most collections have none. */
export class EntryComments<K> {
  #byKey: Map<K, ItemComments> | undefined;

  get(key: K): ItemComments | undefined {
    return this.#byKey?.get(key);
  }

  set(key: K, comments: ItemComments): void {
    this.#byKey ??= new Map();
    this.#byKey.set(key, comments);
  }

  all(): Iterable<ItemComments> {
    return this.#byKey?.values() ?? [];
  }
}

/** The comments of one entry: on its key (or on the item of a sequence), and on its value. */
export interface ItemComments {
  readonly post: Comment | undefined;
  readonly pre: readonly Comment[] | undefined;
  readonly valuePost: Comment | undefined;
  readonly valuePre: readonly Comment[] | undefined;
}
