/** What's known about a signature. `status` is git's `%G?`; only "G" means good, and by somebody trusted. */
export interface KeyVerdict {
  readonly status: "G" | "B" | "U" | "X" | "Y" | "R" | "E" | "N";
  /** git's `%GK`; "" if the signature names no key, or if there's no signature. */
  readonly key: string;
  /** Whose key it is, if that's known. */
  readonly signer?: string;
  /** A phrase for people that says why the status isn't "G". */
  readonly reason: string;
}

/** A verdict, and whether it's enough for what was synced before. */
export interface Verdict extends KeyVerdict {
  /**
   * True if `git verify-commit` and `git verify-tag` accept the signature. Unlike for new commits, that doesn't take
   * trust in an OpenPGP key, but it does take an allowed SSH key.
   */
  readonly accepted: boolean;
}

/** Signed bytes, and the signature that's kept beside them. */
export interface SignedData {
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

/** Verifies OpenPGP signatures. */
export interface KeyVerifier {
  /** Never rejects because of what's wrong with a signature: that's the verdict. */
  verify(signed: SignedData): Promise<KeyVerdict>;
}

/** A file with the keys that may make SSH signatures, in the form in which git gives it to ssh-keygen. */
export interface SignersFile {
  /** An absolute path, at which the content stays the same. */
  readonly path: string;
  /** The program that git starts as ssh-keygen; an absolute path. It must read all of its standard input. */
  readonly program: string;
  /** Two files with the same digest say the same. */
  readonly digest: string;
  /** Lines without effect because of a mistake, counted from 1. ssh-keygen complains of them again and again. */
  readonly faulty: ReadonlySet<number>;
}

/** Knows which keys may make SSH signatures. */
export interface AllowedSigners {
  /** What counts now. Rejects if it can't be read. */
  read(signal: AbortSignal): Promise<SignersFile>;
}

/** What verifies signatures of each kind. */
export interface SignatureVerifier {
  readonly openpgp: KeyVerifier;
  /** Undefined if no SSH signature is good. */
  readonly ssh?: AllowedSigners | undefined;
}

/** Signs with one key. */
export interface Signer {
  /** An armored signature to keep beside the data. Rejects if the key can't be used. */
  sign(data: Uint8Array): Promise<string>;
}
