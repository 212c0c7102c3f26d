import type { Repo, WorkingClone } from "../ports.ts";
import type { HeadVerifier } from "../sync/head-verifier.ts";

/**
 * A clone to commit in, whose own head is verified: the branch may have moved since it was last looked at. Rejects with
 * a FluxError if the head isn't verified, like the verifier, and if there's no clone.
 */
export async function openVerifiedClone(
  { repo, heads }: CloneDependencies,
  signal: AbortSignal,
): Promise<WorkingClone> {
  const clone = await repo.workingClone(signal);
  try {
    await heads?.require(await clone.headRevision(signal), signal);
    return clone;
  } catch (error) {
    await clone[Symbol.asyncDispose]();
    throw error;
  }
}

export interface CloneDependencies {
  readonly repo: Pick<Repo, "workingClone">;
  /** Undefined if commits needn't be signed. */
  readonly heads?: Pick<HeadVerifier, "require"> | undefined;
}
