import { type Certificate, readCertificate } from "./certificate.ts";
import { FormatError } from "./errors.ts";
import { findKeyType } from "./key-types.ts";
import { type PlainKey, readPlainKey } from "./plain-key.ts";
import { WireReader } from "./wire.ts";

/** A public key, with its certificate if it has one. */
export interface PublicKey {
  readonly plain: PlainKey;
  readonly certificate: Certificate | undefined;
  /** The bytes that were read, from which one certificate differs from another. */
  readonly blob: Buffer;
}

/** Reads a public key or a certificate, whose signature is verified. Throws FormatError. */
export function parsePublicKey(bytes: Uint8Array): PublicKey {
  const blob = Buffer.from(bytes);
  const reader = new WireReader(blob);
  const named = findKeyType(reader.text());
  if (named === undefined) {
    throw new FormatError("its type of key isn't supported");
  }
  if (named.certificate) {
    reader.string(); // a random value
  }
  const plain = readPlainKey(named.type, reader);
  const certificate = named.certificate ? readCertificate(blob, reader) : undefined;
  reader.end();
  return { plain, certificate, blob };
}

/** Whether two keys are the same, and have the same certificate or none. */
export function isSameKey(a: PublicKey, b: PublicKey): boolean {
  if ((a.certificate === undefined) !== (b.certificate === undefined)) {
    return false;
  }
  return isSamePlainKey(a.plain, b.plain) && (a.certificate === undefined || a.blob.equals(b.blob));
}

/** Whether two keys are the same, whatever their certificates. */
export function isSamePlainKey(a: PlainKey, b: PlainKey): boolean {
  return a.blob.equals(b.blob);
}
