import { Usage, usageOfAlgorithm } from "./algorithms.ts";
import { backSignatureIn } from "./back-signature.ts";
import { hex } from "./hex.ts";
import { type KeyBlock, type KeyPart, textOf, type UserId } from "./key-block.ts";
import { isMade } from "./made-signatures.ts";
import type { PublicKey } from "./public-key.ts";
import { hasExpired, isInTime, SelfSignatures } from "./self-signatures.ts";
import { type Signature, SignatureType } from "./signature.ts";
import { Subpacket, type Subpackets } from "./subpackets.ts";

/** What a key, or a subkey, is worth at some time, by the rules of gpg 2.2. Times are in seconds. */
export interface PartState {
  readonly part: KeyPart;
  readonly isPrimary: boolean;
  /** True if the owner has signed that it's theirs. */
  readonly valid: boolean;
  readonly revocation: Signature | undefined;
  /** When it expired. */
  readonly expired: number | undefined;
  /** Bits of Usage. */
  readonly usage: number;
  /** Whether a subkey has signed that it belongs to this key: "missing", "bad", or "good". */
  readonly crossCertification: "missing" | "bad" | "good";
}

/** What a user ID is worth at some time. */
export interface UserIdState {
  readonly text: string;
  /** False if it's revoked, expired, or never was certified. */
  readonly valid: boolean;
}

/** What a whole key is worth at some time. */
export interface BlockState {
  readonly block: KeyBlock;
  /** The primary key first. */
  readonly parts: readonly PartState[];
  readonly userIds: readonly UserIdState[];
  /** The text of the user ID that stands for the key, if it has a user ID. */
  readonly primaryUserId: string | undefined;
}

/** What judging a key depends on. */
export interface Circumstances {
  /** In seconds since the epoch. */
  readonly now: number;
  /** Finds the key of a designated revoker. */
  findKey(keyId: string): PublicKey | undefined;
}

/** Determines what a key is worth. */
export function judge(block: KeyBlock, circumstances: Circumstances): BlockState {
  const own = new SelfSignatures(block, circumstances.now);
  const userIds = block.userIds.map((userId) => judgeUserId(userId, own, circumstances.now));
  const primary = judgePrimary({ block, own, userIds, circumstances });
  const subkeys = block.subkeys.map((part) =>
    withPrimary(judgeSubkey(part, own, circumstances.now), primary),
  );
  return {
    block,
    parts: [primary, ...subkeys],
    userIds: userIds.map(({ userId, isUsable }) => ({ text: textOf(userId), valid: isUsable })),
    primaryUserId: primaryUserIdOf(userIds),
  };
}

interface JudgedUserId {
  readonly userId: UserId;
  /** The newest self-signature. */
  readonly signature: Signature | undefined;
  readonly isUsable: boolean;
}

function judgeUserId(userId: UserId, own: SelfSignatures, now: number): JudgedUserId {
  const signature = own.newestOfUserId(userId);
  const isUsable =
    signature !== undefined &&
    signature.type !== SignatureType.certificationRevocation &&
    !hasExpired(signature, now);
  return { userId, signature, isUsable };
}

interface PrimaryInput {
  readonly block: KeyBlock;
  readonly own: SelfSignatures;
  readonly userIds: readonly JudgedUserId[];
  readonly circumstances: Circumstances;
}

function judgePrimary({ block, own, userIds, circumstances }: PrimaryInput): PartState {
  const { key, signatures } = block.primary;
  const { now } = circumstances;
  const direct = own.ofPrimary(signatures, SignatureType.directKey);
  const newestDirect = direct
    .filter((each) => !hasExpired(each, now))
    .reduce<Signature | undefined>(
      (newest, each) => (newest === undefined || each.created >= newest.created ? each : newest),
      undefined,
    );
  const usable = userIds.flatMap(({ signature, isUsable }) => (isUsable && signature ? [signature] : []));
  const expires = keyExpiry(key, newestDirect) ?? newestExpiry(key, usable);
  return {
    part: block.primary,
    isPrimary: true,
    valid: newestDirect !== undefined || userIds.some(({ signature }) => signature !== undefined),
    revocation:
      own.ofPrimary(signatures, SignatureType.keyRevocation).at(-1) ??
      designatedRevocation({ signatures, direct }, circumstances),
    expired: expires !== undefined && expires < now ? expires : undefined,
    usage: allowedUsage(key, usageIn(newestDirect?.hashed) || newestUsage(usable)) | Usage.certify,
    crossCertification: "good",
  };
}

function judgeSubkey(part: KeyPart, own: SelfSignatures, now: number): PartState {
  const { key, signatures } = part;
  const revocation = own.ofSubkey(signatures, SignatureType.subkeyRevocation).at(-1);
  const binding = own.newestBinding(signatures);
  const expires = keyExpiry(key, binding);
  return {
    part,
    isPrimary: false,
    valid: binding !== undefined && usageOfAlgorithm(key.algorithm) !== 0,
    revocation,
    expired: expires !== undefined && expires < now ? expires : undefined,
    usage: binding === undefined ? 0 : allowedUsage(key, usageIn(binding.hashed)),
    crossCertification: binding === undefined ? "missing" : crossCertificationOf(binding, key, own),
  };
}

/** A subkey is never worth more than its primary key. */
function withPrimary(subkey: PartState, primary: PartState): PartState {
  return {
    ...subkey,
    valid: subkey.valid && primary.valid,
    revocation: subkey.revocation ?? primary.revocation,
    expired: primary.expired ?? subkey.expired,
  };
}

/** When a key expires, according to one signature. */
function keyExpiry({ created }: PublicKey, signature: Signature | undefined): number | undefined {
  const lifetime = signature?.hashed.firstNumber(Subpacket.keyExpires);
  return lifetime === undefined ? undefined : created + lifetime;
}

/** When a key expires, according to its newest user ID that says so. */
function newestExpiry(key: PublicKey, userIds: readonly Signature[]): number | undefined {
  return keyExpiry(key, newest(userIds.filter((each) => keyExpiry(key, each) !== undefined)));
}

function newestUsage(userIds: readonly Signature[]): number {
  return usageIn(newest(userIds.filter(({ hashed }) => usageIn(hashed) !== 0))?.hashed);
}

/** Of the same age, the first. */
function newest(signatures: readonly Signature[]): Signature | undefined {
  return signatures.toSorted((one, other) => other.created - one.created)[0];
}

/** Marks flags that say "for nothing", as opposed to no flags at all. */
const forNothing = 32;

function usageIn(subpackets: Subpackets | undefined): number {
  const flags = subpackets?.first(Subpacket.keyFlags);
  if (flags === undefined) {
    return 0;
  }
  const [first = 0] = flags;
  const usage =
    ((first & 0x01) !== 0 ? Usage.certify : 0) |
    ((first & 0x02) !== 0 ? Usage.sign : 0) |
    ((first & 0x0c) !== 0 ? Usage.encrypt : 0) |
    ((first & 0x20) !== 0 ? Usage.authenticate : 0) |
    ((first & 0xd0) !== 0 ? Usage.other : 0);
  return usage || forNothing;
}

function allowedUsage({ algorithm }: PublicKey, flags: number): number {
  const possible = usageOfAlgorithm(algorithm);
  return flags === 0 ? possible : possible === 0 ? flags : flags & possible;
}

/** The signature by the subkey is inside the one by the primary key; the newest counts. */
function crossCertificationOf(
  binding: Signature,
  key: PublicKey,
  own: SelfSignatures,
): PartState["crossCertification"] {
  const back = backSignatureIn(binding);
  if (back === undefined) {
    return "missing";
  }
  return own.isBackSignatureGood(back, key) ? "good" : "bad";
}

interface Revocable {
  readonly signatures: readonly Signature[];
  readonly direct: readonly Signature[];
}

/** A revocation by another key, which the owner has allowed to revoke this one. */
function designatedRevocation(
  { signatures, direct }: Revocable,
  circumstances: Circumstances,
): Signature | undefined {
  const revokers = new Set(
    direct.flatMap(({ hashed }) => hashed.all(Subpacket.revocationKey)).flatMap(revokerIn),
  );
  return signatures.find((each) => {
    if (each.type !== SignatureType.keyRevocation || !revokers.has(each.issuer)) {
      return false;
    }
    const revoker = circumstances.findKey(each.issuer);
    return revoker !== undefined && isInTime(revoker, each, circumstances.now) && isMade(each);
  });
}

/** The key ID of a revoker. The subpacket has a class, an algorithm, and a fingerprint. */
function revokerIn(value: Uint8Array): readonly string[] {
  return value.length === 22 && ((value[0] ?? 0) & 0x80) !== 0 ? [hex(value.subarray(14))] : [];
}

/** The newest valid user ID that is marked as primary, or else the newest valid one, or else the first. */
function primaryUserIdOf(userIds: readonly JudgedUserId[]): string | undefined {
  const usable = userIds.filter(({ isUsable }) => isUsable);
  const marked = usable.filter(({ signature }) => signature?.hashed.first(Subpacket.primaryUserId)?.[0]);
  const [chosen] = (marked.length > 0 ? marked : usable).toSorted(
    (one, other) => (other.signature?.created ?? 0) - (one.signature?.created ?? 0),
  );
  const userId = chosen ?? userIds[0];
  return userId === undefined ? undefined : textOf(userId.userId);
}
