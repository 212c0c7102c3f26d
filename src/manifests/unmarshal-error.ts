import { manifestLimits } from "@weir/base";
import { isYamlBytes, LineFinder, resolvePlain, scalarText, type YamlScalar } from "@weir/yaml/go-yaml";
import type { Misfit } from "./check-shape.ts";
import { isList, isScalar, type Part } from "./fields.ts";

/** Longer values are cut in messages. */
const longestValue = 10;
const keptOfValue = 7;

/**
 * What yaml.v2 says of the parts of a document that do not fit. Its lines are those of the document as it is written
 * again, since that is what Flux v1 decodes. It quotes the beginning of their texts, which may be secret: here that is
 * done only where a number belongs.
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

/** The type that the value has in the written document. */
function tagOf(value: YamlScalar): string {
  if (isYamlBytes(value)) {
    return "binary";
  }
  return typeof value === "string" ? "str" : resolvePlain(scalarText(value)).tag;
}

/** Lengths are counted in bytes, as Go counts them. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length > longestValue ? `${bytes.subarray(0, keptOfValue).toString()}...` : text;
}
