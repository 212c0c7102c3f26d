import { messageOf } from "@weir/base";
import { UnverifiedError } from "@weir/flux";
import type { VerificationReport } from "@weir/flux/api";
import type { Repo, VerifyMode } from "../ports.ts";
import type { HeadVerifier } from "../sync/head-verifier.ts";

/** Up to where the branch is verified, as of the last fetch. Rejects if there's no repository yet. */
export async function verification(
  { repo, mode, heads }: VerificationDependencies,
  signal: AbortSignal,
): Promise<VerificationReport> {
  const head = await repo.branchHead(signal);
  if (heads === undefined) {
    return { mode, head, verified: "", error: "" };
  }
  try {
    const { verified, bad } = await heads.verify(head, signal);
    if (bad === undefined) {
      return { mode, head, verified, error: "" };
    }
    const { revision, author, status, key, signer = "", reason } = bad;
    return { mode, head, verified, error: "", bad: { revision, author, status, key, signer, reason } };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof UnverifiedError ? ` (${error.problem.reason})` : "";
    const [problem = ""] = messageOf(error).split(", full output:");
    return { mode, head, verified: "", error: `${problem}${why}` };
  }
}

export interface VerificationDependencies {
  readonly repo: Pick<Repo, "branchHead">;
  readonly mode: VerifyMode;
  /** Undefined if commits needn't be signed. */
  readonly heads: Pick<HeadVerifier, "verify"> | undefined;
}
