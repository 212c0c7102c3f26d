import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { FormatError, SigningKeyError } from "./errors.ts";
import { curves, ecdsaType, ed25519, rsa } from "./key-types.ts";
import { isOpenSshPrivateKey, type OpenSshKey, parseOpenSshPrivateKey } from "./openssh-private-key.ts";
import { type PlainKey, readPlainKey } from "./plain-key.ts";
import { WireReader, wireInteger, wireString } from "./wire.ts";

/** A private key and its public key. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: PlainKey;
}

const newKey = "create one with 'ssh-keygen -t ed25519 -N \"\"'";

const remedies: Readonly<Record<(OpenSshKey & { readonly kind: "unusable" })["because"], string>> = {
  passphrase:
    "it is protected by a passphrase; remove it from a copy of the file with 'ssh-keygen -p -N \"\" -f COPY'",
  "security key": `it is on a security key, which works only when somebody touches it; ${newKey}`,
  type: `its type can't sign commits; ${newKey}`,
};

/**
 * Reads a private key from a file in OpenSSH's format or in PEM (PKCS #1, PKCS #8, or EC). `name` is for errors. Throws
 * SigningKeyError.
 */
export function readSigningKey(file: Uint8Array, name: string): SigningKey {
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString("latin1");
  try {
    const privateKey = isOpenSshPrivateKey(text) ? readOpenSsh(text, name) : readPem(text, name);
    const publicKey = publicKeyOf(privateKey);
    if (publicKey === undefined) {
      throw new SigningKeyError(name, remedies.type);
    }
    return { privateKey, publicKey };
  } catch (error) {
    if (error instanceof FormatError) {
      throw new SigningKeyError(name, `the file can't be used: ${error.message}`);
    }
    throw error;
  }
}

function readOpenSsh(text: string, name: string): KeyObject {
  const outcome = parseOpenSshPrivateKey(text);
  if (outcome.kind === "unusable") {
    throw new SigningKeyError(name, remedies[outcome.because]);
  }
  return outcome.key;
}

function readPem(text: string, name: string): KeyObject {
  if (!text.includes("PRIVATE KEY-----")) {
    const problem = /^\s*(?:key::)?(?:sk-)?(?:ssh|ecdsa)-/.test(text)
      ? "it is a public key"
      : "it isn't a private key";
    throw new SigningKeyError(name, `${problem}; name the file with the private key, and not an agent's key`);
  }
  if (/ENCRYPTED/.test(text)) {
    throw new SigningKeyError(name, remedies.passphrase);
  }
  try {
    return createPrivateKey({ key: text, format: "pem" });
  } catch {
    // The cause isn't kept: nothing that was made from the key may reach a log.
    throw new FormatError("it isn't a key in PEM format");
  }
}

/** undefined if the key is of a type that SSH doesn't have. Throws FormatError. */
function publicKeyOf(privateKey: KeyObject): PlainKey | undefined {
  switch (privateKey.asymmetricKeyType) {
    case "ed25519": {
      const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
      return readPlainKey(ed25519, new WireReader(wireString(Buffer.from(x, "base64url"))));
    }
    case "rsa": {
      const { e = "", n = "" } = createPublicKey(privateKey).export({ format: "jwk" });
      const numbers = [e, n].map((digits) => wireInteger(Buffer.from(digits, "base64url")));
      return readPlainKey(rsa, new WireReader(Buffer.concat(numbers)));
    }
    case "ec":
      return ecdsaPublicKey(privateKey);
    default:
      return undefined;
  }
}

const curveNames = new Map([
  ["prime256v1", "nistp256"],
  ["secp384r1", "nistp384"],
  ["secp521r1", "nistp521"],
]);

function ecdsaPublicKey(privateKey: KeyObject): PlainKey | undefined {
  const name = curveNames.get(privateKey.asymmetricKeyDetails?.namedCurve ?? "");
  const curve = curves.find((one) => one.name === name);
  if (curve === undefined) {
    return undefined;
  }
  const { x = "", y = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return readPlainKey(
    ecdsaType(curve),
    new WireReader(Buffer.concat([wireString(curve.name), wireString(point)])),
  );
}
