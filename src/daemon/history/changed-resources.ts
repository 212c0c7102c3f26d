import type { ChangedFile, FileVersion, LoggedCommit, ResourceId } from "@weir/flux";
import type { FileText } from "../../manifests/defined-in.ts";
import { isManifestName } from "../../manifests/files/find-files.ts";
import type { ManifestSource, Repo, ResourceSet } from "../ports.ts";

/** The resources in the files that a commit changed, before and after it. */
export interface ChangedSets {
  readonly before: ResourceSet;
  readonly after: ResourceSet;
}

/**
 * The resources whose manifests a commit created, changed, or deleted, sorted: none if it's a merge, or if its files
 * are the input of a generator. Rejects if the files are too large, or if the cluster doesn't respond.
 */
export async function resourcesChangedBy(
  commit: Pick<LoggedCommit, "files">,
  deps: ChangeDependencies,
  signal: AbortSignal,
): Promise<readonly ResourceId[]> {
  return changedBetween(await changedSets(commit, deps, signal));
}

export interface ChangeDependencies {
  readonly repo: Pick<Repo, "contents">;
  readonly manifests: Pick<ManifestSource, "definedIn">;
}

/** The resources in the manifest files that a commit changed. Rejects like resourcesChangedBy. */
export async function changedSets(
  { files }: Pick<LoggedCommit, "files">,
  { repo, manifests }: ChangeDependencies,
  signal: AbortSignal,
): Promise<ChangedSets> {
  const readable = files.filter(isManifestFile);
  const ids = readable.flatMap(({ before, after }) => [before, after].flatMap((each) => each?.id ?? []));
  const contents = await repo.contents(ids, signal);
  const textsOf = (side: "before" | "after"): readonly FileText[] =>
    readable.flatMap(({ path, [side]: version }) => {
      const content = version && contents.get(version.id);
      return content === undefined ? [] : [{ path, content }];
    });
  return {
    before: await manifests.definedIn(textsOf("before"), signal),
    after: await manifests.definedIn(textsOf("after"), signal),
  };
}

/** The resources that only one of two sets has, or that differ, sorted. */
export function changedBetween({ before, after }: ChangedSets): readonly ResourceId[] {
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids].filter((id) => before.get(id)?.bytes !== after.get(id)?.bytes).toSorted();
}

/** True if a file can contain manifests: it has the name of one, and isn't a link or a submodule. */
export function isManifestFile({ path, before, after }: ChangedFile): boolean {
  return isManifestName(path) && isRegular(before) && isRegular(after);
}

function isRegular(version: FileVersion | undefined): boolean {
  return version === undefined || version.mode.startsWith("100");
}
