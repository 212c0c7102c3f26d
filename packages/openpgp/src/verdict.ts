/**
 * What git shows as `%G?`, without trust levels below "U":
 *
 * - `G` good, by a key that the keyring trusts
 * - `U` good, by a key that the keyring doesn't trust
 * - `X` good, but the signature has expired
 * - `Y` good, but the key has expired
 * - `R` good, but the key has been revoked
 * - `B` bad: it doesn't match the data
 * - `E` can't be checked, for example because the key is missing
 */
export type VerdictStatus = "G" | "B" | "U" | "X" | "Y" | "R" | "E";

/** The result of a verification. Only `G` means that someone who is trusted signed these bytes. */
export interface Verdict {
  readonly status: VerdictStatus;
  /** What git shows as `%GK`: the key ID in 16 hexadecimal digits, or "" if the signature doesn't say. */
  readonly key: string;
  /** The primary user ID of the key, if the keyring has it. */
  readonly signer?: string;
  /** A phrase for people, such as "the key expired on 2024-05-01". */
  readonly reason: string;
}

/** Data, and a signature that is kept beside it. */
export interface SignedData {
  readonly data: Uint8Array;
  /** Armored or binary. */
  readonly signature: Uint8Array | string;
}
