/** Thrown by an import: the bytes aren't OpenPGP keys, or none of the keys can be used. */
export class KeyImportError extends Error {
  override readonly name = "KeyImportError";
}

/** Thrown if no secret key can make a signature. The message is worded as gpg's, which git users know. */
export class SigningKeyError extends Error {
  override readonly name = "SigningKeyError";
}

/** Thrown if a message can't be decrypted. */
export class DecryptionError extends Error {
  override readonly name = "DecryptionError";
  /** The IDs of the keys that the message is encrypted for. */
  readonly recipients: readonly string[];

  constructor(problem: string, recipients: readonly string[] = [], options?: ErrorOptions) {
    super(problem, options);
    this.recipients = recipients;
  }
}
