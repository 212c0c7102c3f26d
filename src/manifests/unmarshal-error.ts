import { manifestLimits } from "@weir/base";
import { isYamlBytes, LineFinder, resolvePlain, scalarText, type YamlScalar } from "@weir/yaml/go-yaml";
import type { Misfit } from "./check-shape.ts";
import { isList, isScalar, type Part } from "./fields.ts";

/** Longer values are shortened in messages. */
const longestValue = 10;
const keptOfValue = 7;

/**
 * yaml.v2's messages for the parts of a document that don't fit. The line numbers are those of the printed document,
 * because that's what Flux v1 decodes. yaml.v2 quotes the start of each value, which may be secret; we do that only
 * where a number is expected.
 */
export function unmarshalMessage(misfits: readonly Misfit[], bytes: string): string {
  const lines = new LineFinder(bytes);
  const issues = misfits
    .map(({ path, part, type }) => ({
      line: lines.lineOf(path),
      text: `${describe(part, type === "int")} into ${type}`,
    }))
    .sort((a, b) => a.line - b.line)
    .map(({ line, text }) => `  line ${line}: cannot unmarshal ${text}`);
  const told = issues.slice(0, manifestLimits.toldFaults);
  const rest = issues.length - told.length;
  return ["yaml: unmarshal errors:", ...told, ...(rest === 0 ? [] : [`  and ${rest} more`])].join("\n");
}

function describe(part: Part, quoted: boolean): string {
  if (!isScalar(part)) {
    return isList(part) ? "!!seq" : "!!map";
  }
  return quoted ? `!!${tagOf(part)} \`${cut(writtenText(part))}\`` : `!!${tagOf(part)}`;
}

function writtenText(value: YamlScalar): string {
  return isYamlBytes(value) ? Buffer.from(value.bytes).toString("base64") : scalarText(value);
}

/** The type of the value in the printed document. */
function tagOf(value: YamlScalar): string {
  if (isYamlBytes(value)) {
    return "binary";
  }
  return typeof value === "string" ? "str" : resolvePlain(scalarText(value)).tag;
}

/** Lengths are counted in bytes, as in Go. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length > longestValue ? `${bytes.subarray(0, keptOfValue).toString()}...` : text;
}
