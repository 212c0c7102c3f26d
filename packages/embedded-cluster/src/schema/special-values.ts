/** The types that read and write their own JSON: times, quantities, numbers that may be texts. */
import { canonicalQuantity } from "../canonical-quantity.ts";
import type { TreeNode } from "../tree.ts";

/** What became of a value: it was read, it has the wrong JSON type, or it is refused with a message. */
export type SpecialResult =
  | { readonly kind: "value"; readonly value: TreeNode }
  | { readonly kind: "mismatch"; readonly goType: string }
  | { readonly kind: "refused"; readonly message: string };

type Reader = (value: TreeNode) => SpecialResult;

/** Reads a value of a special type, by the type's Go name. Types without a rule are free-form JSON. */
export function readSpecial(go: string, value: TreeNode): SpecialResult {
  const reader = readers.get(go);
  return reader === undefined ? read(value) : reader(value);
}

/** How the API server writes a special value that was never set. */
export function zeroSpecial(go: string): TreeNode {
  return go === "resource.Quantity" ? "0" : go === "intstr.IntOrString" ? 0 : null;
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["resource.Quantity", readQuantity],
  ["intstr.IntOrString", readIntOrString],
  ["v1.Time", (value) => readTime(value, 0)],
  ["v1.MicroTime", (value) => readTime(value, 6)],
]);

function readQuantity(value: TreeNode): SpecialResult {
  if (typeof value !== "string" && typeof value !== "number") {
    return { kind: "refused", message: wrongFormat };
  }
  const text = String(value).trim();
  const quantity = canonicalQuantity(text);
  return quantity === undefined ? { kind: "refused", message: quantityFault(text) } : read(quantity);
}

const wrongFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** As the API server tells apart what is no quantity at all, a bad number and a bad suffix. */
function quantityFault(text: string): string {
  const [, number = ""] = /^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/.exec(text) ?? [];
  if (number === "") {
    return wrongFormat;
  }
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(number)
    ? "unable to parse quantity's suffix"
    : "unable to parse numeric part of quantity";
}

function readIntOrString(value: TreeNode): SpecialResult {
  const isInt = typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 31;
  return typeof value === "string" || isInt ? read(value) : { kind: "mismatch", goType: "int32" };
}

const rfc3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/;

/** Times are kept in UTC, with as many digits of the second as the type has. */
function readTime(value: TreeNode, digits: number): SpecialResult {
  if (typeof value !== "string") {
    return { kind: "mismatch", goType: "string" };
  }
  const [, date = "", time = "", fraction = "", zone = ""] = rfc3339.exec(value) ?? [];
  const moment = new Date(`${date}T${time}${zone}`);
  if (Number.isNaN(moment.getTime())) {
    return { kind: "refused", message: timeFault(value, digits) };
  }
  const seconds = moment.toISOString().slice(0, -".000Z".length);
  return read(digits === 0 ? `${seconds}Z` : `${seconds}.${fraction.slice(0, digits).padEnd(digits, "0")}Z`);
}

function timeFault(text: string, digits: number): string {
  const layout = digits === 0 ? "2006-01-02T15:04:05Z07:00" : "2006-01-02T15:04:05.000000Z07:00";
  const { rest, expected } = firstMismatch(text);
  return `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(expected)}`;
}

/** How far a text follows the layout of a time, part by part. */
function firstMismatch(text: string): { rest: string; expected: string } {
  let rest = text;
  for (const [expected, part] of timeParts) {
    const match = part.exec(rest);
    if (match === null) {
      return { rest, expected };
    }
    rest = rest.slice(match[0].length);
  }
  return { rest, expected: "" };
}

const timeParts: readonly (readonly [string, RegExp])[] = [
  ["2006", /^\d{4}/],
  ["-", /^-/],
  ["01", /^\d{2}/],
  ["-", /^-/],
  ["02", /^\d{2}/],
  ["T", /^T/],
  ["15", /^\d{2}/],
  [":", /^:/],
  ["04", /^\d{2}/],
  [":", /^:/],
  ["05", /^\d{2}(?:\.\d+)?/],
  ["Z07:00", /^(?:Z|[+-]\d{2}:\d{2})/],
];

function read(value: TreeNode): SpecialResult {
  return { kind: "value", value };
}
