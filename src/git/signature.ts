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
  /** The time of the committer or tagger, at which SSH keys must be valid; undefined if it can't be read. */
  readonly at?: Date | undefined;
}

/** Verifies signatures of one kind. */
export interface KeyVerifier {
  /** Reads keys again that may have changed; resolves to true if they have, so that earlier verdicts no longer count. */
  reload?(signal: AbortSignal): Promise<boolean>;
  /** Never rejects because of what's wrong with a signature: that's the verdict. */
  verify(signed: SignedData): Promise<KeyVerdict>;
}

/** Verifies signatures of any kind. */
export interface SignatureVerifier extends KeyVerifier {
  verify(signed: SignedData): Promise<Verdict>;
}

/** Signs with one key. */
export interface Signer {
  /** An armored signature to keep beside the data. Rejects if the key can't be used. */
  sign(data: Uint8Array): Promise<string>;
}
