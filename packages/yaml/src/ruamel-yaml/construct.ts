import type { ComposedDocument } from "./composer.ts";
import type { CollectionComments, ItemComments } from "./entry-comments.ts";
import { EditError } from "./errors.ts";
import { keyOf } from "./keys.ts";
import { MappingValue } from "./mapping-value.ts";
import type { MappingNode, Node, Pair, SequenceNode } from "./node.ts";
import { tags } from "./resolve.ts";
import { identityOf, toScalarValue } from "./scalar-value.ts";
import type { Remarks } from "./token.ts";
import { type Mapping, ScalarValue, SequenceValue, SetValue, type Value } from "./value.ts";

/**
 * Converts a document's nodes to values, and moves comments from the nodes to the collections that contain them.
 *
 * @throws EditError for a duplicate key, a value that doesn't fit its tag, or a merge of something other than mappings
 */
export function construct(document: ComposedDocument): Value {
  return new Constructor(document).document(document.root);
}

/**
 * Collections are created first and filled later. Inside a mapping, that's immediately; a collection that contains
 * itself is empty there, because ruamel.yaml, whose output this reproduces, doesn't see it yet. Elsewhere, it's done in
 * rounds, so that what's merged at the root is still empty then.
 */
class Constructor {
  readonly #version11: boolean;
  readonly #hasAnchors: boolean;
  readonly #built = new Map<Node, Value>();
  readonly #building = new Set<Node>();
  #waiting: (() => void)[] = [];
  #deep = false;

  constructor({ version11, hasAnchors }: ComposedDocument) {
    this.#version11 = version11;
    this.#hasAnchors = hasAnchors;
  }

  document(root: Node): Value {
    const value = this.#build(root);
    while (this.#waiting.length > 0) {
      const round = this.#waiting;
      this.#waiting = [];
      for (const fill of round) {
        fill();
      }
    }
    return value;
  }

  #build(node: Node): Value {
    return this.#hasAnchors ? this.#buildOnce(node) : this.#make(node);
  }

  /** With anchors, a node can occur again, possibly while it's being built. */
  #buildOnce(node: Node): Value {
    const known = this.#built.get(node);
    if (known !== undefined) {
      return known;
    }
    if (this.#building.has(node)) {
      return nothing();
    }
    this.#building.add(node);
    const value = this.#make(node);
    this.#building.delete(node);
    this.#built.set(node, value);
    return value;
  }

  #make(node: Node): Value {
    switch (node.kind) {
      case "scalar":
        return toScalarValue(node, this.#version11);
      case "sequence":
        return this.#sequence(node);
      case "mapping":
        return this.#mapping(node);
    }
  }

  #buildDeep(node: Node): Value {
    const before = this.#deep;
    this.#deep = true;
    const value = this.#build(node);
    this.#deep = before;
    return value;
  }

  #fill(fill: () => void): void {
    if (this.#deep) {
      fill();
    } else {
      this.#waiting.push(fill);
    }
  }

  // Sequences.

  #sequence(node: SequenceNode): Value {
    switch (node.tag) {
      case tags.omap:
        return this.#orderedMapping(node);
      case tags.pairs:
        return this.#pairs(node);
      default:
        requireNoStandardTag(node, tags.sequence);
        return this.#plainSequence(node);
    }
  }

  #plainSequence(node: SequenceNode): SequenceValue {
    const isTagged = node.tag !== tags.sequence;
    const value = new SequenceValue(node.tag, node);
    value.flow = isTagged && node.flow;
    this.#fill(() => {
      value.flow = node.flow && (isTagged || node.items.length > 0);
      value.anchor = keptAnchor(node.anchor, isTagged);
      value.comments = isTagged ? undefined : collectionComments(node.remarks);
      for (const item of node.items) {
        if (item.remarks !== undefined && !isTagged) {
          value.itemComments.set(value.items.length, itemComments(item.remarks, undefined));
        }
        value.items.push(this.#build(item));
      }
    });
    return value;
  }

  #pairs(node: SequenceNode): SequenceValue {
    const value = new SequenceValue(tags.sequence, node);
    this.#fill(() => {
      for (const { pair } of singlePairs(node)) {
        const entry = new SequenceValue(tags.sequence, undefined);
        entry.items.push(this.#build(pair.key), this.#build(pair.value));
        value.items.push(entry);
      }
    });
    return value;
  }

  #orderedMapping(node: SequenceNode): Mapping {
    const mapping: Mapping = new MappingValue(tags.omap, undefined, true);
    mapping.flow = node.flow;
    this.#fill(() => {
      mapping.comments = collectionComments(node.remarks);
      for (const { pair, remarks } of singlePairs(node)) {
        const key = this.#build(pair.key);
        requireScalar(key, pair.key.line);
        this.#addEntry(mapping, pair, key, this.#build(pair.value));
        attachToKey(mapping, key, remarks, pair.key.line);
      }
    });
    return mapping;
  }

  // Mappings.

  #mapping(node: MappingNode): Value {
    if (node.tag === tags.set) {
      return this.#set(node);
    }
    requireNoStandardTag(node, tags.mapping);
    return this.#plainMapping(node);
  }

  #plainMapping(node: MappingNode): Mapping {
    const isTagged = node.tag !== tags.mapping;
    const mapping: Mapping = new MappingValue(node.tag, node);
    mapping.flow = isTagged && node.flow;
    this.#fill(() => {
      const { pairs, merged, position } = this.#flatten(node);
      mapping.comments = collectionComments(node.remarks);
      mapping.anchor = keptAnchor(node.anchor, isTagged);
      for (const pair of pairs) {
        const key = this.#buildDeep(pair.key);
        const of = pair.value;
        this.#addEntry(mapping, pair, key, isTagged ? this.#build(of) : this.#buildDeep(of));
      }
      if (merged.length > 0) {
        mapping.merge(merged, position);
      }
      mapping.flow ||= node.flow && mapping.wasPopulated();
    });
    return mapping;
  }

  #addEntry(mapping: Mapping, pair: Pair, keyValue: Value, value: Value): void {
    const keyNode = pair.key;
    const { key, identity } = keyOf(keyValue, keyNode);
    if (!mapping.add(identity, key, value)) {
      throw new EditError("a mapping has the same key twice", keyNode.line + 1);
    }
    const valueRemarks = pair.value.remarks;
    if (keyNode.remarks !== undefined || valueRemarks !== undefined) {
      mapping.entryComments.set(identity, itemComments(keyNode.remarks, valueRemarks));
    }
  }

  #set(node: MappingNode): SetValue {
    const set = new SetValue(node);
    this.#fill(() => {
      set.comments = collectionComments(node.remarks);
      set.anchor = keptAnchor(node.anchor, false);
      for (const pair of node.pairs) {
        this.#addMember(set, pair);
      }
    });
    return set;
  }

  #addMember(set: SetValue, pair: Pair): void {
    const keyNode = pair.key;
    const { key, identity } = keyOf(this.#buildDeep(keyNode), keyNode);
    this.#build(pair.value);
    if (set.members.has(identity)) {
      throw new EditError("a set has the same member twice", keyNode.line + 1);
    }
    set.members.set(identity, key);
    if (keyNode.remarks !== undefined) {
      set.memberComments.set(identity, itemComments(keyNode.remarks, undefined));
    }
  }

  /** The pairs except `<<`, and the mappings that `<<` merges. */
  #flatten({ pairs }: MappingNode): Flattened {
    pairs.forEach(readAsString);
    if (!pairs.some(isMerge)) {
      return { pairs, merged: [], position: 0 };
    }
    const others: Pair[] = [];
    const merged: Mapping[] = [];
    let position = 0;
    for (const pair of pairs) {
      if (!isMerge(pair)) {
        others.push(pair);
        continue;
      }
      if (merged.length > 0) {
        throw new EditError("a mapping has << twice", pair.key.line + 1);
      }
      position = others.length;
      merged.push(...this.#merged(pair.value));
    }
    return { pairs: others, merged, position };
  }

  #merged(node: Node): Mapping[] {
    const sources = node.kind === "sequence" ? node.items : [node];
    return sources.map((source) => {
      const value = source.kind === "mapping" ? this.#build(source) : undefined;
      if (value?.kind !== "mapping") {
        throw new EditError("<< takes a mapping or a list of mappings", source.line + 1);
      }
      return value;
    });
  }
}

interface Flattened {
  readonly pairs: readonly Pair[];
  readonly merged: readonly Mapping[];
  readonly position: number;
}

/** `=` is a separate kind of value, but as a key it's a string. */
function readAsString({ key }: Pair): void {
  if (key.tag === tags.value) {
    key.tag = tags.string;
  }
}

function isMerge({ key }: Pair): boolean {
  return key.tag === tags.merge;
}

function nothing(): Value {
  return new ScalarValue({ type: "null", tag: tags.null, text: "", style: "" });
}

/** Names that look generated aren't kept, unless the node has a tag. */
function keptAnchor(anchor: string | undefined, isTagged: boolean): string | undefined {
  const isMadeUp = anchor !== undefined && /^id(?!000$)[0-9]{3,}/.test(anchor);
  return isMadeUp && !isTagged ? undefined : anchor;
}

const wellKnown: ReadonlySet<string> = new Set(
  Object.values(tags).filter((tag) => tag !== tags.merge && tag !== tags.value),
);

function requireNoStandardTag(node: MappingNode | SequenceNode, own: string): void {
  if (node.tag !== own && wellKnown.has(node.tag)) {
    throw new EditError(`a ${node.kind} doesn't fit its tag ${node.tag}`, node.line + 1);
  }
}

function requireScalar(key: Value, line: number): void {
  if (key.kind !== "scalar") {
    throw new EditError("a key of an ordered map must be a scalar", line + 1);
  }
}

interface SinglePair {
  readonly pair: Pair;
  readonly remarks: Remarks | undefined;
}

/** The pairs of `!!omap` and `!!pairs`: each item of the sequence is a mapping with one pair. */
function singlePairs(node: SequenceNode): SinglePair[] {
  return node.items.map((item) => {
    const pair = item.kind === "mapping" && item.pairs.length === 1 ? item.pairs[0] : undefined;
    if (pair === undefined) {
      throw new EditError(`an item of ${node.tag} must be a mapping with one pair`, item.line + 1);
    }
    return { pair, remarks: item.remarks };
  });
}

/** The comments of the small mapping move to its key. */
function attachToKey(mapping: Mapping, key: Value, remarks: Remarks | undefined, line: number): void {
  if (remarks === undefined || key.kind !== "scalar") {
    return;
  }
  const identity = identityOf(key);
  const held = mapping.entryComments.get(identity);
  if (held?.pre !== undefined) {
    throw new EditError("there are more comments here than can be kept", line + 1);
  }
  const value = { valuePost: held?.valuePost, valuePre: held?.valuePre };
  mapping.entryComments.set(identity, { post: remarks.post, pre: remarks.pre, ...value });
}

function collectionComments(remarks: Remarks | undefined): CollectionComments | undefined {
  return remarks === undefined ? undefined : { post: remarks.post, pre: remarks.pre, end: remarks.end };
}

function itemComments(key: Remarks | undefined, value: Remarks | undefined): ItemComments {
  return { post: key?.post, pre: key?.pre, valuePost: value?.post, valuePre: value?.pre };
}
