import { Branch, Comment, type TreeValue } from "../tree.ts";

/** An entry of a collection, with the comment before it. */
export interface Entry {
  /** Undefined in a list. */
  readonly key: string | undefined;
  readonly value: TreeValue;
  readonly head: string;
}

/**
 * The entries of a collection, and the comments that yaml.v3 writes apart from them: a comment before the first entry
 * belongs to the collection, and one after the last entry is at its foot.
 */
export interface Entries {
  readonly entries: readonly Entry[];
  readonly head: string;
  readonly foot: string;
}

/** Separates the comments of a collection from its entries. */
export function entriesOf(collection: Branch | readonly TreeValue[]): Entries {
  const entries: Entry[] = [];
  let head = "";
  let comments: string[] = [];
  for (const item of itemsOf(collection)) {
    if (item instanceof Comment) {
      comments.push(`#${item.text}`);
    } else {
      const comment = comments.join("\n");
      comments = [];
      const isFirst = entries.length === 0;
      head = isFirst ? comment : head;
      entries.push({ ...item, head: isFirst ? "" : comment });
    }
  }
  const rest = comments.join("\n");
  return entries.length === 0 ? { entries, head: rest, foot: "" } : { entries, head, foot: rest };
}

function* itemsOf(
  collection: Branch | readonly TreeValue[],
): Generator<Comment | { readonly key: string | undefined; readonly value: TreeValue }, void> {
  if (collection instanceof Branch) {
    for (const { key, value } of collection.items) {
      yield key instanceof Comment ? key : { key, value };
    }
    return;
  }
  for (const value of collection) {
    yield value instanceof Comment ? value : { key: undefined, value };
  }
}
