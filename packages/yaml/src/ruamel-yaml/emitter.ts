import { invariant } from "@weir/base";
import { widthOf } from "../characters.ts";
import { CommentWriter } from "./comment-writer.ts";
import type { YamlDocument } from "./document.ts";
import { Layout, type LayoutNode } from "./layout.ts";
import type { Output } from "./output.ts";
import { tags } from "./resolve.ts";
import {
  chooseStyle,
  fitsOnLine,
  hasWideCharacters,
  needsTag,
  type ScalarPlace,
  traitsOf,
} from "./scalar-style.ts";
import { TagPrinter } from "./tag-text.ts";
import type { Value } from "./value.ts";
import {
  writeDoubleQuoted,
  writeFolded,
  writeLiteral,
  writePlain,
  writeSingleQuoted,
} from "./write-scalar.ts";

/** The role of a node in its parent. */
interface Role {
  readonly root?: boolean;
  readonly inSequence?: boolean;
  readonly inMapping?: boolean;
  readonly simpleKey?: boolean;
}

interface Places {
  readonly key: ScalarPlace;
  readonly other: ScalarPlace;
}

/** A key with this many characters, including its tag and anchor, needs a `?`. */
const longestSimpleKey = 128;

const root: Role = { root: true };
const item: Role = { inSequence: true };
const value: Role = { inMapping: true };
const simpleKey: Role = { inMapping: true, simpleKey: true };

/**
 * Writes a document like ruamel.yaml 0.15's round-trip emitter, after a `---`: mappings are indented by 2, dashes are
 * in the column of the key above them, and comments in their original columns.
 *
 * @throws EditError if comments conflict, or the text gets far larger than the original
 */
export function writeDocument(out: Output, document: YamlDocument): void {
  out.toIndent();
  out.indicator("---", true);
  new Emitter(out, document).writeRoot(document.root);
  out.toIndent();
}

class Emitter {
  readonly #out: Output;
  readonly #layout: Layout;
  readonly #places: { readonly flow: Places; readonly block: Places };
  readonly #tags = new TagPrinter();
  readonly #indents: { readonly indent: number | undefined; readonly sequence: boolean }[] = [];
  readonly #flow: ("[" | "{" | "")[] = [];
  readonly #comments: CommentWriter;

  constructor(out: Output, { root: value, hasAnchors, version11 }: YamlDocument) {
    this.#out = out;
    this.#layout = new Layout(value, hasAnchors);
    this.#comments = new CommentWriter(out);
    const placesIn = (inFlow: boolean): Places => ({
      key: { inFlow, simpleKey: true, version11 },
      other: { inFlow, simpleKey: false, version11 },
    });
    this.#places = { flow: placesIn(true), block: placesIn(false) };
  }

  writeRoot(value: Value): void {
    this.#writeNode(this.#layout.node(value), root);
  }

  #writeNode(node: LayoutNode, role: Role): void {
    if (node.written && node.label !== undefined) {
      this.#writeLabel("*", node.label);
      return;
    }
    node.written = true;
    if (node.label !== undefined) {
      this.#writeLabel("&", node.label);
    }
    if (node.kind === "scalar") {
      this.#writeScalar(node, role);
    } else {
      this.#writeCollectionTag(node);
      this.#writeCollection(node, role);
    }
  }

  #writeLabel(indicator: "&" | "*", label: string): void {
    this.#out.wide = true;
    this.#out.indicator(indicator + label, true);
    this.#out.wide = false;
    this.#out.noNewline = false;
  }

  #writeCollectionTag(node: LayoutNode): void {
    const own = node.kind === "sequence" ? tags.sequence : tags.mapping;
    if (node.tag !== own) {
      this.#out.indicator(this.#tags.print(node.tag), true);
    }
  }

  #writeCollection(node: LayoutNode, role: Role): void {
    const children = this.#layout.children(node);
    const isFlow = this.#flow.length > 0 || node.flow || children.length === 0;
    if (node.kind === "sequence") {
      this.#comments.sequenceStart(node);
      if (isFlow) {
        this.#writeFlowSequence(node, children);
      } else {
        this.#writeBlockSequence(node, children, role);
      }
    } else {
      this.#comments.mappingStart(node);
      if (isFlow) {
        this.#writeFlowMapping(node, children);
      } else {
        this.#writeBlockMapping(node, children);
      }
    }
  }

  // Scalars.

  #writeScalar(node: LayoutNode, role: Role): void {
    const { indent } = this.#out;
    const inFlow = this.#flow.length > 0;
    const traits = traitsOf(node.text);
    const style = chooseStyle(node, traits, this.#placeOf(role, inFlow));
    const inBlockSequence = role.inSequence === true && !inFlow && node.label === undefined;
    if (needsTag(node, style)) {
      this.#out.indicator(this.#tags.print(node.tag), true);
      this.#out.noNewline ||= inBlockSequence;
    }
    this.#out.indent = indent === undefined ? undefined : indent + 2;
    if (inBlockSequence) {
      this.#out.toIndent();
    }
    this.#out.wide = hasWideCharacters(traits);
    this.#writeText(node, style, role);
    this.#out.wide = false;
    this.#comments.after(node.comment?.post);
    this.#out.indent = indent;
  }

  #placeOf({ simpleKey: isKey }: Role, inFlow: boolean): ScalarPlace {
    const { key, other } = inFlow ? this.#places.flow : this.#places.block;
    return isKey === true ? key : other;
  }

  #writeText(node: LayoutNode, style: string, { root: atRoot = false, simpleKey: isKey }: Role): void {
    const fold = isKey !== true;
    switch (style) {
      case '"':
        writeDoubleQuoted(this.#out, node.text, { fold, splitPairs: node.splitPairs });
        break;
      case "'":
        writeSingleQuoted(this.#out, node.text, fold);
        break;
      case ">":
        writeFolded(this.#out, node.text, atRoot);
        break;
      case "|":
        writeLiteral(this.#out, node.text, { atRoot, comment: headerOf(node) });
        break;
      default:
        writePlain(this.#out, node.text, fold);
    }
  }

  // Flow collections.

  #writeFlowSequence(node: LayoutNode, children: readonly LayoutNode[]): void {
    this.#out.opening(`${this.#flowAlignment()}[`);
    this.#indentFlow(true);
    this.#flow.push("[");
    children.forEach((child, index) => {
      this.#beginFlowEntry(index === 0);
      this.#writeNode(child, item);
    });
    this.#outdent();
    this.#flow.pop();
    this.#out.indicator("]", false);
    this.#endFlow(node, children.length === 0);
  }

  #writeFlowMapping(node: LayoutNode, children: readonly LayoutNode[]): void {
    const isBare = children.length === 2 && this.#flow.at(-1) === "[";
    const brace = isBare ? "" : "{";
    this.#out.opening(this.#flowAlignment() + brace);
    this.#flow.push(brace);
    this.#indentFlow();
    for (let index = 0; index + 1 < children.length; index += 2) {
      this.#beginFlowEntry(index === 0);
      this.#writeFlowPair(childAt(children, index), childAt(children, index + 1));
    }
    this.#outdent();
    this.#flow.pop();
    if (!isBare) {
      this.#out.indicator("}", false);
    }
    this.#endFlow(node, children.length === 0);
  }

  #writeFlowPair(key: LayoutNode, of: LayoutNode): void {
    if (this.#isSimpleKey(key)) {
      this.#writeNode(key, simpleKey);
      this.#out.indicator(":", false);
    } else {
      this.#out.indicator("?", true);
      this.#writeNode(key, value);
      this.#breakWideLine();
      this.#out.indicator(":", true);
    }
    this.#writeNode(of, value);
  }

  #beginFlowEntry(first: boolean): void {
    if (!first) {
      this.#out.indicator(",", false);
    }
    this.#breakWideLine();
  }

  #breakWideLine(): void {
    if (this.#out.isWide()) {
      this.#out.toIndent();
    }
  }

  #endFlow(node: LayoutNode, isEmpty: boolean): void {
    const post = node.flow ? node.comment?.post : undefined;
    if (post !== undefined) {
      this.#comments.after(post);
    } else if (!isEmpty) {
      this.#out.noNewline = false;
    } else if (this.#flow.length === 0) {
      this.#out.lineBreak();
    }
  }

  /** The spaces before a bracket at the start of a line, if its sequence started on that line. */
  #flowAlignment(): string {
    const around = this.#indents.at(-1);
    if (this.#indents.length < 2 || around?.sequence !== true) {
      return "";
    }
    return " ".repeat(Math.max(0, (around.indent ?? 0) + 1 - this.#out.column));
  }

  // Block collections.

  #writeBlockSequence(node: LayoutNode, children: readonly LayoutNode[], role: Role): void {
    this.#indentBlock(true, role.inMapping === true && !this.#out.indention);
    for (const child of children) {
      this.#beforeEntry(child);
      const staysOnLine = this.#out.column === 0 && this.#out.noNewline;
      this.#out.toIndent();
      this.#out.blockIndicator("-");
      this.#out.noNewline ||= staysOnLine;
      this.#writeNode(child, item);
    }
    this.#comments.onLines(node.comment?.end);
    this.#outdent();
    this.#out.noNewline = false;
  }

  #writeBlockMapping(node: LayoutNode, children: readonly LayoutNode[]): void {
    this.#indentBlock(false, false);
    for (let index = 0; index + 1 < children.length; index += 2) {
      const key = childAt(children, index);
      this.#beforeEntry(key);
      this.#out.toIndent();
      this.#writeBlockPair(key, childAt(children, index + 1));
    }
    this.#comments.onLines(node.comment?.end);
    this.#outdent();
  }

  #writeBlockPair(key: LayoutNode, of: LayoutNode): void {
    if (!this.#isSimpleKey(key)) {
      this.#out.blockIndicator("?");
      this.#writeNode(key, value);
      this.#out.toIndent();
      this.#out.blockIndicator(":");
    } else {
      this.#writeSimpleKey(key);
      if (isAlias(of) || of.style !== "?") {
        this.#out.indicator(":", false);
      }
    }
    this.#writeNode(of, value);
  }

  #writeSimpleKey(key: LayoutNode): void {
    const wasWritten = isAlias(key);
    if (!wasWritten && key.kind === "scalar" && key.style === "?") {
      this.#out.blockIndicator("?");
    }
    this.#writeNode(key, simpleKey);
    if (wasWritten) {
      this.#out.put(" ");
    }
  }

  #isSimpleKey(key: LayoutNode): boolean {
    const label = key.label?.length ?? 0;
    if (isAlias(key)) {
      return label < longestSimpleKey;
    }
    const length = label + this.#tags.print(key.tag).length + (key.kind === "scalar" ? widthOf(key.text) : 0);
    if (length >= longestSimpleKey) {
      return false;
    }
    if (key.kind !== "scalar") {
      return key.flow;
    }
    return fitsOnLine(traitsOf(key.text));
  }

  /** An alias has no comments. */
  #beforeEntry(node: LayoutNode): void {
    if (!isAlias(node)) {
      this.#comments.before(node);
    }
  }

  // Indentation.

  #indentFlow(sequence = false): void {
    const { indent } = this.#out;
    this.#indents.push({ indent, sequence });
    this.#out.indent = indent === undefined ? undefined : indent + 2;
  }

  #indentBlock(sequence: boolean, indentless: boolean): void {
    const { indent } = this.#out;
    this.#indents.push({ indent, sequence });
    if (indent === undefined) {
      this.#out.indent = 0;
    } else if (!indentless) {
      this.#out.indent = indent + 2;
    }
  }

  #outdent(): void {
    this.#out.indent = this.#indents.pop()?.indent;
  }
}

function childAt(children: readonly LayoutNode[], index: number): LayoutNode {
  const child = children[index];
  invariant(child !== undefined, "a layout node lacks a child");
  return child;
}

function isAlias(node: LayoutNode): boolean {
  return node.written && node.label !== undefined;
}

function headerOf({ comment }: LayoutNode): string {
  const first = comment?.pre?.[0];
  return first?.header === true ? first.text : "";
}
