import { compareGoStrings } from "../../base/go-order.ts";
import { quoteGo } from "../../base/go-quote.ts";
import { printGoFloat } from "./go-float.ts";
import { compareKeys } from "./key-order.ts";
import {
  entriesOf,
  isYamlBytes,
  isYamlFloat,
  isYamlList,
  isYamlMapping,
  type YamlBytes,
  type YamlFloat,
  type YamlScalar,
  type YamlValue,
} from "./value.ts";

/** Deeper values are cut off: this is for people to read. */
const deepest = 20;

/** A value as Go's %#v prints what yaml.v2 decodes. */
export function printGoSyntax(value: YamlValue, depth = 0): string {
  if (depth > deepest) {
    return "…";
  }
  if (isYamlList(value)) {
    return `[]interface {}{${value.map((item) => printMember(item, depth)).join(", ")}}`;
  }
  if (isYamlMapping(value)) {
    const entries = entriesOf(value).toSorted(([a], [b]) => comparePrinted(a, b));
    const members = entries.map(([key, item]) => `${printMember(key, depth)}:${printMember(item, depth)}`);
    return `map[interface {}]interface {}{${members.join(", ")}}`;
  }
  return printScalar(value);
}

function printMember(value: YamlValue, depth: number): string {
  return value === null ? "interface {}(nil)" : printGoSyntax(value, depth + 1);
}

/** Strings come first, in Go's own order; the order of other keys is not fixed between builds of Go. */
function comparePrinted(a: YamlScalar, b: YamlScalar): number {
  if (typeof a === "string" && typeof b === "string") {
    return compareGoStrings(a, b);
  }
  if (typeof a === "string" || typeof b === "string") {
    return typeof a === "string" ? -1 : 1;
  }
  return compareKeys(a, b);
}

function printScalar(value: Exclude<YamlValue, object> | YamlFloat | YamlBytes | null): string {
  if (typeof value === "string") {
    return quoteGo(value);
  }
  if (typeof value === "bigint") {
    return value > 0x7fff_ffff_ffff_ffffn ? `0x${value.toString(16)}` : value.toString();
  }
  if (isYamlBytes(value)) {
    return quoteGo(new TextDecoder().decode(value.bytes));
  }
  if (typeof value === "number" && !Number.isInteger(value)) {
    return printGoFloat(value);
  }
  return isYamlFloat(value) ? printGoFloat(value.value) : String(value);
}
