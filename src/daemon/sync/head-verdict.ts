import type { VerifiedCommit } from "../ports.ts";

/** Up to where a branch is verified. */
export interface HeadVerdict {
  readonly head: string;
  /** The last commit that's verified; "" if there's none. */
  readonly verified: string;
  /** The first commit without a good signature; undefined if the head is verified. */
  readonly bad?: VerifiedCommit;
}
