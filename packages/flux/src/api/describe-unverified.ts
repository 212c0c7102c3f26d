import type { UnverifiedCommit } from "./inspection.ts";

/** Which commit isn't verified, whose it is, and why, as the start of a sentence. */
export function describeUnverified({ revision, author, key, signer, reason }: UnverifiedCommit): string {
  const by = author === "" ? "" : ` by ${author}`;
  const whose = signer === "" ? "" : ` of ${signer}`;
  const signature = key === "" ? "" : ` (key ${key}${whose})`;
  return `commit ${revision.slice(0, 8)}${by} is not verified: ${reason}${signature}`;
}
