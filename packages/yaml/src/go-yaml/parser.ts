import { grammarError, type YamlError } from "./errors.ts";
import type { Scanner } from "./scanner.ts";
import type { NodeProperties, NodeSink } from "./sink.ts";
import { nodesOfStep, type Steps } from "./steps.ts";
import { Directives, resolveTag, type TagHandles, usualHandles } from "./tag-handles.ts";
import type { Token, TokenKind } from "./token.ts";

/** The next element in the document, innermost last. */
type State =
  | "block node"
  | "block node or entries"
  | "flow node"
  | "block entry"
  | "indentless entry"
  | "block key"
  | "block value"
  | "flow entry"
  | "first flow entry"
  | "pair key"
  | "pair value"
  | "pair end"
  | "flow key"
  | "first flow key"
  | "flow value"
  | "empty flow value";

/**
 * Converts tokens to nodes, document by document, with libyaml's grammar of YAML 1.1 and its errors. Nesting doesn't
 * use the stack. All methods throw YamlError.
 */
export class Parser {
  readonly #scanner: Scanner;
  readonly #sink: NodeSink;
  #states: State[] = [];
  /** The lines where the open collections start. */
  #lines: number[] = [];
  #handles: TagHandles = usualHandles;
  #first = true;
  #documentLine = 0;

  constructor(scanner: Scanner, sink: NodeSink) {
    this.#scanner = scanner;
    this.#sink = sink;
  }

  /** Passes the next document to the sink, step by step; false if there's none. */
  *parseDocument(): Steps<boolean> {
    if (!this.#startDocument()) {
      return false;
    }
    let count = 0;
    for (let state = this.#states.pop(); state !== undefined; state = this.#states.pop()) {
      this.#parse(state);
      count += 1;
      if (count % nodesOfStep === 0) {
        yield;
      }
    }
    if (this.#kind() === "document end") {
      this.#scanner.skip();
    }
    return true;
  }

  /** The line where the last parsed document starts, counted from 0. */
  get documentLine(): number {
    return this.#documentLine;
  }

  #startDocument(): boolean {
    while (!this.#first && this.#kind() === "document end") {
      this.#scanner.skip();
    }
    const isBare = this.#first && !startsDocument(this.#kind());
    this.#first = false;
    if (this.#kind() === "stream end") {
      return false;
    }
    this.#documentLine = this.#scanner.peek().line;
    this.#handles = this.#takeDirectives();
    this.#states = ["block node"];
    this.#lines = [];
    if (!isBare) {
      const { kind, line } = this.#scanner.peek();
      if (kind !== "document start") {
        throw grammarError("did not find expected <document start>", line);
      }
      this.#scanner.skip();
      this.#skipEmptyDocument();
    }
    return true;
  }

  #takeDirectives(): TagHandles {
    const directives = new Directives();
    for (;;) {
      const token = this.#scanner.peek();
      if (token.kind !== "version directive" && token.kind !== "tag directive") {
        return directives.handles;
      }
      directives.add(token);
      this.#scanner.skip();
    }
  }

  #skipEmptyDocument(): void {
    const { kind, line } = this.#scanner.peek();
    if (startsDocument(kind) || kind === "document end") {
      this.#states = [];
      this.#empty(line);
    }
  }

  #kind(): TokenKind {
    return this.#scanner.peek().kind;
  }

  #parse(state: State): void {
    switch (state) {
      case "block node":
        this.#parseNode(true, false);
        return;
      case "block node or entries":
        this.#parseNode(true, true);
        return;
      case "flow node":
        this.#parseNode(false, false);
        return;
      case "block entry":
        this.#parseBlockEntry();
        return;
      case "indentless entry":
        this.#parseIndentlessEntry();
        return;
      case "block key":
        this.#parseBlockKey();
        return;
      case "block value":
        this.#parseBlockValue();
        return;
      default:
        this.#parseInFlow(state);
    }
  }

  #parseInFlow(state: Exclude<State, `block ${string}` | "flow node" | "indentless entry">): void {
    switch (state) {
      case "first flow entry":
      case "flow entry":
        this.#parseFlowEntry(state === "first flow entry");
        return;
      case "pair key":
        this.#parsePairKey();
        return;
      case "pair value":
        this.#parsePairValue();
        return;
      case "pair end":
        this.#sink.end();
        return;
      case "first flow key":
      case "flow key":
        this.#parseFlowKey(state === "first flow key");
        return;
      case "flow value":
        this.#parseFlowValue();
        return;
      case "empty flow value":
        this.#empty(this.#scanner.peek().line);
        return;
    }
  }

  // Nodes.

  #parseNode(inBlock: boolean, mayBeEntries: boolean): void {
    const first = this.#scanner.peek();
    if (first.kind === "alias") {
      this.#sink.alias(first.text, first.line);
      this.#scanner.skip();
      return;
    }
    const { anchor, tag } = this.#takeProperties(first);
    const token = this.#scanner.peek();
    const properties: NodeProperties = { anchor, tag: tag ?? "", line: first.line, column: token.column };
    if (mayBeEntries && token.kind === "block entry") {
      this.#states.push("indentless entry");
      this.#sink.startSequence(properties);
    } else if (token.kind === "scalar") {
      this.#sink.scalar(token.text, isImplicit(tag, token.plain), properties);
      this.#scanner.skip();
    } else if (!this.#startCollection(token, inBlock, properties)) {
      if (anchor === "" && tag === undefined) {
        throw grammarError("did not find expected node content", token.line, first.line);
      }
      this.#sink.scalar("", tag === undefined, properties);
    }
  }

  /** An anchor and a tag, in any order, each at most once. */
  #takeProperties(first: Token): { readonly anchor: string; readonly tag: string | undefined } {
    let anchor: Token | undefined;
    let tag: Token | undefined;
    for (;;) {
      const token = this.#scanner.peek();
      if (token.kind === "anchor" && anchor === undefined) {
        anchor = token;
      } else if (token.kind === "tag" && tag === undefined) {
        tag = token;
      } else {
        return { anchor: anchor?.text ?? "", tag: tag && this.#fullTag(tag, first) };
      }
      this.#scanner.skip();
    }
  }

  #fullTag(token: Token, first: Token): string {
    const tag = resolveTag(token, this.#handles);
    if (tag === undefined) {
      throw grammarError("found undefined tag handle", token.line, first.line);
    }
    return tag;
  }

  #startCollection(token: Token, inBlock: boolean, properties: NodeProperties): boolean {
    const state = firstStates.get(token.kind);
    if (state === undefined || (!inBlock && token.kind.startsWith("block"))) {
      return false;
    }
    this.#scanner.skip();
    this.#lines.push(token.line);
    this.#states.push(state);
    if (token.kind.endsWith("mapping start")) {
      this.#sink.startMapping(properties);
    } else {
      this.#sink.startSequence(properties);
    }
    return true;
  }

  #empty(line: number): void {
    this.#sink.scalar("", true, { anchor: "", tag: "", line, column: -1 });
  }

  /** Ends the innermost collection at its end token. */
  #endCollection(): void {
    this.#scanner.skip();
    this.#lines.pop();
    this.#sink.end();
  }

  #unexpected(problem: string, token: Token): YamlError {
    return grammarError(problem, token.line, this.#lines.at(-1));
  }

  // Collections without brackets.

  #parseBlockEntry(): void {
    const token = this.#scanner.peek();
    if (token.kind === "block end") {
      this.#endCollection();
    } else if (token.kind === "block entry") {
      this.#scanner.skip();
      this.#contentAfter(token, "block entry", "block node", ["block entry", "block end"]);
    } else {
      throw this.#unexpected("did not find expected '-' indicator", token);
    }
  }

  #parseIndentlessEntry(): void {
    const token = this.#scanner.peek();
    if (token.kind !== "block entry") {
      this.#sink.end();
      return;
    }
    this.#scanner.skip();
    this.#contentAfter(token, "indentless entry", "block node", ["block entry", "key", "value", "block end"]);
  }

  #parseBlockKey(): void {
    const token = this.#scanner.peek();
    if (token.kind === "block end") {
      this.#endCollection();
    } else if (token.kind === "key") {
      this.#scanner.skip();
      this.#contentAfter(token, "block value", "block node or entries", ["key", "value", "block end"]);
    } else {
      throw this.#unexpected("did not find expected key", token);
    }
  }

  #parseBlockValue(): void {
    const token = this.#scanner.peek();
    if (token.kind !== "value") {
      this.#states.push("block key");
      this.#empty(token.line);
      return;
    }
    this.#scanner.skip();
    this.#contentAfter(token, "block key", "block node or entries", ["key", "value", "block end"]);
  }

  /** The node after an indicator, which is empty if one of `ends` follows; then continues with `state`. */
  #contentAfter(token: Token, state: State, node: State, ends: readonly TokenKind[]): void {
    if (ends.includes(this.#kind())) {
      this.#states.push(state);
      this.#empty(token.line);
    } else {
      this.#states.push(state, node);
    }
  }

  // Collections in brackets.

  #parseFlowEntry(first: boolean): void {
    if (this.#kind() !== "flow sequence end" && !first) {
      this.#takeComma("did not find expected ',' or ']'");
    }
    const token = this.#scanner.peek();
    if (token.kind === "flow sequence end") {
      this.#endCollection();
    } else if (token.kind === "key") {
      this.#scanner.skip();
      this.#states.push("flow entry", "pair key");
      this.#sink.startMapping({ anchor: "", tag: "", line: token.line, column: -1 });
    } else {
      this.#states.push("flow entry", "flow node");
    }
  }

  /** The key of a pair inside a sequence. */
  #parsePairKey(): void {
    const token = this.#scanner.peek();
    if (endsPairKey.includes(token.kind)) {
      this.#scanner.skip();
      this.#states.push("pair value");
      this.#empty(token.line);
    } else {
      this.#states.push("pair value", "flow node");
    }
  }

  #parsePairValue(): void {
    this.#states.push("pair end");
    if (this.#kind() === "value") {
      this.#scanner.skip();
      if (!endsPair.includes(this.#kind())) {
        this.#states.push("flow node");
        return;
      }
    }
    this.#empty(this.#scanner.peek().line);
  }

  #parseFlowKey(first: boolean): void {
    if (this.#kind() !== "flow mapping end" && !first) {
      this.#takeComma("did not find expected ',' or '}'");
    }
    const token = this.#scanner.peek();
    if (token.kind === "flow mapping end") {
      this.#endCollection();
    } else if (token.kind === "key") {
      this.#scanner.skip();
      this.#parseFlowKeyContent();
    } else {
      this.#states.push("flow key", "empty flow value", "flow node");
    }
  }

  #parseFlowKeyContent(): void {
    this.#states.push("flow key");
    const { kind, line } = this.#scanner.peek();
    if (kind === "value" || kind === "flow entry" || kind === "flow mapping end") {
      this.#states.push("flow value");
      this.#empty(line);
    } else {
      this.#states.push("flow value", "flow node");
    }
  }

  #parseFlowValue(): void {
    if (this.#kind() === "value") {
      this.#scanner.skip();
      const kind = this.#kind();
      if (kind !== "flow entry" && kind !== "flow mapping end") {
        this.#states.push("flow node");
        return;
      }
    }
    this.#empty(this.#scanner.peek().line);
  }

  #takeComma(problem: string): void {
    const token = this.#scanner.peek();
    if (token.kind !== "flow entry") {
      throw this.#unexpected(problem, token);
    }
    this.#scanner.skip();
  }
}

const firstStates: ReadonlyMap<TokenKind, State> = new Map([
  ["block sequence start", "block entry"],
  ["block mapping start", "block key"],
  ["flow sequence start", "first flow entry"],
  ["flow mapping start", "first flow key"],
]);

const endsPairKey: readonly TokenKind[] = ["value", "flow entry", "flow sequence end"];
const endsPair: readonly TokenKind[] = ["flow entry", "flow sequence end"];

function startsDocument(kind: TokenKind): boolean {
  return (
    kind === "version directive" ||
    kind === "tag directive" ||
    kind === "document start" ||
    kind === "stream end"
  );
}

/** True if the meaning of a scalar depends on its text. A lone `!` means so for any scalar. */
function isImplicit(tag: string | undefined, plain: boolean): boolean {
  return tag === undefined || tag === "" ? plain : tag === "!";
}
