import { createHash } from "node:crypto";
import { armor, dearmor } from "../../src/armor.ts";
import { WireReader, wireString, wireUint32 } from "../../src/wire.ts";

/** All fields of a signature, as they are written. */
export interface Fields {
  readonly magic: string;
  readonly version: number;
  readonly key: Buffer;
  readonly namespace: string;
  readonly reserved: string;
  readonly hash: string;
  readonly signature: Buffer;
  /** What follows the signature. */
  readonly rest: string;
}

/** The fields of a signature in text form, which has to be a good one. */
export function takeApart(text: string): Fields {
  const reader = new WireReader(dearmor(text));
  return {
    magic: reader.bytes(6).toString("latin1"),
    version: reader.uint32(),
    key: reader.string(),
    namespace: reader.text(),
    reserved: reader.text(),
    hash: reader.text(),
    signature: reader.string(),
    rest: "",
  };
}

/** A signature in text form, with the given fields. */
export function assemble(fields: Fields): string {
  const { magic, version, key, namespace, reserved, hash, signature, rest } = fields;
  return armor(
    Buffer.concat([
      Buffer.from(magic),
      wireUint32(version),
      ...[key, namespace, reserved, hash, signature].map((field) => wireString(field)),
      Buffer.from(rest),
    ]),
  );
}

/** A signature with some fields replaced. */
export function alter(text: string, fields: Partial<Fields>): string {
  return assemble({ ...takeApart(text), ...fields });
}

/** A signature with another public key or certificate, as in a .pub file. */
export function withKey(text: string, publicKey: string): string {
  return alter(text, { key: blobOf(publicKey) });
}

/** The bytes of a public key or a certificate in a .pub file. */
export function blobOf(publicKey: string): Buffer {
  return Buffer.from(publicKey.split(" ")[1] ?? "", "base64");
}

/** A git signature by a key, given its public key as in a .pub file and how it signs. */
export function craft(publicKey: string, data: string, sign: (message: Buffer) => Buffer): string {
  const message = Buffer.concat([
    Buffer.from("SSHSIG"),
    ...["git", "", "sha512", createHash("sha512").update(data).digest()].map((field) => wireString(field)),
  ]);
  return assemble({
    magic: "SSHSIG",
    version: 1,
    key: blobOf(publicKey),
    namespace: "git",
    reserved: "",
    hash: "sha512",
    signature: sign(message),
    rest: "",
  });
}
