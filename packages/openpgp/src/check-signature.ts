import { createHash, createVerify, type KeyObject, verify } from "node:crypto";
import { Algorithm, hashOf } from "./algorithms.ts";
import { coordinateLength } from "./curves.ts";
import type { PublicKey } from "./public-key.ts";
import type { Signature } from "./signature.ts";
import { verificationKey } from "./verification-key.ts";

/** Whether a signature matches: "good", "bad", or why that can't be said. */
export type Check = "good" | "bad" | { readonly unchecked: string };

/** Checks whether a key made a signature of some data. Looks neither at times nor at what the key is for. */
export function checkSignature(key: PublicKey, signature: Signature, data: readonly Uint8Array[]): Check {
  const hash = hashOf(signature.hash);
  if (hash === undefined) {
    return { unchecked: `the hash function with number ${signature.hash} isn't supported` };
  }
  if (hash.weak === true) {
    return { unchecked: `${hash.title} is too weak for signatures` };
  }
  const object = verificationKey(key);
  if (object === undefined) {
    return { unchecked: "the key's algorithm isn't supported" };
  }
  const problem = hashProblem(key, hash.length);
  if (problem !== undefined) {
    return { unchecked: problem };
  }
  const isGood = matches({ key, object, signature, hash: hash.name, signed: [...data, signature.trailer] });
  return isGood && !signature.hasUnknownCritical ? "good" : "bad";
}

/** gpg doesn't accept digests that are shorter than the numbers they are signed with. */
function hashProblem({ algorithm, values }: PublicKey, digest: number): string | undefined {
  const [first = empty, second = empty] = values;
  const needed =
    algorithm === Algorithm.dsa
      ? second.length
      : algorithm === Algorithm.ecdsa
        ? Math.min(coordinateLength(first) ?? 0, 64)
        : 0;
  return digest < needed ? "its hash function is too weak for the key" : undefined;
}

interface Match {
  readonly key: PublicKey;
  readonly object: KeyObject;
  readonly signature: Signature;
  readonly hash: string;
  readonly signed: readonly Uint8Array[];
}

function matches({ key, object, signature, hash, signed }: Match): boolean {
  const encoded = encodeValues(key, signature.values);
  if (encoded === undefined) {
    return false;
  }
  if (key.algorithm === Algorithm.eddsa) {
    const digest = createHash(hash);
    signed.forEach((bytes) => digest.update(bytes));
    return verify(null, digest.digest(), object, encoded);
  }
  const verifier = createVerify(hash);
  signed.forEach((bytes) => verifier.update(bytes));
  try {
    return verifier.verify({ key: object, dsaEncoding: "ieee-p1363" }, encoded);
  } catch {
    // OpenSSL refuses to work with some keys, for example with a modulus that is too long.
    return false;
  }
}

/** The numbers of a signature, each as long as `node:crypto` wants it; undefined if they don't fit. */
function encodeValues(
  { algorithm, values }: PublicKey,
  numbers: readonly Uint8Array[],
): Uint8Array | undefined {
  const [first = empty, second = empty] = values;
  switch (algorithm) {
    case Algorithm.rsa:
    case Algorithm.rsaSign:
      return join(numbers.slice(0, 1), 1, significant(first).length);
    case Algorithm.dsa:
      return join(numbers, 2, significant(second).length);
    case Algorithm.ecdsa:
      return join(numbers, 2, coordinateLength(first) ?? 0);
    case Algorithm.eddsa:
      return join(numbers, 2, 32);
    default:
      return undefined;
  }
}

function join(numbers: readonly Uint8Array[], count: number, length: number): Uint8Array | undefined {
  const digits = numbers.map(significant);
  if (digits.length !== count || digits.some((each) => each.length > length || each.length === 0)) {
    return undefined;
  }
  const joined = Buffer.alloc(count * length);
  digits.forEach((each, index) => joined.set(each, (index + 1) * length - each.length));
  return joined;
}

function significant(number: Uint8Array): Uint8Array {
  const start = number.findIndex((byte) => byte !== 0);
  return start === -1 ? empty : number.subarray(start);
}

const empty = new Uint8Array();
