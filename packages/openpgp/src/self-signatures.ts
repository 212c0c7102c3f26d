import type { KeyBlock, UserId } from "./key-block.ts";
import { isMade } from "./made-signatures.ts";
import type { PublicKey } from "./public-key.ts";
import { isAboutUserId, type Signature, SignatureType } from "./signature.ts";

/**
 * Signatures that a key has made of its own parts. They have been checked when the key was imported.
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
    return this.#valid(signatures, type);
  }

  /** The valid ones of a subkey. */
  ofSubkey(signatures: readonly Signature[], type: number): readonly Signature[] {
    return this.#valid(signatures, type);
  }

  /** The newest valid one of a user ID, which may be its revocation. */
  newestOfUserId({ signatures }: UserId): Signature | undefined {
    const newestFirst = byAge(signatures.filter((each) => this.#isOwn(each) && isAboutUserId(each)));
    return newestFirst.find((each) => this.#isGood(each));
  }

  /** The newest valid one that binds a subkey to the key, unless it has expired. */
  newestBinding(signatures: readonly Signature[]): Signature | undefined {
    const bindings = signatures.filter(
      (each) => this.#isOwn(each) && each.type === SignatureType.subkeyBinding,
    );
    const binding = byAge(bindings).find((each) => this.#isGood(each));
    return binding === undefined || hasExpired(binding, this.#now) ? undefined : binding;
  }

  /** True if a subkey has signed that it belongs to the primary key. */
  isBackSignatureGood(signature: Signature, subkey: PublicKey): boolean {
    return isInTime(subkey, signature, this.#now) && isMade(signature);
  }

  #valid(signatures: readonly Signature[], type: number): readonly Signature[] {
    return signatures.filter((each) => this.#isOwn(each) && each.type === type && this.#isGood(each));
  }

  #isOwn({ issuer }: Signature): boolean {
    return issuer === this.#primary.keyId;
  }

  #isGood(signature: Signature): boolean {
    return isInTime(this.#primary, signature, this.#now) && isMade(signature);
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

/** Newest first, and of the same age, the last first. */
function byAge(signatures: readonly Signature[]): readonly Signature[] {
  return signatures.toReversed().toSorted((one, other) => other.created - one.created);
}
