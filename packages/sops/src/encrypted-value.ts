import { createDecipheriv } from "node:crypto";
import { ValueError } from "./errors.ts";
import { rfc3339Pattern } from "./time.ts";
import { Comment, type Leaf, SopsNumber, Timestamp } from "./tree.ts";

/** Go's pattern for an encrypted value: greedy, and not anchored at its end. */
const pattern = /^ENC\[AES256_GCM,data:(.+),iv:(.+),tag:(.+),type:(.+)\]/;

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The lengths of the data key, in bytes, with which AES works. */
const keyLengths = [16, 24, 32];

/** The length of the tag, in bytes. Shorter tags would be accepted as prefixes of it, which is easier to forge. */
const tagLength = 16;

/** The shortest and longest initialization vector that OpenSSL supports, in bytes. */
const ivLengths = { least: 1, most: 128 };

/**
 * Decrypts a value in the form `ENC[AES256_GCM,…]`; an empty text is an empty value. `place` is the additional data
 * that binds the value to its place in the file. Throws ValueError if the value isn't in this form, or was encrypted
 * with another key or for another place.
 */
export function decryptValue(text: string, key: Uint8Array, place: string): Leaf | Comment {
  if (text === "") {
    return "";
  }
  const [, data = "", iv = "", tag = "", type = ""] = pattern.exec(text) ?? [];
  if (type === "") {
    throw new ValueError("Could not decrypt value: it does not match sops' data format");
  }
  const bytes = open({ data: decode(data), iv: decode(iv), tag: decode(tag) }, key, place);
  return typed(bytes, type);
}

function decode(text: string): Buffer {
  const digits = text.replaceAll(/[\r\n]/g, "");
  if (!base64.test(digits)) {
    throw new ValueError("Could not decrypt value: Error base64-decoding data");
  }
  return Buffer.from(digits, "base64");
}

interface Sealed {
  readonly data: Buffer;
  readonly iv: Buffer;
  readonly tag: Buffer;
}

function open({ data, iv, tag }: Sealed, key: Uint8Array, place: string): Buffer {
  if (!keyLengths.includes(key.length)) {
    throw new ValueError("Could not decrypt value: the data key has an invalid length");
  }
  const isPossible = tag.length === tagLength && iv.length >= ivLengths.least && iv.length <= ivLengths.most;
  if (!isPossible) {
    throw new ValueError("Could not decrypt value: its initialization vector or tag has an invalid length");
  }
  try {
    const decipher = createDecipheriv(cipherFor(key), key, iv, { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(data), decipher.final()]);
  } catch {
    // OpenSSL's message says less, and could quote what it was given.
    throw new ValueError(
      "Could not decrypt value: Could not decrypt with AES_GCM: message authentication failed",
    );
  }
}

function cipherFor(key: Uint8Array): "aes-128-gcm" | "aes-192-gcm" | "aes-256-gcm" {
  switch (key.length) {
    case 16:
      return "aes-128-gcm";
    case 24:
      return "aes-192-gcm";
    default:
      return "aes-256-gcm";
  }
}

function typed(bytes: Buffer, type: string): Leaf | Comment {
  switch (type) {
    case "str":
    case "bytes":
      return textOrBytes(bytes);
    case "int":
      return toInt(bytes.toString("latin1"));
    case "float":
      return toFloat(bytes.toString("latin1"));
    case "bool":
      return toBoolean(bytes.toString("latin1"));
    case "time":
      return toTime(bytes.toString("latin1"));
    case "comment":
      return new Comment(bytes.toString());
    default:
      throw new ValueError("Could not decrypt value: Unknown datatype");
  }
}

function textOrBytes(bytes: Buffer): string | Uint8Array {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Uint8Array.from(bytes);
  }
}

const largestInt = 2n ** 63n - 1n;

function toInt(text: string): SopsNumber {
  if (!/^[+-]?[0-9]+$/.test(text) || text.length > 40) {
    throw new ValueError("Could not decrypt value: it isn't an integer");
  }
  const value = BigInt(text.replace(/^\+/, ""));
  if (value > largestInt || value < -largestInt - 1n) {
    throw new ValueError("Could not decrypt value: the integer is out of range");
  }
  return new SopsNumber("int", value);
}

const specialFloats: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Infinity],
  ["+inf", Infinity],
  ["-inf", -Infinity],
]);

function toFloat(text: string): SopsNumber {
  const special = specialFloats.get(text.toLowerCase());
  if (special !== undefined) {
    return new SopsNumber("float", special);
  }
  const value = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)
    ? Number(text)
    : Infinity;
  if (!Number.isFinite(value)) {
    throw new ValueError("Could not decrypt value: it isn't a number");
  }
  return new SopsNumber("float", value);
}

function toTime(text: string): Timestamp {
  if (!rfc3339Pattern.test(text)) {
    throw new ValueError("Could not decrypt value: it isn't a time");
  }
  return new Timestamp(text, text);
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "TRUE", "true", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((text) => [text, false] as const),
]);

function toBoolean(text: string): boolean {
  const value = booleans.get(text);
  if (value === undefined) {
    throw new ValueError("Could not decrypt value: it isn't a boolean");
  }
  return value;
}
