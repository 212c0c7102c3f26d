import type { JobResult } from "@weir/flux/api";
import type { Agenda } from "../agenda.ts";
import { headMovedError, unverifiedHeadText } from "../errors.ts";
import type { Repo } from "../ports.ts";
import { type HeadDependencies, headToRead } from "../queries/head-to-read.ts";
import type { HeadVerifier } from "../sync/head-verifier.ts";
import { JobError } from "./jobs.ts";

/**
 * The work of `fluxctl sync`: fetches from upstream and returns the head of the branch. The sync itself follows when
 * the loop sees the new head. If the head isn't verified, rejects with a JobError that contains the last commit that
 * is, to which fluxd does sync. Same as in Flux v1.
 */
export async function fetchHead(
  { repo, heads }: SyncJobDependencies,
  signal: AbortSignal,
): Promise<JobResult> {
  await repo.refresh(signal);
  const revision = await repo.branchHead(signal);
  const verdict = await heads?.verify(revision, signal);
  if (verdict !== undefined && verdict.verified !== revision) {
    throw new JobError({ revision: verdict.verified }, new Error(unverifiedHeadText(verdict)));
  }
  return { revision };
}

export interface SyncJobDependencies {
  readonly repo: Pick<Repo, "refresh" | "branchHead">;
  /** Undefined if commits needn't be signed. */
  readonly heads?: Pick<HeadVerifier, "verify"> | undefined;
}

export interface BoundSyncDependencies extends HeadDependencies {
  /** The sync is to the head as of the last fetch, even if only a plan has looked at it. */
  readonly agenda: Pick<Agenda, "askForSyncToHead">;
}

/**
 * The work of a sync that was asked for with what it was to do in mind: has the head of the branch synced, as of the last
 * fetch, only if it's still that revision. Rejects with a FluxError if it isn't.
 */
export async function syncRevision(
  expected: string,
  deps: BoundSyncDependencies,
  signal: AbortSignal,
): Promise<JobResult> {
  const revision = await headToRead(deps, signal);
  if (revision !== expected) {
    throw headMovedError(expected, revision);
  }
  deps.agenda.askForSyncToHead();
  return { revision };
}
