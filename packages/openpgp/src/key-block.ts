import type { SecretKeyPacket } from "openpgp";
import type { PublicKey } from "./public-key.ts";
import type { Signature } from "./signature.ts";

/** A key, or one of its subkeys, and the secret part if the keyring has it. */
export interface KeyPart {
  readonly key: PublicKey;
  readonly signatures: readonly Signature[];
  /** Not protected by a passphrase. */
  readonly secret?: SecretKeyPacket;
}

/** A name of a key's owner, and what vouches for it. */
export interface UserId {
  readonly bytes: Uint8Array;
  readonly signatures: readonly Signature[];
}

/** A primary key with everything that belongs to it. A value: a merge makes a new one. */
export interface KeyBlock {
  readonly primary: KeyPart;
  readonly userIds: readonly UserId[];
  readonly subkeys: readonly KeyPart[];
}

/** The primary key, and then the subkeys. */
export function partsOf(block: KeyBlock): readonly KeyPart[] {
  return [block.primary, ...block.subkeys];
}

/** The text of a user ID. */
export function textOf({ bytes }: UserId): string {
  return Buffer.from(bytes).toString("utf8");
}

/** What is known of a key from two sources. */
export function mergeBlocks(one: KeyBlock, other: KeyBlock): KeyBlock {
  return {
    primary: mergeParts(one.primary, other.primary),
    userIds: mergeLists(one.userIds, other.userIds, ({ bytes }) => latin1(bytes), mergeUserIds),
    subkeys: mergeLists(one.subkeys, other.subkeys, ({ key }) => key.fingerprint, mergeParts),
  };
}

function mergeParts(one: KeyPart, other: KeyPart): KeyPart {
  const secret = one.secret ?? other.secret;
  const signatures = mergeSignatures(one.signatures, other.signatures);
  return { key: one.key, signatures, ...(secret === undefined ? {} : { secret }) };
}

function mergeUserIds(one: UserId, other: UserId): UserId {
  return { bytes: one.bytes, signatures: mergeSignatures(one.signatures, other.signatures) };
}

function mergeSignatures(one: readonly Signature[], other: readonly Signature[]): readonly Signature[] {
  return mergeLists(
    one,
    other,
    ({ body }) => latin1(body),
    (kept) => kept,
  );
}

function mergeLists<T>(
  one: readonly T[],
  other: readonly T[],
  ...[identify, merge]: readonly [(item: T) => string, (one: T, other: T) => T]
): readonly T[] {
  const merged = new Map<string, T>();
  for (const item of [...one, ...other]) {
    const identity = identify(item);
    const kept = merged.get(identity);
    merged.set(identity, kept === undefined ? item : merge(kept, item));
  }
  return [...merged.values()];
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
