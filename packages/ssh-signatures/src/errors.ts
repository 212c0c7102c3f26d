/** The bytes of a key or a signature don't have the format that they should have. The message names what is wrong. */
export class FormatError extends Error {
  override readonly name = "FormatError";
}

/** A file with allowed signers can't be used. The message names the file and what to do. */
export class AllowedSignersError extends Error {
  override readonly name = "AllowedSignersError";
  readonly file: string;

  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`allowed signers file ${file}: ${reason}`, options);
    this.file = file;
  }
}

/** A signing key can't be used. The message names the key and what to do, and contains nothing of the key itself. */
export class SigningKeyError extends Error {
  override readonly name = "SigningKeyError";
  /** The file, or whatever else the caller named. */
  readonly key: string;

  constructor(key: string, reason: string, options?: ErrorOptions) {
    super(`SSH signing key ${key}: ${reason}`, options);
    this.key = key;
  }
}
