import { manifestLimits } from "@weir/base";
import { Emitter } from "./emitter.ts";
import { tooLargeRemedy, YamlError } from "./errors.ts";
import { printGoFloat } from "./go-float.ts";
import { compareKeys, compareTexts } from "./key-order.ts";
import { longestWord, resolvePlain } from "./resolve.ts";
import { isMultiline, isSimple, styleOf } from "./scalar-style.ts";
import { finish, nodesOfStep, type Steps } from "./steps.ts";
import {
  isYamlBytes,
  isYamlFloat,
  isYamlList,
  isYamlMap,
  isYamlMapping,
  type YamlBytes,
  type YamlFloat,
  type YamlMap,
  type YamlObject,
  type YamlScalar,
  type YamlValue,
} from "./value.ts";

/** Longer keys go on their own line, after a `?`. */
const longestKey = 128;

/** A collection that's being written. */
interface Frame {
  readonly indentAround: number;
  /** The keys of a mapping, in the order in which they're written; a sequence has none. */
  readonly keys: readonly YamlScalar[] | undefined;
  /** The values of a mapping in the order of its keys, or the items of a sequence. */
  readonly values: readonly YamlValue[];
  /** The number of values that have been written. */
  count: number;
}

/**
 * Prints a document exactly like yaml.v2 2.4.0: keys in its order, block style, and lines folded after 80 columns.
 * Throws YamlError if the document is too long.
 */
export function encodeYaml(value: YamlValue): string {
  return finish(encodeInSteps(value));
}

/** Like encodeYaml, but in steps. */
export function* encodeInSteps(value: YamlValue): Steps<string> {
  const emitter = new Emitter();
  const frames: Frame[] = [];
  writeNode(emitter, frames, value, false);
  let count = 0;
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const { keys, values, count: at } = frame;
    const value = values[at];
    frame.count += 1;
    if (value === undefined) {
      frames.pop();
      emitter.indent = frame.indentAround;
    } else {
      writeEntry(emitter, frames, keys?.[at], value);
    }
    checkLength(emitter);
    count += 1;
    if (count % nodesOfStep === 0) {
      yield;
    }
  }
  emitter.startLine();
  return emitter.text;
}

function checkLength({ length }: Emitter): void {
  if (length > manifestLimits.writtenCharacters) {
    throw new YamlError(
      `document is longer than ${manifestLimits.writtenCharacters} characters when its aliases are expanded; ${tooLargeRemedy}`,
    );
  }
}

/** A scalar as it's printed without quotes, tag, or line breaks, which is what a Go string field reads. */
export function scalarText(value: YamlScalar): string {
  if (typeof value === "string") {
    return value;
  }
  if (isYamlBytes(value)) {
    return new TextDecoder().decode(value.bytes);
  }
  return value === null ? "" : printWord(value);
}

function writeEntry(emitter: Emitter, frames: Frame[], key: YamlScalar | undefined, value: YamlValue): void {
  emitter.startLine();
  if (key === undefined) {
    emitter.openIndicator("-");
    writeNode(emitter, frames, value, false);
  } else if (isSimpleKey(key)) {
    writeScalar(emitter, key, true);
    emitter.colon();
    writeNode(emitter, frames, value, true);
  } else {
    emitter.openIndicator("?");
    writeScalar(emitter, key, false);
    emitter.startLine();
    emitter.openIndicator(":");
    writeNode(emitter, frames, value, true);
  }
}

function writeNode(emitter: Emitter, frames: Frame[], value: YamlValue, inMapping: boolean): void {
  if (isYamlList(value)) {
    if (value.length === 0) {
      emitter.word("[]");
      return;
    }
    // The items of a sequence that's the value of a key aren't indented.
    const isIndented = !inMapping || emitter.isAfterIndicator;
    openFrame(emitter, frames, { values: value }, isIndented ? emitter.innerIndent : emitter.indent);
  } else if (isYamlMapping(value)) {
    const content = sortedContent(value);
    if (content.values.length === 0) {
      emitter.word("{}");
      return;
    }
    openFrame(emitter, frames, content, emitter.innerIndent);
  } else {
    writeScalar(emitter, value, false);
  }
}

function openFrame(emitter: Emitter, frames: Frame[], { keys, values }: Content, indent: number): void {
  frames.push({ indentAround: emitter.indent, keys, values, count: 0 });
  emitter.indent = indent;
}

interface Content {
  readonly keys?: readonly YamlScalar[];
  readonly values: readonly YamlValue[];
}

function sortedContent(mapping: YamlObject | YamlMap): Content {
  if (isYamlMap(mapping)) {
    const entries = mapping.entries.toSorted(([a], [b]) => compareKeys(a, b));
    return { keys: entries.map(([key]) => key), values: entries.map(([, value]) => value) };
  }
  const keys = sortedTexts(Object.keys(mapping).filter((key) => mapping[key] !== undefined));
  return { keys, values: keys.map((key) => mapping[key] ?? null) };
}

/** Many mappings are written in the order in which they were read, or nearly. */
function sortedTexts(keys: string[]): readonly string[] {
  return keys.every((key, index) => index === 0 || compareTexts(keys[index - 1] ?? "", key) < 0)
    ? keys
    : keys.sort(compareTexts);
}

function writeScalar(emitter: Emitter, value: YamlScalar, isKey: boolean): void {
  if (typeof value === "string") {
    writeText(emitter, value, isKey);
  } else if (isYamlBytes(value)) {
    writeBytes(emitter, value);
  } else {
    emitter.word(printWord(value));
  }
}

function writeText(emitter: Emitter, text: string, isKey: boolean): void {
  if (isSurelyPlain(text)) {
    emitter.plain(text, !isKey);
    return;
  }
  const wanted = text.includes("\n") ? "literal" : readsAsText(text) ? "plain" : "double";
  switch (styleOf(text, wanted)) {
    case "plain":
      emitter.plain(text, !isKey);
      return;
    case "single":
      emitter.single(text, !isKey);
      return;
    case "double":
      emitter.double(text, !isKey);
      return;
    case "literal":
      emitter.literal(text);
      return;
  }
}

function writeBytes(emitter: Emitter, { bytes }: YamlBytes): void {
  const digits = Buffer.from(bytes).toString("base64");
  emitter.word("!!binary");
  if (digits.length < base64Line) {
    emitter.word(digits);
  } else {
    emitter.literal(digits.replaceAll(/.{1,70}/g, "$&\n"));
  }
}

/** The line length of Base64, unless it's shorter than that. */
const base64Line = 70;

/** Old parsers read such a text as a number in base 60. */
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

function readsAsText(text: string): boolean {
  return resolvePlain(text).tag === "str" && !base60.test(text);
}

/** Most texts: names and words that mean nothing else. */
function isSurelyPlain(text: string): boolean {
  return text.length > longestWord && isSimple(text);
}

function isSimpleKey(key: YamlScalar): boolean {
  if (isYamlBytes(key)) {
    const length = Math.ceil(key.bytes.length / 3) * 4;
    return length < base64Line;
  }
  return typeof key !== "string" || (isShort(key) && (isSimple(key) || !isMultiline(key)));
}

function isShort(text: string): boolean {
  return text.length * 3 <= longestKey || Buffer.byteLength(text) <= longestKey;
}

function printWord(value: number | bigint | boolean | null | YamlFloat): string {
  if (isYamlFloat(value)) {
    return printFloat(value.value);
  }
  return typeof value === "number" && !Number.isInteger(value) ? printFloat(value) : String(value);
}

function printFloat(value: number): string {
  if (Number.isNaN(value)) {
    return ".nan";
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? ".inf" : "-.inf";
  }
  return printGoFloat(value);
}
