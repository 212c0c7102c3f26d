import { manifestLimits } from "../base/limits.ts";
import type { Misfit } from "./check-shape.ts";
import { isList, isScalar, type Part } from "./fields.ts";
import { scalarText } from "./yaml/encode.ts";
import { LineFinder } from "./yaml/line-finder.ts";
import { resolvePlain } from "./yaml/resolve.ts";
import { isYamlBytes, type YamlScalar } from "./yaml/value.ts";

/**
 * What yaml.v2 says of the parts of a document that do not fit, less the beginning of their texts: they may be
 * secret. Its lines are those of the document as it is written again, since that is what Flux v1 decodes.
 */
export function unmarshalMessage(misfits: readonly Misfit[], bytes: string): string {
  const lines = new LineFinder(bytes);
  const issues = misfits
    .map(({ path, part, type }) => ({ line: lines.lineOf(path), text: `${describe(part)} into ${type}` }))
    .sort((a, b) => a.line - b.line)
    .map(({ line, text }) => `  line ${line}: cannot unmarshal ${text}`);
  const told = issues.slice(0, manifestLimits.toldFaults);
  const rest = issues.length - told.length;
  return ["yaml: unmarshal errors:", ...told, ...(rest === 0 ? [] : [`  and ${rest} more`])].join("\n");
}

function describe(part: Part): string {
  if (isList(part)) {
    return "!!seq";
  }
  return isScalar(part) ? `!!${tagOf(part)}` : "!!map";
}

/** The type that the value has in the written document. */
function tagOf(value: YamlScalar): string {
  if (isYamlBytes(value)) {
    return "binary";
  }
  return typeof value === "string" ? "str" : resolvePlain(scalarText(value)).tag;
}
