import { manifestLimits } from "@weir/base";
import { EditError } from "./errors.ts";
import type { MappingNode, Node, ScalarNode, SequenceNode } from "./node.ts";
import { expandTag, resolvePlain, tags } from "./resolve.ts";
import type { Scanner } from "./scanner.ts";
import { Remarks, type Token, type TokenKind } from "./token.ts";

/** How deep collections can be nested; ruamel.yaml, whose output this reproduces, fails there too. */
export const deepestNesting = 328;

/** The anchor and tag before a node. */
interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
}

const noProperties: Properties = { anchor: undefined, tag: undefined };

/** The tag handles that don't need a %TAG directive. */
export const defaultHandles: ReadonlySet<string> = new Set(["!", "!!"]);

/**
 * Composes the nodes of documents from tokens, with their comments, like ruamel.yaml 0.15's parser and composer.
 * Indicators pass their comments on to the next node.
 */
export class NodeComposer {
  readonly #scanner: Scanner;
  #handles = defaultHandles;
  readonly #anchors = new Map<string, Node>();
  #depth = 0;
  #nodes = 0;
  /** Where the last node starts, including its properties, and where the last token that belongs to a node ends. */
  #nodeStart = 0;
  #lastEnd = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** True if the last composed document contains anchors. */
  get hasAnchors(): boolean {
    return this.#anchors.size > 0;
  }

  /**
   * The root of a document, after its start was read.
   *
   * @throws EditError for invalid YAML, an alias without an anchor, an undeclared tag handle, or if a limit is exceeded
   */
  composeRoot(handles: ReadonlySet<string>): Node {
    this.#begin(handles);
    return this.#composeNode(true);
  }

  /** The root of an empty document. */
  composeNothing(): Node {
    this.#begin(defaultHandles);
    return this.#nothing(emptyScalar(this.#scanner.peek()));
  }

  #begin(handles: ReadonlySet<string>): void {
    this.#handles = handles;
    this.#anchors.clear();
  }

  #composeNode(block: boolean, indentless = false): Node {
    const first = this.#scanner.peek();
    this.#count(first);
    this.#nodeStart = first.start;
    if (first.kind === "alias") {
      return this.#composeAlias();
    }
    const node = this.#composeContent(this.#takeProperties(first), block, indentless);
    this.#nodeStart = first.start;
    return node;
  }

  #composeAlias(): Node {
    const { text, line } = this.#takeToken();
    const node = this.#anchors.get(text);
    if (node === undefined) {
      throw new EditError("the alias refers to an unknown anchor", line + 1);
    }
    return node;
  }

  #takeProperties({ kind }: Token): Properties {
    if (kind !== "anchor" && kind !== "tag") {
      return noProperties;
    }
    let anchor = this.#takeIf("anchor");
    const tag = this.#takeIf("tag");
    anchor ??= tag === undefined ? undefined : this.#takeIf("anchor");
    return { anchor: anchor?.text, tag: tag === undefined ? undefined : this.#tagOf(tag) };
  }

  #tagOf({ detail, text, line }: Token): string {
    const handle = detail?.handle;
    if (handle !== undefined && !this.#handles.has(handle)) {
      throw new EditError("a tag handle isn't declared", line + 1);
    }
    return expandTag(handle, text);
  }

  #composeContent(properties: Properties, block: boolean, indentless: boolean): Node {
    const { kind } = this.#scanner.peek();
    if (kind === "scalar") {
      return this.#composeScalar(properties);
    }
    if (!beginsCollection(kind, block, indentless)) {
      return this.#composeMissing(properties);
    }
    this.#depth += 1;
    if (this.#depth > deepestNesting) {
      throw new EditError("collections are nested too deeply", this.#scanner.peek().line + 1);
    }
    const node = this.#composeCollection(kind, properties);
    this.#depth -= 1;
    return node;
  }

  #composeCollection(kind: TokenKind, properties: Properties): Node {
    switch (kind) {
      case "flow sequence start":
        return this.#composeFlowSequence(properties);
      case "flow mapping start":
        return this.#composeFlowMapping(properties);
      case "block sequence start":
        return this.#composeBlockSequence(properties);
      case "block entry":
        return this.#composeIndentlessSequence(properties);
      default:
        return this.#composeBlockMapping(properties);
    }
  }

  /** An anchor or a tag alone is a node too. */
  #composeMissing(properties: Properties): Node {
    const token = this.#scanner.peek();
    if (properties.anchor === undefined && properties.tag === undefined) {
      throw this.#unexpected("a value");
    }
    const tag = this.#scalarTag(properties.tag, "", true);
    return this.#register({ ...emptyScalar(token, this.#lastEnd), tag, anchor: properties.anchor });
  }

  #composeScalar({ anchor, tag }: Properties): Node {
    const token = this.#takeToken();
    return this.#register({
      kind: "scalar",
      tag: this.#scalarTag(tag, token.text, token.style === ""),
      anchor,
      text: token.text,
      style: token.style,
      splitPairs: token.detail?.splitPairs === true,
      line: token.line,
      start: token.start,
      end: token.end,
      remarks: token.remarks,
    });
  }

  /** Without a tag, or with a lone `!`, the text of a plain scalar decides. */
  #scalarTag(tag: string | undefined, text: string, plain: boolean): string {
    if (tag !== undefined && tag !== "!") {
      return tag;
    }
    return plain || tag === "!" ? resolvePlain(text, this.#scanner.version11) : tags.string;
  }

  #register<T extends Node>(node: T): T {
    if (node.anchor !== undefined) {
      this.#anchors.set(node.anchor, node);
    }
    return node;
  }

  // Sequences.

  #composeBlockSequence(properties: Properties): Node {
    const start = this.#scanner.peek();
    const node = this.#openSequence(properties, start, false);
    node.remarks = start.remarks?.pre === undefined ? splitRemarks(start) : start.remarks;
    this.#scanner.next();
    while (this.#at("block entry")) {
      this.#composeEntry(node, endsEntry);
    }
    this.#require("block end", "the next '-' or the end of the sequence");
    return this.#close(node, this.#scanner.next().remarks);
  }

  /** A sequence whose dashes are in the column of the key above them. */
  #composeIndentlessSequence(properties: Properties): Node {
    const start = this.#scanner.peek();
    const node = this.#openSequence(properties, start, false);
    if (start.remarks?.post !== undefined) {
      node.remarks = new Remarks(start.remarks.post, []);
      start.remarks.post = undefined;
    }
    while (this.#at("block entry")) {
      this.#composeEntry(node, endsIndentlessEntry);
    }
    return this.#close(node, this.#scanner.peek().remarks);
  }

  #composeEntry(node: SequenceNode, followers: ReadonlySet<TokenKind>): void {
    const entry = this.#takeToken();
    this.#scanner.moveRemarks(entry, this.#scanner.peek());
    const isEmpty = this.#atAny(followers);
    node.items.push(isEmpty ? this.#nothing(emptyScalar(entry)) : this.#composeNode(true));
  }

  #composeFlowSequence(properties: Properties): Node {
    const start = this.#scanner.peek();
    const node = this.#openSequence(properties, start, true);
    node.remarks = start.remarks;
    this.#takeToken();
    for (let first = true; this.#beginsFlowEntry("flow sequence end", first); first = false) {
      if (this.#at("key")) {
        node.items.push(this.#composeSinglePair());
      } else if (!this.#at("flow sequence end")) {
        node.items.push(this.#composeNode(false));
      }
    }
    return this.#close(node, this.#takeToken().remarks);
  }

  /** `a: b` in a flow sequence: a separate mapping. */
  #composeSinglePair(): Node {
    const token = this.#scanner.next();
    const node = this.#openMapping(noProperties, token, true);
    const key = this.#flowNodeOr(token, endsSequenceKey);
    this.#pair(node, key, () => this.#flowValue(endsSequenceValue));
    return this.#close(node, undefined);
  }

  // Mappings.

  #composeBlockMapping(properties: Properties): Node {
    const start = this.#scanner.next();
    const node = this.#openMapping(properties, start, false);
    node.remarks = start.remarks;
    for (;;) {
      const token = this.#scanner.peek();
      if (token.kind === "key") {
        this.#pair(node, this.#blockKey(), () => this.#blockValue());
      } else if (token.kind === "value" && !this.#scanner.version11) {
        this.#pair(node, this.#nothing(emptyScalar(token, this.#lastEnd)), () => this.#blockValue());
      } else {
        break;
      }
    }
    this.#require("block end", "the next key or the end of the mapping");
    const end = this.#scanner.next();
    this.#scanner.moveRemarks(end, this.#scanner.peek());
    return this.#close(node, end.remarks);
  }

  #blockKey(): Node {
    const token = this.#takeToken();
    this.#scanner.moveRemarks(token, this.#scanner.peek());
    return this.#atAny(endsBlockKey) ? this.#nothing(emptyScalar(token)) : this.#composeNode(true, true);
  }

  #blockValue(): Node {
    if (!this.#at("value")) {
      return this.#nothing(emptyScalar(this.#scanner.peek(), this.#lastEnd));
    }
    const token = this.#takeToken();
    const next = this.#scanner.peek();
    if (next.kind !== "key") {
      this.#scanner.moveRemarks(token, next, next.kind !== "value");
    }
    if (next.kind !== "key" && next.kind !== "value" && next.kind !== "block end") {
      return this.#composeNode(true, true);
    }
    const remarks = token.remarks ?? splitPost(next);
    return this.#nothing({ ...emptyScalar(token, token.end), remarks });
  }

  #composeFlowMapping(properties: Properties): Node {
    const start = this.#scanner.peek();
    const node = this.#openMapping(properties, start, true);
    node.remarks = start.remarks;
    this.#takeToken();
    for (let first = true; this.#beginsFlowEntry("flow mapping end", first); first = false) {
      this.#composeFlowPair(node);
    }
    return this.#close(node, this.#takeToken().remarks);
  }

  #composeFlowPair(node: MappingNode): void {
    const token = this.#scanner.peek();
    if (token.kind === "key") {
      this.#scanner.next();
      const key = this.#flowNodeOr(token, endsMappingKey);
      this.#pair(node, key, () => this.#flowValue(endsMappingValue));
    } else if (token.kind === "value" && !this.#scanner.version11) {
      this.#pair(node, this.#nothing(emptyScalar(token, this.#lastEnd)), () =>
        this.#flowValue(endsMappingValue),
      );
    } else if (token.kind !== "flow mapping end") {
      const key = this.#composeNode(false);
      this.#pair(node, key, () => this.#nothing(emptyScalar(this.#scanner.peek(), this.#lastEnd)));
    }
  }

  // Parts that all flow collections share.

  #beginsFlowEntry(end: TokenKind, first: boolean): boolean {
    if (this.#at(end)) {
      return false;
    }
    if (!first) {
      this.#require("flow entry", "a ',' or the end of the collection");
      this.#takeToken();
    }
    return true;
  }

  #flowNodeOr(token: Token, followers: ReadonlySet<TokenKind>): Node {
    return this.#atAny(followers) ? this.#nothing(emptyScalar(token)) : this.#composeNode(false);
  }

  #flowValue(followers: ReadonlySet<TokenKind>): Node {
    if (!this.#at("value")) {
      return this.#nothing(emptyScalar(this.#scanner.peek(), this.#lastEnd));
    }
    const token = this.#takeToken();
    return this.#atAny(followers) ? this.#nothing(emptyScalar(token, token.end)) : this.#composeNode(false);
  }

  // Helpers.

  /** An anchor is valid from here on: the collection can contain itself. */
  #openSequence({ anchor, tag }: Properties, start: Token, flow: boolean): SequenceNode {
    const own = tag === undefined || tag === "!" ? tags.sequence : tag;
    return this.#register({ kind: "sequence", tag: own, anchor, flow, items: [], ...placeOf(start) });
  }

  #openMapping({ anchor, tag }: Properties, start: Token, flow: boolean): MappingNode {
    const own = tag === undefined || tag === "!" ? tags.mapping : tag;
    return this.#register({ kind: "mapping", tag: own, anchor, flow, pairs: [], ...placeOf(start) });
  }

  #close<T extends SequenceNode | MappingNode>(node: T, remarks: Remarks | undefined): T {
    node.end = this.#lastEnd;
    if (node.flow && remarks !== undefined) {
      node.remarks = remarks;
    }
    if (remarks?.pre !== undefined && remarks.pre.length > 0) {
      node.remarks ??= new Remarks(undefined, undefined);
      node.remarks.end = node.remarks.handedOn ? undefined : remarks.pre;
      remarks.pre = undefined;
    }
    return node;
  }

  /** Records the key, and after the value is composed, both. */
  #pair(node: MappingNode, key: Node, composeValue: () => Node): void {
    const [keyStart, keyEnd] = [this.#nodeStart, this.#lastEnd];
    const value = composeValue();
    node.pairs.push({ key, keyStart, keyEnd, value, valueStart: this.#nodeStart, valueEnd: this.#lastEnd });
  }

  #nothing(node: ScalarNode): ScalarNode {
    this.#count(node);
    this.#nodeStart = node.start;
    return node;
  }

  #count({ line }: { readonly line: number }): void {
    this.#nodes += 1;
    if (this.#nodes > manifestLimits.editedValues) {
      throw new EditError(
        `the file has more than ${manifestLimits.editedValues} values, which is the limit for editing`,
        line + 1,
      );
    }
  }

  #at(kind: TokenKind): boolean {
    return this.#scanner.peek().kind === kind;
  }

  #atAny(kinds: ReadonlySet<TokenKind>): boolean {
    return kinds.has(this.#scanner.peek().kind);
  }

  #takeToken(): Token {
    const token = this.#scanner.next();
    this.#lastEnd = token.end;
    return token;
  }

  #takeIf(kind: TokenKind): Token | undefined {
    return this.#scanner.peek().kind === kind ? this.#takeToken() : undefined;
  }

  #require(kind: TokenKind, what: string): void {
    if (this.#scanner.peek().kind !== kind) {
      throw this.#unexpected(what);
    }
  }

  #unexpected(what: string): EditError {
    const { kind, line } = this.#scanner.peek();
    return new EditError(`expected ${what}, found ${kind}`, line + 1);
  }
}

/** The tokens that show that an entry, a key, or a value is empty. */
const endsEntry: ReadonlySet<TokenKind> = new Set(["block entry", "block end"]);
const endsIndentlessEntry: ReadonlySet<TokenKind> = new Set(["block entry", "key", "value", "block end"]);
const endsBlockKey: ReadonlySet<TokenKind> = new Set(["key", "value", "block end"]);
const endsSequenceKey: ReadonlySet<TokenKind> = new Set(["value", "flow entry", "flow sequence end"]);
const endsSequenceValue: ReadonlySet<TokenKind> = new Set(["flow entry", "flow sequence end"]);
const endsMappingKey: ReadonlySet<TokenKind> = new Set(["value", "flow entry", "flow mapping end"]);
const endsMappingValue: ReadonlySet<TokenKind> = new Set(["flow entry", "flow mapping end"]);

function beginsCollection(kind: TokenKind, block: boolean, indentless: boolean): boolean {
  switch (kind) {
    case "flow sequence start":
    case "flow mapping start":
      return true;
    case "block sequence start":
    case "block mapping start":
      return block;
    default:
      return kind === "block entry" && indentless;
  }
}

function placeOf({ line, start }: Token): Pick<Node, "line" | "start" | "end" | "remarks"> {
  return { line, start, end: start, remarks: undefined };
}

function emptyScalar({ line, end }: Token, at = end): ScalarNode {
  return {
    kind: "scalar",
    tag: tags.null,
    anchor: undefined,
    text: "",
    style: "",
    splitPairs: false,
    line,
    start: at,
    end: at,
    remarks: undefined,
  };
}

/** A comment after `key:` goes to the sequence below it; those on separate lines go to its first entry. */
function splitRemarks(token: Token): Remarks | undefined {
  const { remarks } = token;
  if (remarks?.post === undefined) {
    return undefined;
  }
  token.remarks = undefined;
  return new Remarks(remarks.post, undefined);
}

/** A missing value gets the comment that was passed on over it. */
function splitPost(token: Token): Remarks | undefined {
  const { remarks } = token;
  if (remarks === undefined) {
    return undefined;
  }
  token.remarks = new Remarks(undefined, remarks.pre);
  return new Remarks(remarks.post, undefined);
}
