import { messageOf, toError } from "@weir/base";
import type { SyncSet } from "../../cluster/sync-set.ts";
import { FluxError } from "../../errors/flux-error.ts";
import { manifestLoadError } from "../errors.ts";
import type { DaemonSettings, ManifestSource, Repo } from "../ports.ts";

/** What's needed to preview a sync to any revision. */
export interface InspectionDependencies {
  readonly settings: DaemonSettings;
  readonly repo: Repo;
  readonly manifests: ManifestSource;
}

/**
 * The current revision upstream for a name, or for the head of the branch if the name is "". Rejects with a FluxError
 * if there's none, if git fails, and for commits of other branches if generators are used: somebody who can push a
 * branch must not be able to run commands by asking about it.
 */
export async function findRevision(
  ref: string,
  { repo, settings }: InspectionDependencies,
  signal: AbortSignal,
): Promise<string> {
  await repo.peek(signal).catch((error: unknown) => {
    throw refused("server", `cannot fetch from git: ${messageOf(error)}`, error);
  });
  const head = await repo.branchHead(signal);
  if (ref === "") {
    return head;
  }
  const revision = await repo.revision(ref, signal).catch((error: unknown) => {
    throw refused(
      "missing",
      `the git repository has no commit, branch, or tag ${JSON.stringify(ref)}`,
      error,
    );
  });
  if (settings.manifestGeneration && (await repo.commitsBetween(head, revision, [], signal)).length > 0) {
    throw refused(
      "user",
      `${ref} is not on branch ${settings.branch}; with --manifest-generation, only that branch can be compared, because generators run commands`,
    );
  }
  return revision;
}

/** Everything that a sync to a revision would apply. Rejects with a FluxError if the manifests can't be loaded. */
export async function syncSetAt(
  revision: string,
  { manifests, settings }: InspectionDependencies,
  signal: AbortSignal,
): Promise<SyncSet> {
  try {
    return { name: settings.syncSetName, revision, ...(await manifests.at(revision, signal)) };
  } catch (error) {
    throw manifestLoadError(toError(error));
  }
}

function refused(kind: FluxError["kind"], message: string, cause?: unknown): FluxError {
  return new FluxError(kind, message, `${message}\n`, { cause });
}
