/** What is known about a signature, in git's terms. */
export interface Verdict {
  /**
   * git's `%G?`: `G` if the signer is known and may sign, `U` if the signature is good but not by a signer who may sign,
   * and `B` if it's bad.
   */
  readonly status: "G" | "U" | "B";
  /** git's `%GK`: the fingerprint of the key, such as `SHA256:…`; empty if the signature is bad. */
  readonly key: string;
  /** git's `%GS`: the principal, which is a pattern if the file has one. Only if the status is `G`. */
  readonly signer?: string;
  /** Why, in words for people. */
  readonly reason: string;
}
