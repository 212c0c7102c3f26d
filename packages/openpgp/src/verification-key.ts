import { createPublicKey, type KeyObject } from "node:crypto";
import { Algorithm } from "./algorithms.ts";
import { coordinateLength, isEd25519, oids } from "./curves.ts";
import { bitString, integer, nothing, oid, sequence } from "./der.ts";
import type { PublicKey } from "./public-key.ts";

const known = new WeakMap<PublicKey, KeyObject | null>();

/** The key for `node:crypto`; undefined if it isn't one that can verify. */
export function verificationKey(key: PublicKey): KeyObject | undefined {
  let found = known.get(key);
  if (found === undefined) {
    found = createKey(key);
    known.set(key, found);
  }
  return found ?? undefined;
}

function createKey(key: PublicKey): KeyObject | null {
  const encoded = encodeKey(key);
  if (encoded === undefined) {
    return null;
  }
  try {
    return createPublicKey({ key: Buffer.from(encoded), format: "der", type: "spki" });
  } catch {
    // For example, a point that isn't on its curve.
    return null;
  }
}

function encodeKey({ algorithm, values }: PublicKey): Uint8Array | undefined {
  const [first = empty, second = empty, third = empty, fourth = empty] = values;
  switch (algorithm) {
    case Algorithm.rsa:
    case Algorithm.rsaSign:
      return sequence(
        sequence(oid(oids.rsaEncryption), nothing),
        bitString(sequence(integer(first), integer(second))),
      );
    case Algorithm.dsa:
      return sequence(
        sequence(oid(oids.dsa), sequence(integer(first), integer(second), integer(third))),
        bitString(integer(fourth)),
      );
    case Algorithm.ecdsa:
      return coordinateLength(first) === undefined
        ? undefined
        : sequence(sequence(oid(oids.ecPublicKey), oid(first)), bitString(second));
    case Algorithm.eddsa:
      return isEd25519(first) && second.length === 33 && second[0] === 0x40
        ? sequence(sequence(oid(oids.ed25519)), bitString(second.subarray(1)))
        : undefined;
    default:
      return undefined;
  }
}

const empty = new Uint8Array();
