import { createHash, createSign, type KeyObject, sign } from "node:crypto";
import type { Clock } from "@weir/base";
import { Algorithm } from "./algorithms.ts";
import { armor } from "./armor.ts";
import { coordinateLength } from "./curves.ts";
import type { SigningKey } from "./find-signing-key.ts";
import { integerOf } from "./integer.ts";
import { privateKeyOf } from "./private-key.ts";
import type { PublicKey } from "./public-key.ts";
import { SignatureType, trailerOf } from "./signature.ts";
import type { Signer } from "./signer.ts";
import { Subpacket } from "./subpackets.ts";

/** Signs with a key, as gpg does: the same hash functions, and the same attributes. */
export function createSigner({ part, mail }: SigningKey, clock: Pick<Clock, "now">): Signer {
  const { key } = part;
  const object = privateKeyOf(part);
  const hash = hashFor(key);
  return {
    sign(data) {
      const head = headOf({ key, mail, hash: hash.number, created: Math.floor(clock.now() / 1000) });
      const { digest, values } = makeValues({
        key,
        object,
        hash: hash.name,
        signed: [data, trailerOf(head)],
      });
      const body = Buffer.concat([
        head,
        area(subpacket(Subpacket.issuer, Buffer.from(key.keyId, "hex"))),
        digest.subarray(0, 2),
        ...values.map(integerOf),
      ]);
      return Promise.resolve(armor("SIGNATURE", packet(body)));
    },
  };
}

interface SigningHash {
  readonly number: number;
  readonly name: string;
}

const sha256: SigningHash = { number: 8, name: "sha256" };
const sha384: SigningHash = { number: 9, name: "sha384" };
const sha512: SigningHash = { number: 10, name: "sha512" };

/** Of the length that the key needs. */
function hashFor({ algorithm, values }: PublicKey): SigningHash {
  const [first = new Uint8Array()] = values;
  switch (algorithm) {
    case Algorithm.rsa:
    case Algorithm.rsaSign:
      return sha512;
    case Algorithm.ecdsa: {
      const length = coordinateLength(first) ?? 0;
      return length <= 32 ? sha256 : length <= 48 ? sha384 : sha512;
    }
    default:
      return sha256;
  }
}

interface Head {
  readonly key: PublicKey;
  readonly mail: string | undefined;
  readonly hash: number;
  readonly created: number;
}

/** The part of a signature that is itself signed. */
function headOf({ key, mail, hash, created }: Head): Buffer {
  const time = Buffer.alloc(4);
  time.writeUInt32BE(created);
  return Buffer.concat([
    Uint8Array.of(4, SignatureType.binary, key.algorithm, hash),
    area(
      subpacket(
        Subpacket.issuerFingerprint,
        Buffer.concat([Uint8Array.of(4), Buffer.from(key.fingerprint, "hex")]),
      ),
      subpacket(Subpacket.created, time),
      mail === undefined ? new Uint8Array() : subpacket(Subpacket.signersUserId, Buffer.from(mail)),
    ),
  ]);
}

function area(...subpackets: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(subpackets);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  return Buffer.concat([length, content]);
}

/** None of ours is longer than a mail address. */
function subpacket(type: number, value: Uint8Array): Buffer {
  const length = value.length + 1;
  const header = length < 192 ? [length, type] : [((length - 192) >> 8) + 192, (length - 192) & 0xff, type];
  return Buffer.concat([Uint8Array.from(header), value]);
}

interface Signing {
  readonly key: PublicKey;
  readonly object: KeyObject;
  readonly hash: string;
  readonly signed: readonly Uint8Array[];
}

interface Signed {
  readonly digest: Buffer;
  readonly values: readonly Uint8Array[];
}

function makeValues({ key, object, hash, signed }: Signing): Signed {
  const hasher = createHash(hash);
  signed.forEach((bytes) => hasher.update(bytes));
  const digest = hasher.digest();
  if (key.algorithm === Algorithm.eddsa) {
    return { digest, values: halves(sign(null, digest, object)) };
  }
  const signer = createSign(hash);
  signed.forEach((bytes) => signer.update(bytes));
  const made = signer.sign({ key: object, dsaEncoding: "ieee-p1363" });
  const isPair = key.algorithm === Algorithm.dsa || key.algorithm === Algorithm.ecdsa;
  return { digest, values: isPair ? halves(made) : [made] };
}

function halves(bytes: Buffer): readonly Uint8Array[] {
  return [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)];
}

/** With a header in the old format, as gpg writes it. */
function packet(body: Uint8Array): Buffer {
  const header = body.length < 256 ? [0x88, body.length] : [0x89, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Uint8Array.from(header), body]);
}
