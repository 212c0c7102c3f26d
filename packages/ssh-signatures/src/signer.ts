import { sign } from "node:crypto";
import { promisify } from "node:util";
import { armor } from "./armor.ts";
import { SigningKeyError } from "./errors.ts";
import { isSignatureOf } from "./raw-signature.ts";
import { readSigningKey, type SigningKey } from "./signing-key.ts";
import { printSshSignature, signedMessage } from "./sshsig.ts";
import { wireInteger, wireString } from "./wire.ts";

const signInBackground = promisify(sign);

/** What signatures are for, and how data is hashed, as git and ssh-keygen do by default. */
const format = { namespace: "git", hash: "sha512" } as const;

/** Signs commits and tags. */
export interface SshSigner {
  /** The public key's fingerprint, such as `SHA256:…`. */
  readonly fingerprint: string;
  /** The public key, as in a .pub file or in a file with allowed signers. */
  readonly publicKey: string;
  /** The signature of the data in text form, as ssh-keygen writes it. */
  sign(data: Uint8Array): Promise<string>;
}

/**
 * A signer with the private key in a file that was read. `name` is the file's path, for errors. Checks that the key can
 * sign. Rejects with SigningKeyError. The bytes of the file aren't kept.
 */
export async function sshSigner(file: Uint8Array, name: string): Promise<SshSigner> {
  const key = readSigningKey(file, name);
  await checkKey(key, name);
  const { blob, fingerprint, type } = key.publicKey;
  return {
    fingerprint,
    publicKey: `${type.name} ${blob.toString("base64")}`,
    sign: (data) => signData(key, data),
  };
}

/** Throws SigningKeyError if a setting names a key in a way that git knows, but that isn't a file. */
export function checkKeyIsFile(setting: string): void {
  if (/^(?:key::|(?:sk-)?(?:ssh|ecdsa)-[^/]* )/.test(setting)) {
    const reason =
      "it is a public key itself, and keys of an agent aren't supported; name the file with the private key";
    throw new SigningKeyError(setting.slice(0, 20), reason);
  }
}

async function checkKey(key: SigningKey, name: string): Promise<void> {
  if (!(await canSign(key))) {
    throw new SigningKeyError(name, "the file can't be used: its numbers don't fit together");
  }
}

async function canSign(key: SigningKey): Promise<boolean> {
  const message = Buffer.from("check");
  try {
    return isSignatureOf(message, await rawSignature(key, message), key.publicKey);
  } catch {
    // The cause isn't kept: nothing that was made from the key may reach a log.
    return false;
  }
}

async function signData(key: SigningKey, data: Uint8Array): Promise<string> {
  const signature = await rawSignature(key, signedMessage(data, format.namespace, format.hash));
  return armor(printSshSignature({ ...format, publicKey: key.publicKey.blob, signature }));
}

/** In the format of RFC 4253, section 6.6. */
async function rawSignature(key: SigningKey, message: Buffer): Promise<Buffer> {
  const { type } = key.publicKey;
  switch (type.kind) {
    case "ed25519":
      return printRawSignature(type.name, await signWith(key, null, message));
    case "ecdsa":
      return printRawSignature(type.name, ecdsaPair(await signWith(key, type.curve.hash, message)));
    case "rsa":
      return printRawSignature("rsa-sha2-512", await signWith(key, "sha512", message));
  }
}

function signWith({ privateKey }: SigningKey, hash: string | null, message: Buffer): Promise<Buffer> {
  return signInBackground(hash, message, { key: privateKey, dsaEncoding: "ieee-p1363" });
}

function printRawSignature(algorithm: string, body: Buffer): Buffer {
  return Buffer.concat([wireString(algorithm), wireString(body)]);
}

function ecdsaPair(raw: Buffer): Buffer {
  const half = raw.length / 2;
  return Buffer.concat(
    [raw.subarray(0, half), raw.subarray(half)].map((part) => wireInteger(withoutLeadingZeros(part))),
  );
}

function withoutLeadingZeros(digits: Buffer): Buffer {
  const start = digits.findIndex((digit) => digit !== 0);
  return digits.subarray(start === -1 ? digits.length : start);
}
