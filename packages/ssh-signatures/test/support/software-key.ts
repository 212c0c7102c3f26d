import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { wireInteger, wireString, wireUint32 } from "../../src/wire.ts";
import { craft } from "./craft.ts";

/** What a certificate says. */
export interface CertificateFields {
  readonly principals: readonly string[];
  /** Seconds since 1970. */
  readonly validAfter: number;
  readonly validBefore: number;
}

/** A key that signs in this process, for tests without ssh-keygen. */
export class SoftwareKey {
  readonly #kind: "ed25519" | "ecdsa" | "rsa";
  readonly #privateKey: KeyObject;

  constructor(kind: "ed25519" | "ecdsa" | "rsa") {
    this.#kind = kind;
    this.#privateKey = createKey(kind);
  }

  /** The file with the private key. */
  get pem(): string {
    return this.#privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  }

  /** The file with the private key, in OpenSSH's format. */
  get openSsh(): string {
    const { d = "", p = "", q = "", qi = "" } = this.#privateKey.export({ format: "jwk" });
    const numbers = {
      ed25519: [wireString(Buffer.concat([decode(d), this.#fields[0]?.subarray(4) ?? Buffer.of()]))],
      ecdsa: [wireInteger(withoutZeros(decode(d)))],
      rsa: [d, qi, p, q].map((text) => wireInteger(withoutZeros(decode(text)))),
    }[this.#kind];
    // An RSA key has its modulus before its exponent here.
    const fields = this.#kind === "rsa" ? this.#fields.toReversed() : this.#fields;
    const check = Buffer.alloc(8, 7);
    const secret = Buffer.concat([
      check,
      wireString(this.#type),
      ...fields,
      ...numbers,
      wireString("comment"),
    ]);
    const padding = Buffer.of(1, 2, 3, 4, 5, 6, 7).subarray(0, -secret.length & 7);
    const file = Buffer.concat([
      Buffer.from("openssh-key-v1\0"),
      ...["none", "none", ""].map((field) => wireString(field)),
      wireUint32(1),
      wireString(Buffer.concat([wireString(this.#type), ...this.#fields])),
      wireString(Buffer.concat([secret, padding])),
    ]);
    const lines = file.toString("base64").match(/.{1,70}/g) ?? [];
    return ["-----BEGIN OPENSSH PRIVATE KEY-----", ...lines, "-----END OPENSSH PRIVATE KEY-----", ""].join(
      "\n",
    );
  }

  get publicKey(): string {
    return printKey([wireString(this.#type), ...this.#fields]);
  }

  /** A git signature. */
  sign(data: string, publicKey: string = this.publicKey): string {
    return craft(publicKey, data, (message) => this.#signRaw(message));
  }

  /** A certificate for this key. */
  certify(authority: SoftwareKey, { principals, validAfter, validBefore }: CertificateFields): string {
    const body = Buffer.concat([
      wireString(`${this.#type}-cert-v01@openssh.com`),
      wireString("random"),
      ...this.#fields,
      uint64(1),
      wireUint32(1),
      wireString("id"),
      wireString(Buffer.concat(principals.map((principal) => wireString(principal)))),
      uint64(validAfter),
      uint64(validBefore),
      wireString(""),
      wireString(Buffer.concat([wireString("permit-pty"), wireString("")])),
      wireString(""),
      wireString(Buffer.from(authority.publicKey.split(" ")[1] ?? "", "base64")),
    ]);
    return printKey([body, wireString(authority.#signRaw(body))]);
  }

  get #type(): string {
    return { ed25519: "ssh-ed25519", ecdsa: "ecdsa-sha2-nistp256", rsa: "ssh-rsa" }[this.#kind];
  }

  get #fields(): readonly Buffer[] {
    const { x = "", y = "", n = "", e = "" } = createPublicKey(this.#privateKey).export({ format: "jwk" });
    switch (this.#kind) {
      case "ed25519":
        return [wireString(decode(x))];
      case "ecdsa":
        return [wireString("nistp256"), wireString(Buffer.concat([Buffer.of(4), decode(x), decode(y)]))];
      case "rsa":
        return [wireInteger(decode(e)), wireInteger(decode(n))];
    }
  }

  #signRaw(message: Buffer): Buffer {
    switch (this.#kind) {
      case "ed25519":
        return rawSignature(this.#type, sign(null, message, this.#privateKey));
      case "ecdsa": {
        const raw = sign("sha256", message, { key: this.#privateKey, dsaEncoding: "ieee-p1363" });
        const numbers = [raw.subarray(0, 32), raw.subarray(32)].map(ecdsaNumber);
        return rawSignature(this.#type, Buffer.concat(numbers));
      }
      case "rsa":
        return rawSignature("rsa-sha2-512", sign("sha512", message, this.#privateKey));
    }
  }
}

/** A number of an ECDSA signature. */
export function ecdsaNumber(digits: Buffer): Buffer {
  return wireInteger(withoutZeros(digits));
}

function createKey(kind: "ed25519" | "ecdsa" | "rsa"): KeyObject {
  switch (kind) {
    case "ed25519":
      return generateKeyPairSync("ed25519").privateKey;
    case "ecdsa":
      return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    case "rsa":
      return generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
  }
}

function printKey(parts: readonly Buffer[]): string {
  const blob = Buffer.concat(parts);
  const typeLength = blob.readUInt32BE();
  return `${blob.toString("latin1", 4, 4 + typeLength)} ${blob.toString("base64")}`;
}

function withoutZeros(digits: Buffer): Buffer {
  return digits.subarray(digits.findIndex((digit) => digit !== 0));
}

function decode(base64url: string): Buffer {
  return Buffer.from(base64url, "base64url");
}

function rawSignature(algorithm: string, body: Buffer): Buffer {
  return Buffer.concat([wireString(algorithm), wireString(body)]);
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
