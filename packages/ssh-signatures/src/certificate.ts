import { FormatError } from "./errors.ts";
import { findKeyType } from "./key-types.ts";
import { type PlainKey, readPlainKey } from "./plain-key.ts";
import { isSignatureOf } from "./raw-signature.ts";
import { WireReader } from "./wire.ts";

const userCertificate = 1;
const hostCertificate = 2;

/** As in OpenSSH. */
const maxPrincipals = 256;

/** What a certificate says about its key. Its own signature has been verified. */
export interface Certificate {
  readonly kind: "user" | "host";
  /** One character for each byte. */
  readonly principals: readonly string[];
  /** Seconds since 1970; valid from here on. */
  readonly validAfter: bigint;
  /** Seconds since 1970; no longer valid from here on. */
  readonly validBefore: bigint;
  /** The key that signed the certificate. */
  readonly authority: PlainKey;
}

/**
 * Reads the part of a certificate that follows its key, and verifies its signature. `blob` is the whole certificate.
 * Critical options and extensions only have to be well formed: for git and ssh-keygen, they don't restrict signing.
 * Throws FormatError.
 */
export function readCertificate(blob: Buffer, reader: WireReader): Certificate {
  reader.uint64(); // the serial number
  const type = reader.uint32();
  reader.text(); // the key ID
  const principals = reader.string();
  const validAfter = reader.uint64();
  const validBefore = reader.uint64();
  const criticalOptions = reader.string();
  const extensions = reader.string();
  reader.string(); // reserved
  const authorityBlob = reader.string();
  const signed = blob.subarray(0, reader.offset);
  const signature = reader.string();

  if (type !== userCertificate && type !== hostCertificate) {
    throw new FormatError("its certificate is neither for a user nor for a host");
  }
  checkPairs(criticalOptions);
  checkPairs(extensions);
  const authority = readAuthority(authorityBlob);
  if (!isSignatureOf(signed, signature, authority)) {
    throw new FormatError("its certificate was changed after it was signed");
  }
  const kind = type === userCertificate ? "user" : "host";
  return { kind, principals: readPrincipals(principals), validAfter, validBefore, authority };
}

function readPrincipals(bytes: Buffer): readonly string[] {
  const reader = new WireReader(bytes);
  const principals: string[] = [];
  while (!reader.atEnd) {
    if (principals.length === maxPrincipals) {
      throw new FormatError(`its certificate has more than ${maxPrincipals} principals`);
    }
    principals.push(reader.text());
  }
  return principals;
}

function checkPairs(bytes: Buffer): void {
  const reader = new WireReader(bytes);
  while (!reader.atEnd) {
    reader.string();
    reader.string();
  }
}

function readAuthority(blob: Buffer): PlainKey {
  const reader = new WireReader(blob);
  const named = findKeyType(reader.text());
  if (named === undefined || named.certificate) {
    throw new FormatError("its certificate was signed with a type of key that can't sign certificates");
  }
  const key = readPlainKey(named.type, reader);
  reader.end();
  return key;
}
