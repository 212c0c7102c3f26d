import { createHash, createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { FormatError } from "./errors.ts";
import type { Curve } from "./key-types.ts";
import type { PlainKey } from "./plain-key.ts";
import { webauthnMessage } from "./webauthn.ts";
import { WireReader, wireUint32 } from "./wire.ts";

const webauthnAlgorithm = "webauthn-sk-ecdsa-sha2-nistp256@openssh.com";

const rsaHashes = new Map([
  ["ssh-rsa", "sha1"],
  ["rsa-sha2-256", "sha256"],
  ["rsa-sha2-512", "sha512"],
]);

/** The algorithm of a signature in the format of RFC 4253, section 6.6. Throws FormatError. */
export function signatureAlgorithm(signature: Uint8Array): string {
  return new WireReader(signature).text();
}

/**
 * Whether a signature in the format of RFC 4253, section 6.6, is the key's signature of the data. Throws FormatError if
 * it isn't such a signature at all.
 */
export function isSignatureOf(data: Uint8Array, signature: Uint8Array, signer: PlainKey): boolean {
  const reader = new WireReader(signature);
  const algorithm = reader.text();
  const body = reader.string();
  const { type } = signer;
  const message = type.securityKey ? readSecurityKeyMessage({ algorithm, data, signer }, reader) : data;
  reader.end();
  switch (type.kind) {
    case "ed25519":
      checkAlgorithm(algorithm, type.name);
      return body.length === 64 && verifies(undefined, message, { jwk: signer.jwk, signature: body });
    case "ecdsa":
      checkAlgorithm(algorithm, type.name, type.securityKey ? webauthnAlgorithm : type.name);
      return verifyEcdsa({ message, curve: type.curve, signer }, body);
    case "rsa":
      return verifyRsa({ algorithm, message, signer }, body);
  }
}

function checkAlgorithm(algorithm: string, ...expected: readonly string[]): void {
  if (!expected.includes(algorithm)) {
    throw new FormatError("its algorithm doesn't fit its key");
  }
}

interface SecurityKeyRequest {
  readonly algorithm: string;
  readonly data: Uint8Array;
  readonly signer: PlainKey;
}

/**
 * What a security key signs in place of the data. Like ssh-keygen and git, this doesn't require the flag that says that
 * the key was touched.
 */
function readSecurityKeyMessage(request: SecurityKeyRequest, reader: WireReader): Buffer {
  const flags = reader.byte();
  const counter = reader.uint32();
  const { extensions, hash } =
    request.algorithm === webauthnAlgorithm
      ? webauthnMessage(request.data, flags, reader)
      : { extensions: Buffer.alloc(0), hash: sha256(request.data) };
  const application = sha256(Buffer.from(request.signer.application, "latin1"));
  return Buffer.concat([application, Buffer.of(flags), wireUint32(counter), extensions, hash]);
}

interface EcdsaRequest {
  readonly message: Uint8Array;
  readonly curve: Curve;
  readonly signer: PlainKey;
}

function verifyEcdsa({ message, curve, signer }: EcdsaRequest, body: Buffer): boolean {
  const reader = new WireReader(body);
  const r = reader.integer();
  const s = reader.integer();
  reader.end();
  if (r.length > curve.size || s.length > curve.size) {
    return false;
  }
  const pair = Buffer.alloc(2 * curve.size);
  r.copy(pair, curve.size - r.length);
  s.copy(pair, 2 * curve.size - s.length);
  return verifies(curve.hash, message, { jwk: signer.jwk, signature: pair });
}

interface RsaRequest {
  readonly algorithm: string;
  readonly message: Uint8Array;
  readonly signer: PlainKey;
}

function verifyRsa({ algorithm, message, signer }: RsaRequest, body: Buffer): boolean {
  const hash = rsaHashes.get(algorithm);
  if (hash === undefined) {
    throw new FormatError("its algorithm doesn't fit its key");
  }
  if (body.length > signer.modulusLength) {
    return false;
  }
  // Some programs leave out leading zeros.
  const padded = Buffer.concat([Buffer.alloc(signer.modulusLength - body.length), body]);
  return verifies(hash, message, { jwk: signer.jwk, signature: padded });
}

interface Signed {
  readonly jwk: JsonWebKey;
  readonly signature: Buffer;
}

function verifies(hash: string | undefined, message: Uint8Array, { jwk, signature }: Signed): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return verify(hash, message, { key, dsaEncoding: "ieee-p1363" }, signature);
  } catch (cause) {
    throw new FormatError("its numbers aren't a key", { cause });
  }
}

function sha256(data: Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}
