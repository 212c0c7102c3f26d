/** The format of SSH signatures, which OpenSSH describes in PROTOCOL.sshsig. */
import { createHash } from "node:crypto";
import { FormatError } from "./errors.ts";
import { type PublicKey, parsePublicKey } from "./public-key.ts";
import { isSignatureOf, signatureAlgorithm } from "./raw-signature.ts";
import { WireReader, wireString, wireUint32 } from "./wire.ts";

const magic = "SSHSIG";
const version = 1;

const hashes = ["sha256", "sha512"] as const;

/** How the signed data is hashed. */
export type SignatureHash = (typeof hashes)[number];

/** A signature, taken apart but not verified. */
export interface SshSignature {
  readonly key: PublicKey;
  /** What the signature is for, such as `git`. One character for each byte. */
  readonly namespace: string;
  readonly hash: SignatureHash;
  /** In the format of RFC 4253, section 6.6. */
  readonly signature: Buffer;
}

/** Reads a signature. Throws FormatError. */
export function parseSshSignature(bytes: Uint8Array): SshSignature {
  const reader = new WireReader(bytes);
  if (reader.bytes(magic.length).toString("latin1") !== magic) {
    throw new FormatError("it doesn't contain an SSH signature");
  }
  if (reader.uint32() > version) {
    throw new FormatError("it has a newer format than is known");
  }
  const key = parsePublicKey(reader.string());
  const namespace = reader.text();
  reader.string(); // reserved
  const hashName = reader.text();
  const signature = reader.string();
  reader.end();
  const hash = hashes.find((name) => name === hashName);
  if (hash === undefined) {
    throw new FormatError("the data is hashed in a way that isn't supported: only sha256 and sha512 are");
  }
  return { key, namespace, hash, signature };
}

/** The bytes of a signature. */
export function printSshSignature(parts: Omit<SshSignature, "key"> & { readonly publicKey: Buffer }): Buffer {
  return Buffer.concat([
    Buffer.from(magic),
    wireUint32(version),
    wireString(parts.publicKey),
    wireString(parts.namespace),
    wireString(""),
    wireString(parts.hash),
    wireString(parts.signature),
  ]);
}

/** What a key signs so that the signature is one for the data. */
export function signedMessage(data: Uint8Array, namespace: string, hash: SignatureHash): Buffer {
  return Buffer.concat([
    Buffer.from(magic),
    wireString(namespace),
    wireString(""),
    wireString(hash),
    wireString(createHash(hash).update(data).digest()),
  ]);
}

/** Whether the signature's key has signed the data. Throws FormatError. */
export function hasSigned(data: Uint8Array, { key, namespace, hash, signature }: SshSignature): boolean {
  if (key.plain.type.kind === "rsa" && signatureAlgorithm(signature) === "ssh-rsa") {
    throw new FormatError("it's an RSA signature with SHA-1, which is too weak");
  }
  return isSignatureOf(signedMessage(data, namespace, hash), signature, key.plain);
}
