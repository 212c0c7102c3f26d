/** A file can't be revealed, or the repository isn't set up for git-secret. The message is what git-secret prints. */
export class GitSecretError extends Error {
  override readonly name = "GitSecretError";

  constructor(message: string, options?: ErrorOptions) {
    super(`${message}\n`, options);
  }
}

/**
 * Why a message can't be decrypted: its key isn't there, it was changed after it was encrypted, it isn't an OpenPGP
 * message, or anything else.
 */
export type DecryptionFailure = "no-key" | "modified" | "malformed" | "other";

/** A message can't be decrypted. The message says why, without any of the content. */
export class DecryptionError extends Error {
  override readonly name = "DecryptionError";
  readonly failure: DecryptionFailure;

  constructor(failure: DecryptionFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
