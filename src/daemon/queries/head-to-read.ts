import type { Repo } from "../ports.ts";
import type { HeadVerifier } from "../sync/head-verifier.ts";

/** The head of the branch, or the last verified commit before it; "" if no commit is verified. */
export async function headToRead({ repo, heads }: HeadDependencies, signal: AbortSignal): Promise<string> {
  return heads === undefined ? repo.branchHead(signal) : (await heads.verifyHead(signal)).verified;
}

/** Where to look for the revision to read. */
export interface HeadDependencies {
  readonly repo: Pick<Repo, "branchHead">;
  /** Undefined if the head is read whether or not it's signed. */
  readonly heads?: Pick<HeadVerifier, "verifyHead"> | undefined;
}
