/**
 * The content of a file, with the order of keys and with comments, as sops sees it. Trees are never changed, and nodes
 * may be shared, because YAML aliases refer to them.
 */

/** A comment, without its `#`. In an encrypted file, its text is usually an encrypted value. */
export class Comment {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A Go int or float64, and how it's written in the file. */
export class SopsNumber {
  readonly type: "int" | "float";
  readonly value: number | bigint;
  readonly source: string;

  constructor(type: "int" | "float", value: number | bigint, source = String(value)) {
    this.type = type;
    this.value = value;
    this.source = source;
  }
}

/** A date or time, as written in the file, and in RFC 3339. */
export class Timestamp {
  readonly source: string;
  readonly rfc3339: string;

  constructor(source: string, rfc3339: string) {
    this.source = source;
    this.rfc3339 = rfc3339;
  }
}

/** A mapping or section. The value of a comment's item is null. */
export class Branch {
  readonly items: readonly BranchItem[];

  constructor(items: readonly BranchItem[]) {
    this.items = items;
  }

  /** The value of the last item with this key. */
  get(key: string): TreeValue | undefined {
    return this.items.findLast((item) => item.key === key)?.value;
  }

  /** All items except those with this key. */
  without(key: string): Branch {
    return new Branch(this.items.filter((item) => item.key !== key));
  }
}

/** A key with its value, or a comment. */
export interface BranchItem {
  readonly key: string | Comment;
  readonly value: TreeValue;
}

/** A value without parts. Bytes are text that isn't UTF-8. */
export type Leaf = string | boolean | SopsNumber | Timestamp | Uint8Array;

/** Any value. */
export type TreeValue = Leaf | null | Comment | Branch | readonly TreeValue[];

/** A file that's split into its content, one branch for each document, and the metadata that sops added. */
export interface EncryptedTree {
  readonly branches: readonly Branch[];
  readonly metadata: Branch;
}

/** True for a list. */
export function isList(value: TreeValue | undefined): value is readonly TreeValue[] {
  return Array.isArray(value);
}

/** The text of a value that should be a string in the metadata; "" if it has none. */
export function textOf(value: TreeValue | undefined): string {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "boolean") {
    return String(value);
  }
  return value instanceof SopsNumber || value instanceof Timestamp ? value.source : "";
}
