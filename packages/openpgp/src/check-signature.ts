import { type Config, config, enums } from "openpgp";
import { Algorithm, hashOf } from "./algorithms.ts";
import { coordinateLength, isCurveNative } from "./curves.ts";
import { numberIn, type PublicKey } from "./public-key.ts";
import type { Signature } from "./signature.ts";

/** Whether a signature matches: "good", "bad", or why that can't be said. */
export type Check = "good" | "bad" | { readonly unchecked: string };

/** Checks whether a key made a signature of some data. Looks neither at times nor at what the key is for. */
export async function checkSignature(
  key: PublicKey,
  signature: Signature,
  data: readonly Uint8Array[],
): Promise<Check> {
  const hash = hashOf(signature.hash);
  if (hash === undefined) {
    return { unchecked: `the hash function with number ${signature.hash} isn't supported` };
  }
  if (hash.weak === true) {
    return { unchecked: `${hash.title} is too weak for signatures` };
  }
  const problem = hashProblem(key, hash.length) ?? exponentProblem(key);
  if (problem !== undefined) {
    return { unchecked: problem };
  }
  return !signature.hasUnknownCritical && (await isMatch(key, signature, Buffer.concat(data)))
    ? "good"
    : "bad";
}

/** gpg doesn't accept digests that are shorter than the numbers they are signed with. */
function hashProblem(key: PublicKey, digest: number): string | undefined {
  const needed =
    key.algorithm === Algorithm.dsa
      ? numberIn(key, "q").length
      : key.algorithm === Algorithm.ecdsa
        ? Math.min(coordinateLength(key.packet), 64)
        : 0;
  return digest < needed ? "its hash function is too weak for the key" : undefined;
}

/** Nobody has a larger exponent, and it would take openpgp.js seconds to use one. */
function exponentProblem(key: PublicKey): string | undefined {
  return numberIn(key, "e").length > 8 ? "the key's exponent is too large" : undefined;
}

/** gpg's rules decide, so openpgp.js needs none of its own. */
const withoutRules: Config = {
  ...config,
  rejectHashAlgorithms: new Set(),
  rejectMessageHashAlgorithms: new Set(),
};

async function isMatch(key: PublicKey, { packet }: Signature, data: Uint8Array): Promise<boolean> {
  // The key was found as gpg finds it, which may be by a fingerprint without a key ID.
  packet.issuerKeyID = key.packet.getKeyID();
  packet.isCurveForeign = !isCurveNative(key.packet);
  try {
    await packet.verify(
      key.packet,
      packet.signatureType ?? enums.signature.binary,
      data,
      undefined,
      true,
      withoutRules,
    );
    return true;
  } catch {
    // It doesn't match, or the key or the signature has numbers that make no sense.
    return false;
  }
}
