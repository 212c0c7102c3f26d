import { checkSignature } from "./check-signature.ts";
import type { KeyBlock, UserId } from "./key-block.ts";
import type { PublicKey } from "./public-key.ts";
import { type Signature, SignatureType } from "./signature.ts";

/**
 * Signatures that a key has made of its own parts. Each is checked once, whatever it is asked for later.
 * `now` is in seconds since the epoch: a key from the future has signed nothing.
 */
export class SelfSignatures {
  readonly #primary: PublicKey;
  readonly #now: number;

  constructor(block: KeyBlock, now: number) {
    this.#primary = block.primary.key;
    this.#now = now;
  }

  /** The valid ones of the primary key itself: direct-key signatures and revocations. */
  ofPrimary(signatures: readonly Signature[], type: number): readonly Signature[] {
    return this.#valid(signatures, [type], [this.#primary.hashed]);
  }

  /** The valid ones of a subkey. */
  ofSubkey(signatures: readonly Signature[], subkey: PublicKey, type: number): readonly Signature[] {
    return this.#valid(signatures, [type], [this.#primary.hashed, subkey.hashed]);
  }

  /** The newest valid one of a user ID, which may be its revocation. */
  newestOfUserId({ bytes, signatures }: UserId): Signature | undefined {
    const newestFirst = byAge(signatures.filter((each) => this.#isOwn(each) && isAboutUserId(each)));
    return newestFirst.find((each) =>
      this.#isGood(each, [this.#primary.hashed, ...hashedUserId(bytes, each)]),
    );
  }

  /** The newest valid one that binds a subkey to the key, unless it has expired. */
  newestBinding(signatures: readonly Signature[], subkey: PublicKey): Signature | undefined {
    const bindings = signatures.filter(
      (each) => this.#isOwn(each) && each.type === SignatureType.subkeyBinding,
    );
    const binding = byAge(bindings).find((each) => this.#isGood(each, [this.#primary.hashed, subkey.hashed]));
    return binding === undefined || hasExpired(binding, this.#now) ? undefined : binding;
  }

  /** True if a subkey has signed that it belongs to the primary key. */
  isBackSignatureGood(signature: Signature, subkey: PublicKey): boolean {
    return (
      isInTime(subkey, signature, this.#now) &&
      isMade(subkey, signature, [this.#primary.hashed, subkey.hashed])
    );
  }

  #valid(
    signatures: readonly Signature[],
    types: readonly number[],
    signed: readonly Uint8Array[],
  ): readonly Signature[] {
    return signatures.filter(
      (each) => this.#isOwn(each) && types.includes(each.type) && this.#isGood(each, signed),
    );
  }

  #isOwn({ issuer }: Signature): boolean {
    return issuer === this.#primary.keyId;
  }

  #isGood(signature: Signature, signed: readonly Uint8Array[]): boolean {
    return isInTime(this.#primary, signature, this.#now) && isMade(this.#primary, signature, signed);
  }
}

/** True if neither the key is newer than the signature, nor from the future. */
export function isInTime(key: PublicKey, signature: Signature, now: number): boolean {
  return key.created <= signature.created && key.created <= now;
}

/** True if the signature says that it is no longer valid. */
export function hasExpired({ expires }: Signature, now: number): boolean {
  return expires !== undefined && expires <= now;
}

const made = new WeakMap<Signature, boolean>();

/** A signature belongs to one place of one key, so the answer never changes. */
function isMade(key: PublicKey, signature: Signature, signed: readonly Uint8Array[]): boolean {
  let answer = made.get(signature);
  if (answer === undefined) {
    answer = checkSignature(key, signature, signed) === "good";
    made.set(signature, answer);
  }
  return answer;
}

function isAboutUserId({ type }: Signature): boolean {
  return (
    (type >= SignatureType.certification && type <= SignatureType.positiveCertification) ||
    type === SignatureType.certificationRevocation
  );
}

/** Newest first, and of the same age, the last first. */
function byAge(signatures: readonly Signature[]): readonly Signature[] {
  return signatures.toReversed().toSorted((one, other) => other.created - one.created);
}

function hashedUserId(bytes: Uint8Array, { version }: Signature): readonly Uint8Array[] {
  if (version < 4) {
    return [bytes];
  }
  const header = Buffer.alloc(5);
  header[0] = 0xb4;
  header.writeUInt32BE(bytes.length, 1);
  return [header, bytes];
}
