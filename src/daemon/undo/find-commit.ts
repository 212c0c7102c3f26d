import type { LoggedCommit, ResourceId } from "@weir/flux";
import type { UndoRequest } from "@weir/flux/api";
import { type ChangeDependencies, changedBetween, changedSets } from "../history/changed-resources.ts";
import type { DaemonSettings, Repo } from "../ports.ts";
import { undoRefused } from "./errors.ts";

/** As long as git's abbreviations: a commit must be recognized, not guessed. */
const hash = /^[0-9a-f]{7,64}$/;

/** How many commits to search for the last change of a resource, and how many are read at a time. */
const [mostSearched, chunk] = [500, 50];

/**
 * The commit that a request is about, with the files below the git paths that it changed. Rejects with a FluxError if
 * there's none on the branch whose head is `head`, or if it can't be undone as a whole.
 */
export async function findCommit(
  { commit, resource }: Pick<UndoRequest, "commit" | "resource">,
  head: string,
  deps: FindDependencies,
  signal: AbortSignal,
): Promise<LoggedCommit> {
  if (commit !== "") {
    return await commitNamed(commit, head, deps, signal);
  }
  if (resource === "") {
    throw undoRefused("the request names neither a commit nor a workload");
  }
  return await lastChangeOf(resource, head, deps, signal);
}

export interface FindDependencies extends ChangeDependencies {
  readonly repo: Pick<Repo, "contents" | "revision" | "changeLog" | "commitsBetween">;
  readonly settings: Pick<DaemonSettings, "paths" | "branch">;
}

async function commitNamed(
  name: string,
  head: string,
  { repo, settings }: FindDependencies,
  signal: AbortSignal,
): Promise<LoggedCommit> {
  const { paths, branch } = settings;
  if (!hash.test(name)) {
    throw undoRefused(`${JSON.stringify(name)} isn't the hash of a commit, of at least 7 characters`);
  }
  const revision = await repo.revision(name, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw undoRefused(`the git repository has no commit ${name}`, [], error);
  });
  const short = revision.slice(0, 7);
  if ((await repo.commitsBetween(head, revision, [], signal)).length > 0) {
    throw undoRefused(`commit ${short} isn't on branch ${branch}`);
  }
  const [whole] = await repo.changeLog({ range: revision, paths: [], skip: 0, limit: 1 }, signal);
  if (whole !== undefined && whole.parents.length > 1) {
    throw undoRefused(`commit ${short} is a merge`, [
      "Undo the commits that it merged one by one; `fluxctl history` lists them.",
    ]);
  }
  const [found] = await repo.changeLog({ range: revision, paths, skip: 0, limit: 1 }, signal);
  if (found?.revision !== revision) {
    throw undoRefused(`commit ${short} changed nothing below ${paths.join(", ")} (--git-path)`);
  }
  return found;
}

async function lastChangeOf(
  id: ResourceId,
  head: string,
  deps: FindDependencies,
  signal: AbortSignal,
): Promise<LoggedCommit> {
  const { repo, settings } = deps;
  for (let skip = 0; skip < mostSearched; skip += chunk) {
    const query = { range: head, paths: settings.paths, skip, limit: chunk };
    const commits = await repo.changeLog(query, signal);
    for (const commit of commits) {
      if (changedBetween(await changedSets(commit, deps, signal)).includes(id)) {
        return commit;
      }
    }
    if (commits.length < chunk) {
      break;
    }
  }
  throw undoRefused(`none of the last ${mostSearched} commits changed the manifest of ${id} in a file`, [
    "If a generator or a merge changed it, revert that with git. To undo an older commit, name the commit.",
  ]);
}
