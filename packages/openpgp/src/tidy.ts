import type { KeyBlock, KeyPart } from "./key-block.ts";
import { checkOwnSignatures } from "./made-signatures.ts";
import { SelfSignatures } from "./self-signatures.ts";
import { type Signature, SignatureType } from "./signature.ts";

/** More signatures of its own than any real key has. Each is checked, which takes time. */
const mostSignatures = 1_000;

/** What an import of a key depends on. */
export interface TidyOptions {
  /** In seconds since the epoch. */
  readonly now: number;
  /** True if the keyring has the key already: then it may come without user IDs. */
  readonly isKnown: boolean;
}

/**
 * What a keyring keeps of a key: what the owner has signed. The signatures of others say nothing about the key here,
 * except revocations. Returns the problem if the key can't be used.
 */
export async function tidy(block: KeyBlock, { now, isKnown }: TidyOptions): Promise<KeyBlock | string> {
  const { key } = block.primary;
  const relevant = withoutForeign(block);
  if (countSignatures(relevant) > mostSignatures) {
    return `the key ${key.keyId} has more than ${mostSignatures} signatures of its own`;
  }
  if (key.created > now) {
    return `the key ${key.keyId} was created in the future: check the clock of this machine`;
  }
  await checkOwnSignatures(relevant);
  const own = new SelfSignatures(block, now);
  const userIds = relevant.userIds.filter((userId) => own.newestOfUserId(userId) !== undefined);
  if (userIds.length === 0 && !isKnown) {
    return block.userIds.length === 0
      ? `the key ${key.keyId} has no user ID`
      : `the key ${key.keyId} has no user ID with a valid self-signature`;
  }
  return { ...relevant, userIds };
}

function withoutForeign(block: KeyBlock): KeyBlock {
  const { keyId } = block.primary.key;
  const isRelevant = ({ issuer, type }: Signature): boolean =>
    issuer === keyId || type === SignatureType.keyRevocation;
  const relevantOf = <T extends { readonly signatures: readonly Signature[] }>(owner: T): T => ({
    ...owner,
    signatures: owner.signatures.filter(isRelevant),
  });
  return {
    primary: relevantOf(block.primary),
    userIds: block.userIds.map(relevantOf),
    subkeys: block.subkeys.map((subkey: KeyPart) => relevantOf(subkey)),
  };
}

function countSignatures({ primary, userIds, subkeys }: KeyBlock): number {
  return [primary, ...userIds, ...subkeys].reduce((total, { signatures }) => total + signatures.length, 0);
}
