import { Algorithm } from "../algorithms.ts";
import { integerOf } from "../integer.ts";
import type { PublicKey } from "../public-key.ts";

/** The body of a secret packet that isn't protected, made of a public key and its secret numbers. */
export function secretBodyOf(
  key: PublicKey,
  secrets: ReadonlyMap<string, Uint8Array>,
): Uint8Array | undefined {
  const numbers = namesFor(key.algorithm).map((name) => secrets.get(name));
  if (numbers.length === 0 || numbers.includes(undefined)) {
    return undefined;
  }
  const content = Buffer.concat(numbers.map((number = new Uint8Array()) => integerOf(number)));
  const sum = Buffer.alloc(2);
  sum.writeUInt16BE(content.reduce((total, byte) => (total + byte) & 0xffff, 0));
  return Buffer.concat([key.hashed.subarray(3), Uint8Array.of(0), content, sum]);
}

function namesFor(algorithm: number): readonly string[] {
  switch (algorithm) {
    case Algorithm.rsa:
    case Algorithm.rsaEncrypt:
    case Algorithm.rsaSign:
      return ["d", "p", "q", "u"];
    case Algorithm.dsa:
    case Algorithm.elgamal:
      return ["x"];
    case Algorithm.ecdsa:
    case Algorithm.eddsa:
    case Algorithm.ecdh:
      return ["d"];
    default:
      return [];
  }
}
