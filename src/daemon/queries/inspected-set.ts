import { messageOf, toError } from "@weir/base";
import type { SyncSet } from "../../cluster/sync-set.ts";
import { FluxError } from "../../errors/flux-error.ts";
import { manifestLoadError } from "../errors.ts";
import type { DaemonSettings, ManifestSource, Repo } from "../ports.ts";

/** What it takes to see what a sync to some revision would be about. */
export interface InspectionDependencies {
  readonly settings: DaemonSettings;
  readonly repo: Repo;
  readonly manifests: ManifestSource;
}

/**
 * The revision that a name stands for, "" for the head of the branch, as upstream has it now. Rejects with a
 * FluxError where there is none, where git cannot be asked, and for commits of other branches where generators are
 * run: whoever can push a branch may not have commands of theirs run by asking about it.
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
    throw refused("missing", `the git repository has no commit, branch or tag ${JSON.stringify(ref)}`, error);
  });
  if (settings.manifestGeneration && (await repo.commitsBetween(head, revision, [], signal)).length > 0) {
    throw refused(
      "user",
      `${ref} is not on branch ${settings.branch}; with --manifest-generation, only that branch can be compared, because generators run commands`,
    );
  }
  return revision;
}

/** All that a sync to a revision would be about. Rejects with a FluxError where the manifests do not load. */
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
