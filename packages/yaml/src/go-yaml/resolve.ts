import { readNumber } from "./numbers.ts";
import type { Resolved, ScalarTag } from "./resolved.ts";
import { isTimestamp } from "./timestamp.ts";
import { type YamlScalar, yamlBytes, yamlFloat } from "./value.ts";

const prefix = "tag:yaml.org,2002:";

const words: ReadonlyMap<string, Resolved> = new Map([
  ...wordsOf("bool", true, ["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"]),
  ...wordsOf("bool", false, ["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"]),
  ...wordsOf("null", null, ["", "~", "null", "Null", "NULL"]),
  ...wordsOf("float", yamlFloat(Number.NaN), [".nan", ".NaN", ".NAN"]),
  ...wordsOf("float", yamlFloat(Infinity), [".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"]),
  ...wordsOf("float", yamlFloat(-Infinity), ["-.inf", "-.Inf", "-.INF"]),
]);

/** Longer texts aren't special words: they're texts, unless they start like a number. */
export const longestWord = 5;

/** A text doesn't fit its tag. */
export class MisfitError extends Error {
  override readonly name = "MisfitError";
}

/** The meaning of a plain scalar without a tag, as yaml.v2 reads YAML 1.1. A timestamp stays a text. */
export function resolvePlain(text: string): Resolved {
  const first = text.charCodeAt(0);
  if (text.length <= longestWord) {
    const word = words.get(text);
    if (word !== undefined) {
      return word;
    }
  }
  if (!mayBeNumber(first)) {
    return { tag: "str", value: text };
  }
  if (isTimestamp(text)) {
    return { tag: "timestamp", value: text };
  }
  return readNumber(text) ?? { tag: "str", value: text };
}

/**
 * The value of a scalar with a tag ("" for none); `plain` if its meaning may depend on its text. Throws MisfitError if
 * the text doesn't fit the tag.
 */
export function resolveScalar(text: string, plain: boolean, tag: string): YamlScalar {
  if (tag === "") {
    return plain ? resolvePlain(text).value : text;
  }
  if (tag === `${prefix}binary`) {
    return decodeBinary(text);
  }
  const wanted = tag.startsWith(prefix) ? tag.slice(prefix.length) : "";
  return isResolvable(wanted) ? resolveAs(wanted, text) : text;
}

type ResolvableTag = "bool" | "int" | "float" | "null" | "timestamp";

/** Texts with any other tag stay unchanged. */
function isResolvable(tag: string): tag is ResolvableTag {
  return ["bool", "int", "float", "null", "timestamp"].includes(tag);
}

function resolveAs(wanted: ResolvableTag, text: string): YamlScalar {
  const found = wanted === "timestamp" ? resolvePlain(text) : resolveWithoutTimestamp(text);
  if (found.tag === wanted) {
    return found.value;
  }
  if (wanted === "float" && found.tag === "int" && isInt64(found.value)) {
    return yamlFloat(Number(found.value));
  }
  throw new MisfitError(`cannot decode !!${found.tag} as a !!${wanted}`);
}

function resolveWithoutTimestamp(text: string): Resolved {
  const found = resolvePlain(text);
  return found.tag === "timestamp" ? (readNumber(text) ?? { tag: "str", value: text }) : found;
}

function isInt64(value: YamlScalar): boolean {
  return typeof value !== "bigint" || value <= 0x7fff_ffff_ffff_ffffn;
}

/** `+`, `-`, `.`, or a digit. */
function mayBeNumber(char: number): boolean {
  return char === 0x2b || char === 0x2d || char === 0x2e || (char >= 0x30 && char <= 0x39);
}

/** Decodes Base64 like Go's strict decoder: skips line breaks and nothing else. */
function decodeBinary(text: string): YamlScalar {
  const digits = text.replaceAll(/[\r\n]/g, "");
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(digits)) {
    throw new MisfitError("!!binary value contains invalid base64 data");
  }
  const bytes = Buffer.from(digits, "base64");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return yamlBytes(Uint8Array.from(bytes));
  }
}

function wordsOf(
  tag: ScalarTag,
  value: YamlScalar,
  texts: readonly string[],
): readonly (readonly [string, Resolved])[] {
  const resolved: Resolved = { tag, value };
  return texts.map((text) => [text, resolved]);
}
