import { normalizeBase64 } from "./base64.ts";
import { EditError } from "./errors.ts";
import { normalizeFloat } from "./floats.ts";
import { type NumberText, normalizeInteger } from "./integers.ts";
import type { ScalarNode } from "./node.ts";
import { tags } from "./resolve.ts";
import { foldMark } from "./scan-block-scalar.ts";
import { normalizeTimestamp } from "./timestamps.ts";
import type { ScalarStyle } from "./token.ts";
import { type ScalarType, ScalarValue } from "./value.ts";

/**
 * Converts a scalar node to the value to write.
 *
 * @throws EditError if its text doesn't fit its tag, or the tag is one for collections
 */
export function toScalarValue(node: ScalarNode, version11: boolean): ScalarValue {
  switch (node.tag) {
    case tags.string:
      return fromString(node);
    case tags.null:
      return plain(node, "null", "");
    case tags.bool:
      return fromBool(node);
    case tags.int:
      return fromNumber(node, normalizeInteger(textOf(node), version11));
    case tags.float:
      return fromNumber(node, normalizeFloat(textOf(node), version11));
    case tags.timestamp:
      return fromTimestamp(node);
    case tags.binary:
      return fromBinary(node);
    case tags.sequence:
    case tags.mapping:
    case tags.set:
    case tags.omap:
    case tags.pairs:
      throw misfit(node);
    default:
      return fromUnknown(node);
  }
}

/** A string from an edit, in the style of the value that it replaces. */
export function newString(text: string, style: ScalarStyle = ""): ScalarValue {
  return new ScalarValue({ type: "string", tag: tags.string, text, style });
}

/**
 * Equal keys have equal identities. The identity of a string is its text, unless that could be confused with another
 * key.
 */
export function identityOf({ type, text, equality }: ScalarValue): string {
  switch (type) {
    case "string":
      return stringIdentity(text);
    case "bool":
      return `\0number ${text === "true" ? 1 : 0}`;
    default:
      return `\0${type} ${equality ?? text}`;
  }
}

/** The identity of a key that's this string. */
export function stringIdentity(text: string): string {
  return text.charCodeAt(0) === 0 ? `\0${text}` : text;
}

/** The string of a key, if the key is one. */
export function stringOfIdentity(identity: string): string | undefined {
  if (!identity.startsWith("\0")) {
    return identity;
  }
  return identity.startsWith("\0\0") ? identity.slice(1) : undefined;
}

function textOf(node: ScalarNode): string {
  return node.style === ">" ? node.text.replaceAll(foldMark, "") : node.text;
}

function fromString(node: ScalarNode, type: ScalarType = "string"): ScalarValue {
  const { style } = node;
  const value = new ScalarValue({ type, tag: node.tag, text: textOf(node), style, source: node });
  value.anchor = node.anchor;
  value.aliasable = node.anchor !== undefined;
  value.splitPairs = node.splitPairs;
  if (style === "|" || style === ">") {
    value.header = node.remarks?.pre?.[0];
    value.folds = style === ">" && type === "string" ? foldsOf(node.text) : [];
  }
  return value;
}

/** The positions of the marks, not counting the marks themselves. */
function foldsOf(text: string): number[] {
  const folds: number[] = [];
  for (let at = text.indexOf(foldMark); at >= 0; at = text.indexOf(foldMark, at + 1)) {
    folds.push(at - folds.length);
  }
  return folds;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["no", false],
  ["y", true],
  ["n", false],
  ["true", true],
  ["false", false],
  ["on", true],
  ["off", false],
]);

function fromBool(node: ScalarNode): ScalarValue {
  const bool = booleans.get(textOf(node).toLowerCase());
  if (bool === undefined) {
    throw misfit(node);
  }
  const value = plain(node, "bool", bool ? "true" : "false");
  return anchored(value, node);
}

function fromNumber(node: ScalarNode, number: NumberText | undefined): ScalarValue {
  if (number === undefined) {
    throw misfit(node);
  }
  const value = plain(node, "number", number.text);
  value.equality = number.equality;
  return number.keepsAnchor ? anchored(value, node) : value;
}

function plain(node: ScalarNode, type: ScalarType, text: string, style: ScalarStyle = ""): ScalarValue {
  return new ScalarValue({ type, tag: node.tag, text, style, source: node });
}

function anchored(value: ScalarValue, { anchor }: ScalarNode): ScalarValue {
  value.anchor = anchor;
  value.aliasable = anchor !== undefined;
  return value;
}

function fromTimestamp(node: ScalarNode): ScalarValue {
  const time = normalizeTimestamp(textOf(node));
  if (time === undefined) {
    throw misfit(node);
  }
  const value = plain(node, "time", time.text);
  value.equality = time.equality;
  value.aliasable = true;
  return value;
}

function fromBinary(node: ScalarNode): ScalarValue {
  const text = normalizeBase64(textOf(node));
  if (text === undefined) {
    throw misfit(node);
  }
  return plain(node, "binary", text, "|");
}

/** Never equal to another value, because the tag could mean anything. */
function fromUnknown(node: ScalarNode): ScalarValue {
  const value = fromString(node, "tagged");
  value.aliasable = true;
  value.equality = node.start.toString();
  return value;
}

function misfit(node: ScalarNode): EditError {
  return new EditError(`the value doesn't fit its tag ${node.tag}`, node.line + 1);
}
