import type { Misfit } from "./check-shape.ts";
import { isList, isScalar, type Part } from "./fields.ts";
import { scalarText } from "./yaml/encode.ts";
import { LineFinder } from "./yaml/line-finder.ts";
import { resolvePlain } from "./yaml/resolve.ts";
import { isYamlBytes, type YamlScalar } from "./yaml/value.ts";

/** Longer values are cut in messages. */
const longestValue = 10;
const keptOfValue = 7;

/**
 * What yaml.v2 says of the parts of a document that do not fit. Its lines are those of the document as it is
 * written again, since that is what Flux v1 decodes.
 */
export function unmarshalMessage(misfits: readonly Misfit[], bytes: string): string {
  const lines = new LineFinder(bytes);
  const issues = misfits
    .map(({ path, part, type }) => ({ line: lines.lineOf(path), text: `${describe(part)} into ${type}` }))
    .sort((a, b) => a.line - b.line)
    .map(({ line, text }) => `  line ${line}: cannot unmarshal ${text}`);
  return `yaml: unmarshal errors:\n${issues.join("\n")}`;
}

function describe(part: Part): string {
  if (isList(part)) {
    return "!!seq";
  }
  return isScalar(part) ? describeScalar(part) : "!!map";
}

/** The type that the value has in the written document, and the beginning of its text there. */
function describeScalar(value: YamlScalar): string {
  const text = isYamlBytes(value) ? Buffer.from(value.bytes).toString("base64") : scalarText(value);
  return `!!${tagOf(value, text)} \`${cut(text)}\``;
}

function tagOf(value: YamlScalar, text: string): string {
  if (isYamlBytes(value)) {
    return "binary";
  }
  return typeof value === "string" ? "str" : resolvePlain(text).tag;
}

/** Lengths are counted in bytes, as Go counts them. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length > longestValue ? `${bytes.subarray(0, keptOfValue).toString()}...` : text;
}
