import { messageOf, toError } from "@weir/base";
import { FluxError, type SyncSet } from "@weir/flux";
import { unloadableError } from "../errors.ts";
import type { DaemonSettings, ManifestSource, Repo } from "../ports.ts";
import { type HeadDependencies, headToRead } from "./head-to-read.ts";

/** The revision that a sync would apply. Rejects with a FluxError if commits must be signed and none is verified. */
export async function headToPreview(
  { repo, settings, heads }: InspectionDependencies,
  signal: AbortSignal,
): Promise<string> {
  const head = await headToRead({ repo, heads }, signal);
  if (head === "") {
    throw refused(
      "user",
      `no commit of branch ${settings.branch} is verified, so nothing would be synced; \`fluxctl check\` says why`,
    );
  }
  return head;
}

export interface InspectionDependencies {
  readonly settings: DaemonSettings;
  readonly repo: Repo;
  readonly manifests: ManifestSource;
  /** Undefined if commits needn't be signed. */
  readonly heads?: HeadDependencies["heads"];
}

/**
 * The current revision upstream for a name, or for what a sync would apply if the name is "". Rejects with a FluxError
 * if there's none, if git fails, and if generators are used, for commits that a sync wouldn't apply: somebody who can
 * push must not be able to run commands by asking about them.
 */
export async function findRevision(
  ref: string,
  deps: InspectionDependencies,
  signal: AbortSignal,
): Promise<string> {
  const { repo, settings, heads } = deps;
  await repo.peek(signal).catch((error: unknown) => {
    throw refused("server", `cannot fetch from git: ${messageOf(error)}`, error);
  });
  const head = await headToPreview(deps, signal);
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
      `${ref} is not ${heads ? "among the verified commits of" : "on"} branch ${settings.branch}; with --manifest-generation, only ${heads ? "those" : "that branch"} can be compared, because generators run commands`,
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
    throw unloadableError(toError(error));
  }
}

function refused(kind: FluxError["kind"], message: string, cause?: unknown): FluxError {
  return new FluxError(kind, message, `${message}\n`, { cause });
}
