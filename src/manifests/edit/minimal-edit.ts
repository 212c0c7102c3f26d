import {
  foldMark,
  type Mapping,
  type MappingNode,
  type Node,
  type Pair,
  printString,
  type ScalarNode,
  type ScalarValue,
  Scanner,
  stringIdentity,
  stringOfIdentity,
  tags,
  type Value,
} from "@weir/yaml/ruamel-yaml";
import type { Change } from "./changes.ts";

/** A range of the text, and its replacement. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text with only those entries changed that an edit changed; undefined if the change needs more than that. The
 * caller checks that the result has the intended meaning.
 */
export function minimalEdit(text: string, changes: readonly Change[]): string | undefined {
  const splices: Splice[] = [];
  for (const [mapping, keys] of keysByMapping(changes)) {
    if (mapping.source !== undefined) {
      const planned = new MappingEdit(text, mapping, mapping.source).plan(keys);
      if (planned === undefined) {
        return undefined;
      }
      splices.push(...planned);
    }
  }
  return applyAll(text, splices);
}

function keysByMapping(changes: readonly Change[]): ReadonlyMap<Mapping, ReadonlySet<string>> {
  const byMapping = new Map<Mapping, Set<string>>();
  for (const { mapping, key } of changes) {
    byMapping.set(mapping, (byMapping.get(mapping) ?? new Set()).add(key));
  }
  return byMapping;
}

/** Applies splices from the last to the first, skipping those inside another one. */
function applyAll(text: string, splices: readonly Splice[]): string {
  const outer = splices.filter((splice) => !splices.some((other) => isWithin(splice, other)));
  let edited = text;
  for (const { start, end, text: replacement } of outer.toSorted(
    (a, b) => b.start - a.start || b.end - a.end,
  )) {
    edited = edited.slice(0, start) + replacement + edited.slice(end);
  }
  return edited;
}

function isWithin(splice: Splice, other: Splice): boolean {
  const isShorter = splice.end - splice.start < other.end - other.start;
  const isInsertion = splice.start === splice.end;
  const isAtItsEdge = isInsertion && (splice.start === other.start || splice.start === other.end);
  return isShorter && !isAtItsEdge && splice.start >= other.start && splice.end <= other.end;
}

/** Plans the splices for one mapping in the file. */
class MappingEdit {
  readonly #text: string;
  readonly #mapping: Mapping;
  readonly #source: MappingNode;

  constructor(text: string, mapping: Mapping, source: MappingNode) {
    this.#text = text;
    this.#mapping = mapping;
    this.#source = source;
  }

  /** Undefined if the mapping's format doesn't allow splices. */
  plan(keys: ReadonlySet<string>): Splice[] | undefined {
    const { pairs, flow } = this.#source;
    const touched = pairs.filter(({ key }) => keys.has(keyText(key) ?? ""));
    const removed = touched.filter(({ key }) => this.#valueOf(keyText(key)) === undefined);
    const replaced = touched.filter((pair) => !removed.includes(pair));
    const known = new Set(touched.map(({ key }) => keyText(key)));
    const added = [...keys].filter((key) => !known.has(key) && this.#valueOf(key) !== undefined);
    const values = replaced.map((pair) => this.#replaceValue(pair));
    const anchors = touched.flatMap((pair) => moveAnchor(this.#text, pair));
    const others = flow ? this.#planFlow(removed, added) : this.#planBlock(removed, added);
    return others === undefined ? undefined : [...values, ...anchors, ...others];
  }

  #valueOf(key: string | undefined): Value | undefined {
    return key === undefined ? undefined : this.#mapping.ownValue(stringIdentity(key));
  }

  // Changed values.

  #replaceValue(pair: Pair): Splice {
    const value = this.#valueOf(keyText(pair.key));
    const { valueStart: start, valueEnd: end } = pair;
    const { flow } = this.#source;
    if (value?.kind !== "scalar") {
      return { start, end, text: "" };
    }
    if (isBlockScalar(pair.value) && start === pair.value.start) {
      return replaceBlockScalar(this.#text, pair.value, value);
    }
    const text = printValue(value, flow);
    if (start === end) {
      const hasColon = this.#text.slice(pair.keyEnd, start).includes(":");
      return { start, end, text: hasColon ? ` ${text}` : `: ${text}` };
    }
    const isBlock = pair.value.kind !== "scalar" && !pair.value.flow && pair.value.end === end;
    return isBlock
      ? { start: this.#text.indexOf(":", pair.keyEnd) + 1, end, text: ` ${text}` }
      : { start, end, text };
  }

  // Added and removed entries of a flow mapping.

  #planFlow(removed: readonly Pair[], added: readonly string[]): Splice[] {
    const { pairs, start } = this.#source;
    const entries = added.map((key) => this.#printEntry(key, "", "")).join(", ");
    const kept = pairs.filter((pair) => !removed.includes(pair));
    const [first] = pairs;
    const last = pairs.at(-1);
    const lastKept = kept.at(-1);
    if (first === undefined || last === undefined) {
      return [{ start: start + 1, end: start + 1, text: entries }];
    }
    if (lastKept === undefined) {
      return [{ start: first.keyStart, end: last.valueEnd, text: entries }];
    }
    const splices = removed.map((pair) => flowRemoval(pair, pairs[pairs.indexOf(pair) + 1], lastKept));
    const insertion = { start: lastKept.valueEnd, end: lastKept.valueEnd, text: `, ${entries}` };
    return added.length === 0 ? splices : [...splices, insertion];
  }

  // Added and removed entries of a block mapping.

  #planBlock(removed: readonly Pair[], added: readonly string[]): Splice[] | undefined {
    const last = this.#source.pairs.at(-1);
    if (last === undefined || !removed.every((pair) => this.#standsAlone(pair))) {
      return undefined;
    }
    const splices = removed.map((pair) => ({
      start: this.#lineStart(pair.keyStart),
      end: this.#linesEnd(pair),
      text: "",
    }));
    return added.length === 0 ? splices : [...splices, this.#insertion(last, added)];
  }

  #insertion(last: Pair, added: readonly string[]): Splice {
    const newLine = /\r?\n/.exec(this.#text)?.[0] ?? "\n";
    const { start } = this.#source;
    const indent = " ".repeat(start - this.#lineStart(start));
    const at = this.#linesEnd(last);
    const before = this.#text.endsWith("\n", at) ? "" : newLine;
    const lines = added.map((key) => indent + this.#printEntry(key, indent, newLine) + newLine);
    return { start: at, end: at, text: before + lines.join("") };
  }

  #standsAlone({ keyStart }: Pair): boolean {
    return this.#text.slice(this.#lineStart(keyStart), keyStart).trim() === "";
  }

  #lineStart(at: number): number {
    return this.#text.lastIndexOf("\n", at - 1) + 1;
  }

  /** The position after the last line of an entry, including its comment. */
  #linesEnd({ value, valueEnd }: Pair): number {
    const last = lastScalar(value);
    if (last !== undefined && isBlockScalar(last) && last.end === valueEnd) {
      const keepsEmptyLines = /^[|>][1-9]?\+/.test(this.#text.slice(last.start, last.start + 3));
      return keepsEmptyLines ? valueEnd : contentEnd(this.#text, last);
    }
    const at = this.#text.indexOf("\n", valueEnd);
    return at < 0 ? this.#text.length : at + 1;
  }

  /**
   * Prints `key: value`. If the value is a new mapping, it goes on separate lines in a block, and in braces elsewhere.
   */
  #printEntry(key: string, indent: string, newLine: string): string {
    const value = this.#valueOf(key);
    const inFlow = this.#source.flow;
    const printedKey = printKey(this.#mapping, key, inFlow);
    if (value?.kind !== "mapping") {
      return `${printedKey}: ${value?.kind === "scalar" ? printValue(value, inFlow) : ""}`;
    }
    const entries = printEntries(value, inFlow);
    return inFlow
      ? `${printedKey}: {${entries.join(", ")}}`
      : [`${printedKey}:`, ...entries.map((entry) => `${indent}  ${entry}`)].join(newLine);
  }
}

function printEntries(mapping: Mapping, inFlow: boolean): string[] {
  return Array.from(mapping.ownEntries(), ([identity, { value }]) => {
    const key = stringOfIdentity(identity) ?? "";
    const printedKey = printKey(mapping, key, inFlow);
    return `${printedKey}: ${value.kind === "scalar" ? printValue(value, inFlow) : ""}`;
  });
}

function printKey(mapping: Mapping, key: string, inFlow: boolean): string {
  const written = mapping.entry(stringIdentity(key))?.key;
  const style = written?.kind === "scalar" ? written.style : "";
  return printString({ text: key, style, tag: tags.string }, { inFlow, simpleKey: true, version11: false });
}

function printValue({ text, style, tag }: ScalarValue, inFlow: boolean): string {
  return printString({ text, style, tag }, { inFlow, simpleKey: false, version11: false });
}

/** If a removed value has an anchor, its first alias becomes the value. */
function moveAnchor(text: string, { value, valueStart, valueEnd }: Pair): Splice[] {
  if (value.anchor === undefined || !text.startsWith("&", valueStart)) {
    return [];
  }
  const scanner = new Scanner(text);
  for (let token = scanner.next(); token.kind !== "stream end"; token = scanner.next()) {
    if (token.kind === "alias" && token.text === value.anchor && token.start > valueEnd) {
      return [{ start: token.start, end: token.end, text: text.slice(valueStart, valueEnd) }];
    }
  }
  return [];
}

/** Removes up to the next entry; for the last entry, from the end of the last one that's kept. */
function flowRemoval(pair: Pair, next: Pair | undefined, lastKept: Pair): Splice {
  return next === undefined
    ? { start: lastKept.valueEnd, end: pair.valueEnd, text: "" }
    : { start: pair.keyStart, end: next.keyStart, text: "" };
}

function keyText(key: Node): string | undefined {
  return key.kind === "scalar" && key.tag === tags.string ? key.text.replaceAll(foldMark, "") : undefined;
}

/** The scalar that ends a node; an alias refers to another place, so it doesn't count. */
function lastScalar(node: Node): ScalarNode | undefined {
  if (node.kind === "scalar") {
    return node;
  }
  const last = node.kind === "sequence" ? node.items.at(-1) : node.pairs.at(-1)?.value;
  return last !== undefined && last.start > node.start ? lastScalar(last) : undefined;
}

function isBlockScalar(node: Node): node is ScalarNode {
  return node.kind === "scalar" && (node.style === "|" || node.style === ">");
}

/** A single line stays in the block, with the same indentation; anything else is quoted. */
function replaceBlockScalar(text: string, node: ScalarNode, value: ScalarValue): Splice {
  const end = contentEnd(text, node);
  const [header = "", firstLine = ""] = text.slice(node.start, end).split(/\r?\n/);
  const indent = /^ +/.exec(firstLine)?.[0];
  const newLine = /\r?\n/.exec(text)?.[0] ?? "\n";
  const staysInBlock = value.style === node.style && /^[^\s][^\n\x85\u2028\u2029]*$/.test(value.text);
  if (indent === undefined || !staysInBlock) {
    return {
      start: node.start,
      end,
      text: `${printString({ text: value.text, style: '"', tag: tags.string }, inBlock)}${newLine}`,
    };
  }
  const comment = /^[|>][-+0-9]*(.*)$/.exec(header)?.[1] ?? "";
  return {
    start: node.start,
    end,
    text: `${node.style}-${comment}${newLine}${indent}${value.text}${newLine}`,
  };
}

const inBlock = { inFlow: false, simpleKey: false, version11: false };

/** The position after the last line with text; the empty lines after it stay. */
function contentEnd(text: string, { start, end }: ScalarNode): number {
  const content = text.slice(start, end).trimEnd();
  const lineEnd = text.indexOf("\n", start + content.length);
  return lineEnd < 0 ? text.length : lineEnd + 1;
}
