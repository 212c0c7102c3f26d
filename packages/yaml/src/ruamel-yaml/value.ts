import { type CollectionComments, EntryComments } from "./entry-comments.ts";
import type { MappingValue } from "./mapping-value.ts";
import type { Node } from "./node.ts";
import type { Comment, ScalarStyle } from "./token.ts";

/** What kind of thing a scalar is; `tagged` has a tag that means nothing here. */
export type ScalarType = "string" | "null" | "bool" | "number" | "time" | "binary" | "tagged";

const noFolds: readonly number[] = [];

/** What a scalar is made of. */
export interface ScalarParts {
  readonly type: ScalarType;
  readonly tag: string;
  readonly text: string;
  readonly style: ScalarStyle;
  /** What it was read from; undefined where it is new. */
  readonly source?: Node;
}

/** A scalar with its text as it is to be written. */
export class ScalarValue {
  readonly kind = "scalar";
  readonly type: ScalarType;
  readonly tag: string;
  readonly text: string;
  readonly style: ScalarStyle;
  readonly source: Node | undefined;
  /** Is always written, also where no alias refers to it. */
  anchor: string | undefined = undefined;
  /** Where it stands again it is written as an alias, not once more. */
  aliasable = false;
  /** Characters beyond U+FFFF are written as two escapes. */
  splitPairs = false;
  /** Where the lines of a folded scalar ended: each is the place of a space in `text`. */
  folds: readonly number[] = noFolds;
  /** The comment after the `|` or `>`, or else the first of those before it. */
  header: Comment | undefined = undefined;
  /** What it has in common with those it is equal to, where that is not its text. */
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
  /** It is a key, and written in full wherever it stands. */
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

/** Anything in a document. */
export type Value = ScalarValue | SequenceValue | Mapping | SetValue;

/** A mapping of values. */
export type Mapping = MappingValue<Value>;
