/** What git can be told about a signature. `status` is git's `%G?`; only "G" means good, and by somebody trusted. */
export interface Verdict {
  readonly status: "G" | "B" | "U" | "X" | "Y" | "R" | "E" | "N";
  /** git's `%GK`; "" if the signature names no key, or if there's no signature. */
  readonly key: string;
  /** Whose key it is, if that's known. */
  readonly signer?: string;
  /** A phrase for people that says why the status isn't "G". */
  readonly reason: string;
}

/** Signed bytes, and the signature that's kept beside them. */
export interface SignedData {
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
  /** The time of the committer or tagger, at which SSH keys must be valid; undefined if it can't be read. */
  readonly at?: Date | undefined;
}

/** Verifies signatures. */
export interface SignatureVerifier {
  /** Reads keys again that may have changed; resolves to true if they have, so that earlier verdicts no longer count. */
  reload?(signal: AbortSignal): Promise<boolean>;
  /** Never rejects because of what's wrong with a signature: that's the verdict. */
  verify(signed: SignedData): Promise<Verdict>;
}

/** Signs with one key. */
export interface Signer {
  /** An armored signature to keep beside the data. Rejects if the key can't be used. */
  sign(data: Uint8Array): Promise<string>;
}

/**
 * True for a signature that `git verify-commit` and `git verify-tag` accept. Unlike the check of new commits, they
 * don't require that the key is trusted.
 */
export function isAccepted({ status }: Verdict): boolean {
  return status === "G" || status === "U";
}
