import type { FluxdFlags } from "./flags.ts";

/**
 * True if --git-signing-key names a private SSH key: an absolute path, or one that starts with a dot. Anything else is
 * the ID of an OpenPGP key, or part of a user ID.
 */
export function isSshKeyPath(signingKey: string): boolean {
  return /^(\/|\.\.?\/)/.test(signingKey);
}

/** True if commits are signed with an OpenPGP key. */
export function signsWithOpenPgp({ gitSigningKey: { value } }: Pick<FluxdFlags, "gitSigningKey">): boolean {
  return value !== "" && !isSshKeyPath(value);
}
