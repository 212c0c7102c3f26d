import { toError } from "@weir/base";
import { type ReleaseSpec, releaseCommitMessage, releaseKindOf } from "@weir/flux";
import type { JobResult } from "@weir/flux/api";
import type { DaemonSettings, ManifestSource, Repo } from "../ports.ts";
import { basisOfRelease } from "./change-basis.ts";
import { commitUpdate } from "./commit.ts";
import { type RetryGuard, retryOvertaken } from "./push-retries.ts";
import { release } from "./release.ts";
import type { ReleaseDependencies } from "./release-dependencies.ts";
import { type CloneDependencies, openVerifiedClone } from "./verified-clone.ts";

/**
 * Releases images: edits a checkout, commits with a note, and pushes. A dry run ends before the commit, and so does, as
 * in Flux v1, any release whose kind isn't "execute". Rejects like `release` and the commit do, with nothing pushed. A
 * release without changes rejects with NoChangesError. If somebody else pushed first, the release can be made again on
 * the new head, from the beginning.
 */
export function updateImages(
  id: string,
  spec: ReleaseSpec,
  deps: UpdateJobDependencies,
  signal: AbortSignal,
): Promise<JobResult> {
  return retryOvertaken(id, (guard) => updateOnHead({ id, spec, guard }, deps, signal), deps, signal);
}

export interface UpdateJobDependencies extends ReleaseDependencies {
  readonly settings: DaemonSettings;
  readonly repo: Repo;
  readonly manifests: ManifestSource;
  readonly heads?: CloneDependencies["heads"];
}

interface UpdateAttempt {
  readonly id: string;
  readonly spec: ReleaseSpec;
  readonly guard: RetryGuard;
}

async function updateOnHead(
  { id, spec, guard }: UpdateAttempt,
  deps: UpdateJobDependencies,
  signal: AbortSignal,
): Promise<JobResult> {
  await using clone = await openVerifiedClone(deps, signal);
  const store = deps.manifests.store(clone.dir);
  // If the files can't be loaded, the release fails in its own words.
  const before = guard.isNeeded ? await store.resources(signal).catch(() => undefined) : undefined;
  const result = await release(spec, store, deps, signal);
  if (releaseKindOf(spec) !== "execute") {
    return { spec, result };
  }
  if (before !== undefined) {
    guard.check(basisOfRelease(before.resources, result));
  }
  const message = releaseCommitMessage(spec, result);
  try {
    const revision = await commitUpdate({ jobId: id, spec, result, message }, clone, deps.settings, signal);
    return { revision, spec, result };
  } catch (error) {
    // Upstream may have new commits; after fetching them, the next attempt is more likely to succeed.
    deps.repo.notify();
    throw toError(error);
  }
}
