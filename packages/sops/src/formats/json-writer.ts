import { stringifyGoJson } from "@weir/base";
import { SopsError } from "../errors.ts";
import { Branch, Comment, SopsNumber, Timestamp, type TreeValue } from "../tree.ts";

/** Prints a file as sops does: like Go's encoding/json, indented with tabs, and without comments. */
export function writeJson([branch = new Branch([])]: readonly Branch[]): string {
  return `${printValue(branch, "\n")}\n`;
}

function printValue(value: TreeValue, lineStart: string): string {
  const inner = `${lineStart}\t`;
  if (value instanceof Branch) {
    const members = value.items.flatMap((item) =>
      item.key instanceof Comment ? [] : [`${stringifyGoJson(item.key)}: ${printValue(item.value, inner)}`],
    );
    return members.length === 0 ? "{}" : `{${inner}${members.join(`,${inner}`)}${lineStart}}`;
  }
  if (Array.isArray(value)) {
    const items = (value as readonly TreeValue[])
      .filter((item) => !(item instanceof Comment))
      .map((item) => printValue(item, inner));
    return items.length === 0 ? "[]" : `[${inner}${items.join(`,${inner}`)}${lineStart}]`;
  }
  return printLeaf(value);
}

function printLeaf(value: TreeValue): string {
  if (value instanceof SopsNumber) {
    return printNumber(value);
  }
  if (value instanceof Timestamp) {
    return stringifyGoJson(value.rfc3339);
  }
  if (value instanceof Uint8Array) {
    return stringifyGoJson(new TextDecoder("utf-8", { ignoreBOM: true }).decode(value));
  }
  return typeof value === "string" || typeof value === "boolean" ? stringifyGoJson(value) : "null";
}

function printNumber({ type, value }: SopsNumber): string {
  if (type === "int" || typeof value === "bigint") {
    return String(value);
  }
  if (!Number.isFinite(value)) {
    throw new SopsError("Error marshaling to json: a number isn't finite");
  }
  return Object.is(value, -0) ? "-0" : String(value);
}
