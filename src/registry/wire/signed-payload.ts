import { isJsonArray, isJsonObject, type JsonObject } from "@weir/base";
import { parseJsonObject, textIn, WireError } from "@weir/http";

/**
 * The part of a signed schema 1 manifest that its digest covers: everything before the signatures, and the tail that
 * they contain. Throws WireError if the signature doesn't say which part that is.
 * https://distribution.github.io/distribution/spec/manifest-v2-1/#signed-manifests
 */
export function signedPayload(bytes: Uint8Array): Uint8Array {
  const signatures = parseJsonObject(bytes, "the manifest")["signatures"];
  const first = isJsonArray(signatures) ? signatures[0] : undefined;
  if (!isJsonObject(first)) {
    return bytes;
  }
  const { formatLength, tail } = readProtected(first);
  return Buffer.concat([bytes.subarray(0, formatLength), tail]);
}

function readProtected(signature: JsonObject): { readonly formatLength: number; readonly tail: Uint8Array } {
  const text = Buffer.from(textIn(signature, "protected"), "base64url").toString("utf8");
  const header = parseJsonObject(text, "the header of the signature");
  const formatLength = header["formatLength"];
  if (typeof formatLength !== "number") {
    throw new WireError("the signature's header doesn't name the signed part");
  }
  return { formatLength, tail: Buffer.from(textIn(header, "formatTail"), "base64url") };
}
