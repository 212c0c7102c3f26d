import { printInText } from "../go-numbers.ts";
import { SopsNumber, Timestamp, type TreeValue } from "../tree.ts";

/** A value in a format that has only texts; undefined for a collection. */
export function plainText(value: TreeValue): string | undefined {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "boolean") {
    return String(value);
  }
  if (value instanceof SopsNumber) {
    return printInText(value);
  }
  if (value instanceof Timestamp) {
    return value.rfc3339.replace(/\.[0-9]+/, "");
  }
  if (value instanceof Uint8Array) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(value);
  }
  return value === null ? "<nil>" : undefined;
}
