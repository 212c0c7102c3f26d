import type { ImportedKey } from "./imported-key.ts";

/** Thrown by an import that could not use everything. Keys that could be used are in the keyring nevertheless. */
export class KeyImportError extends Error {
  override readonly name = "KeyImportError";
  /** The keys that were imported. */
  readonly imported: readonly ImportedKey[];

  constructor(problems: readonly string[], imported: readonly ImportedKey[]) {
    super(problems.join("; "));
    this.imported = imported;
  }
}

/** Thrown if no secret key can make a signature. The message is worded as gpg's, which git users know. */
export class SigningKeyError extends Error {
  override readonly name = "SigningKeyError";
}

/**
 * Why a message can't be decrypted: the keyring lacks the secret key, the content was changed or is damaged, it isn't
 * an OpenPGP message for a key, or anything else.
 */
export type DecryptionFailure = "no-key" | "modified" | "malformed" | "other";

/** Thrown if a message can't be decrypted. */
export class DecryptionError extends Error {
  override readonly name = "DecryptionError";
  readonly failure: DecryptionFailure;
  /** The IDs of the keys that the message is encrypted for. */
  readonly recipients: readonly string[];

  constructor(
    failure: DecryptionFailure,
    problem: string,
    recipients: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(problem, options);
    this.failure = failure;
    this.recipients = recipients;
  }
}
