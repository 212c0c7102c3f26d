import { type CollectionComments, EntryComments } from "./entry-comments.ts";
import type { MappingValue } from "./mapping-value.ts";
import type { Node } from "./node.ts";
import type { Comment, ScalarStyle } from "./token.ts";

/** The type of a scalar; `tagged` has a tag that means nothing here. */
export type ScalarType = "string" | "null" | "bool" | "number" | "time" | "binary" | "tagged";

const noFolds: readonly number[] = [];

/** The parts of a scalar. */
export interface ScalarParts {
  readonly type: ScalarType;
  readonly tag: string;
  readonly text: string;
  readonly style: ScalarStyle;
  /** The node that it was read from; undefined if it's new. */
  readonly source?: Node;
}

/** A scalar with its text for writing. */
export class ScalarValue {
  readonly kind = "scalar";
  readonly type: ScalarType;
  readonly tag: string;
  readonly text: string;
  readonly style: ScalarStyle;
  readonly source: Node | undefined;
  /** Always written, even if no alias refers to it. */
  anchor: string | undefined = undefined;
  /** True if further occurrences are written as an alias. */
  aliasable = false;
  /** True if characters beyond U+FFFF are written as two escapes. */
  splitPairs = false;
  /** Where the lines of a folded scalar ended: each one is the position of a space in `text`. */
  folds: readonly number[] = noFolds;
  /** The comment after the `|` or `>`, or else the first of those before it. */
  header: Comment | undefined = undefined;
  /** The identity that it shares with equal values, if that isn't its text. */
  equality: string | undefined = undefined;

  constructor({ type, tag, text, style, source }: ScalarParts) {
    this.type = type;
    this.tag = tag;
    this.text = text;
    this.style = style;
    this.source = source;
  }
}

/** A sequence. */
export class SequenceValue {
  readonly kind = "sequence";
  readonly tag: string;
  readonly source: Node | undefined;
  readonly items: Value[] = [];
  readonly itemComments = new EntryComments<number>();
  comments: CollectionComments | undefined = undefined;
  anchor: string | undefined = undefined;
  flow = false;
  /** True if it's a key, and written in full in each place. */
  isKey = false;

  constructor(tag: string, source: Node | undefined) {
    this.tag = tag;
    this.source = source;
  }
}

/** A `!!set`: its members by their identities, in order. */
export class SetValue {
  readonly kind = "set";
  readonly source: Node | undefined;
  readonly members = new Map<string, Value>();
  readonly memberComments = new EntryComments<string>();
  comments: CollectionComments | undefined = undefined;
  anchor: string | undefined = undefined;

  constructor(source: Node) {
    this.source = source;
  }
}

/** Any value in a document. */
export type Value = ScalarValue | SequenceValue | Mapping | SetValue;

/** A mapping of values. */
export type Mapping = MappingValue<Value>;
