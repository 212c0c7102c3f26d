import type { EntryComments, ItemComments } from "./entry-comments.ts";
import { EditError } from "./errors.ts";
import { labelsOf } from "./labels.ts";
import { inFull, tags } from "./resolve.ts";
import { foldMark } from "./scan-block-scalar.ts";
import type { Comment, ScalarStyle } from "./token.ts";
import type { Mapping, ScalarValue, SequenceValue, SetValue, Value } from "./value.ts";

/** The comments of a node as the emitter needs them: after it, before it, and before its end. */
export interface LayoutComment {
  readonly post: Comment | undefined;
  readonly pre: readonly Comment[] | undefined;
  readonly end: readonly Comment[] | undefined;
}

/** A value to write, with its comments and, if it occurs more than once, its label. */
export class LayoutNode {
  readonly kind: "scalar" | "sequence" | "mapping";
  readonly tag: string;
  /** The anchor to write, and the alias where the node occurs again. */
  readonly label: string | undefined;
  text = "";
  /** `?` is the style for the members of a set. */
  style: ScalarStyle | "?" = "";
  splitPairs = false;
  flow = false;
  comment: LayoutComment | undefined = undefined;
  /** True after it was written with its anchor. */
  written = false;
  /** For a collection: the source of its children. */
  parts: Value | readonly LayoutNode[] = [];

  constructor(kind: LayoutNode["kind"], tag: string, label?: string) {
    this.kind = kind;
    this.tag = tag;
    this.label = label;
  }
}

/**
 * Lays out a document's value for writing. A value that occurs in several places is one node. In a document without
 * anchors, there's none of these; then a collection is laid out only when it's written.
 */
export class Layout {
  readonly #hasAnchors: boolean;
  readonly #labels: ReadonlyMap<Value, string>;
  readonly #labelled = new Map<Value, LayoutNode>();

  constructor(root: Value, hasAnchors: boolean) {
    this.#hasAnchors = hasAnchors;
    this.#labels = hasAnchors ? labelsOf(root) : new Map();
  }

  /** The node of a value. */
  node(value: Value): LayoutNode {
    const known = this.#labelled.get(value);
    if (known !== undefined) {
      return known;
    }
    const label = this.#labels.get(value);
    const node = value.kind === "scalar" ? scalarNode(value, label) : collectionNode(value, label);
    if (label !== undefined) {
      this.#labelled.set(value, node);
    }
    if (this.#hasAnchors && value.kind !== "scalar") {
      node.parts = this.children(node);
    }
    return node;
  }

  /**
   * The child nodes of a collection: the items of a sequence, or the keys and values of a mapping alternately.
   *
   * @throws EditError if comments from two places would move to the same one
   */
  children({ parts }: LayoutNode): readonly LayoutNode[] {
    if (!("kind" in parts)) {
      return parts;
    }
    switch (parts.kind) {
      case "scalar":
        return [];
      case "sequence":
        return this.#items(parts);
      case "set":
        return this.#members(parts);
      case "mapping":
        return parts.ordered ? this.#orderedPairs(parts) : this.#pairs(parts);
    }
  }

  #items({ items, itemComments }: SequenceValue): LayoutNode[] {
    const loses = losesComments(itemComments);
    return items.map((item, index) => {
      const child = this.node(item);
      mergeItemComments(child, loses ? undefined : itemComments.get(index));
      return child;
    });
  }

  #pairs(value: Mapping): LayoutNode[] {
    const loses = losesComments(value.entryComments);
    const pairs: LayoutNode[] = [];
    for (const [identity, entry] of value.ownEntries()) {
      const key = this.node(entry.key);
      const of = this.node(entry.value);
      attachEntryComments(key, of, loses ? undefined : value.entryComments.get(identity));
      pairs.push(key, of);
    }
    if (value.merges.length > 0) {
      pairs.splice(2 * value.mergePosition, 0, mergeKey(), this.#merged(value));
    }
    return pairs;
  }

  /** A single mapping follows `<<` directly, several are in a list. */
  #merged({ merges }: Mapping): LayoutNode {
    const [first, ...others] = merges.map(({ mapping }) => this.node(mapping));
    if (first !== undefined && others.length === 0) {
      return first;
    }
    const list = new LayoutNode("sequence", tags.sequence);
    list.flow = true;
    list.parts = first === undefined ? [] : [first, ...others];
    return list;
  }

  #orderedPairs(value: Mapping): LayoutNode[] {
    const loses = losesComments(value.entryComments);
    return Array.from(value.ownEntries(), ([identity, entry]) => {
      const key = this.node(entry.key);
      const of = this.node(entry.value);
      return singlePair(key, of, loses ? undefined : value.entryComments.get(identity));
    });
  }

  #members({ members, memberComments }: SetValue): LayoutNode[] {
    const loses = losesComments(memberComments);
    return Array.from(members, ([identity, member]) => {
      const key = this.node(member);
      if (key.kind !== "scalar") {
        throw new EditError("a member of a set must be a scalar");
      }
      attachKeyComments(key, loses ? undefined : memberComments.get(identity));
      const nothing = new LayoutNode("scalar", tags.null);
      key.style = "?";
      nothing.style = "?";
      return [key, nothing];
    }).flat();
  }
}

/** A folded scalar loses the comment on its first line, unless it has no other lines to fold. */
function scalarNode(value: ScalarValue, label: string | undefined): LayoutNode {
  const node = new LayoutNode("scalar", value.tag, label);
  node.text = value.folds.length > 0 ? withFoldMarks(value.text, value.folds) : value.text;
  node.style = value.style;
  node.splitPairs = value.splitPairs;
  if (value.header !== undefined && node.text === value.text) {
    node.comment = { post: undefined, pre: [value.header], end: undefined };
  }
  return node;
}

function collectionNode(value: Exclude<Value, ScalarValue>, label: string | undefined): LayoutNode {
  const { comments } = value;
  const node = new LayoutNode(nodeKind(value), tagOf(value), label);
  node.flow = isFlow(value);
  node.parts = value;
  if (comments !== undefined) {
    node.comment = losesComments(entryComments(value)) ? { ...comments, end: undefined } : comments;
  }
  return node;
}

function nodeKind(value: Exclude<Value, ScalarValue>): "sequence" | "mapping" {
  return value.kind === "sequence" || (value.kind === "mapping" && value.ordered) ? "sequence" : "mapping";
}

function tagOf(value: Exclude<Value, ScalarValue>): string {
  return value.kind === "set" ? tags.set : inFull(value.tag);
}

function isFlow(value: Exclude<Value, ScalarValue>): boolean {
  switch (value.kind) {
    case "sequence":
      return value.flow || value.items.length === 0;
    case "set":
      return false;
    case "mapping":
      return value.flow || (value.ownSize === 0 && value.merges.length === 0 && !value.ordered);
  }
}

function entryComments(value: Exclude<Value, ScalarValue>): EntryComments<unknown> {
  switch (value.kind) {
    case "sequence":
      return value.itemComments;
    case "set":
      return value.memberComments;
    case "mapping":
      return value.entryComments;
  }
}

/**
 * True if an item or a key is a block scalar with a comment on its first line. Then the comments of all entries are
 * lost, and those at the end.
 */
function losesComments(entries: EntryComments<unknown>): boolean {
  for (const { pre } of entries.all()) {
    if (pre?.some(({ header }) => header) === true) {
      return true;
    }
  }
  return false;
}

function mergeKey(): LayoutNode {
  const node = new LayoutNode("scalar", tags.merge);
  node.text = "<<";
  return node;
}

/** Adds a mark before each space where a line ended, if the space is alone between two words. */
function withFoldMarks(text: string, folds: readonly number[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const at of folds) {
    const between = at > 0 && !isWhitespace(text.charAt(at - 1)) && !isWhitespace(text.charAt(at + 1));
    if (text.charAt(at) === " " && between) {
      pieces.push(text.slice(from, at));
      from = at;
    }
  }
  return [...pieces, text.slice(from)].join(foldMark);
}

/** White space as defined by Python. */
function isWhitespace(char: string): boolean {
  return /^[\s\x1c-\x1f\x85]$/.test(char) && char !== "\ufeff";
}

function attachEntryComments(key: LayoutNode, value: LayoutNode, comments: ItemComments | undefined): void {
  if (comments === undefined) {
    return;
  }
  attachKeyComments(key, comments);
  value.comment = { post: comments.valuePost, pre: comments.valuePre, end: value.comment?.end };
}

function attachKeyComments(key: LayoutNode, comments: ItemComments | undefined): void {
  if (comments === undefined) {
    return;
  }
  if (key.comment !== undefined) {
    throw clash();
  }
  key.comment = { post: comments.post, pre: comments.pre, end: undefined };
}

/** An entry of an ordered map. The comments before it come before its small mapping. */
function singlePair(key: LayoutNode, value: LayoutNode, comments: ItemComments | undefined): LayoutNode {
  const pair = new LayoutNode("mapping", tags.mapping);
  pair.parts = [key, value];
  if (comments !== undefined) {
    const { pre } = comments;
    pair.comment =
      pre === undefined || pre.length === 0 ? undefined : { post: undefined, pre, end: undefined };
    attachEntryComments(key, value, { ...comments, pre: undefined });
  }
  return pair;
}

function mergeItemComments(node: LayoutNode, comments: ItemComments | undefined): void {
  if (comments === undefined) {
    return;
  }
  const held = node.comment;
  if (differ([held?.post], [comments.post]) || differ(held?.pre, comments.pre)) {
    throw clash();
  }
  node.comment = { post: held?.post ?? comments.post, pre: held?.pre ?? comments.pre, end: held?.end };
}

/** True if both exist and differ. */
function differ(
  held: readonly (Comment | undefined)[] | undefined,
  given: readonly (Comment | undefined)[] | undefined,
): boolean {
  if (held === undefined || given === undefined || held[0] === undefined || given[0] === undefined) {
    return false;
  }
  return held.length !== given.length || held.some((comment, index) => comment !== given[index]);
}

function clash(): EditError {
  return new EditError("two comments claim the same place");
}
