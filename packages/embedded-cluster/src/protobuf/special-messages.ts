/** The messages that stand for types with a JSON of their own. */
import { parseJson, TextError } from "../text/parse-json.ts";
import { isTree, type TreeNode } from "../tree.ts";
import { bufferOf, readFields, signed, text, WireError } from "./wire.ts";

/** Reads a special message, by the Go name of its type. */
export function readSpecialMessage(go: string, bytes: Uint8Array): TreeNode {
  const fields = new Map([...readFields(bytes)].map(({ number, value }) => [number, value]));
  const first = fields.get(1);
  switch (go) {
    case "v1.Time":
    case "v1.MicroTime":
      return printTime(signed(first ?? 0n), signed(fields.get(2) ?? 0n), go === "v1.MicroTime");
    case "intstr.IntOrString":
      return signed(first ?? 0n) === 0 ? signed(fields.get(2) ?? 0n) : text(fields.get(3) ?? 0n);
    case "resource.Quantity":
      return text(first ?? 0n);
    default:
      // RawExtension, FieldsV1 and JSON hold JSON as it is.
      return parseRaw(typeof first === "object" ? first : new Uint8Array());
  }
}

const year1 = -62_135_596_800;
const year10000 = 253_402_300_800;

function printTime(seconds: number, nanos: number, micro: boolean): TreeNode {
  // Both zero stand for no time, as in Go's own reader; and what no date can be is none.
  if ((seconds === 0 && nanos === 0) || seconds <= year1 || seconds >= year10000) {
    return null;
  }
  const whole = new Date(seconds * 1000).toISOString().slice(0, -".000Z".length);
  return micro ? `${whole}.${String(Math.floor(nanos / 1000)).padStart(6, "0")}Z` : `${whole}Z`;
}

function parseRaw(bytes: Uint8Array): TreeNode {
  if (bytes.length === 0) {
    return null;
  }
  try {
    const { value } = parseJson(bufferOf(bytes).toString());
    return isTree(value) || Array.isArray(value) ? value : null;
  } catch (error) {
    throw error instanceof TextError ? new WireError(error.message) : error;
  }
}
