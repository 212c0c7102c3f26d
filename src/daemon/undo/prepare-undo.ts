/**
 * Prepares undoing a commit: takes the commit and the head of the branch, and returns the new content of files. Nothing
 * is written. Whatever can't be undone exactly is refused.
 */

import type { LoggedCommit, ResourceId } from "@weir/flux";
import type { UndoRequest } from "@weir/flux/api";
import { changedBetween } from "../history/changed-resources.ts";
import type { ManifestSource, Repo, ResourceSet, WorkingClone } from "../ports.ts";
import { undoRefused } from "./errors.ts";
import { collisionError, type StuckFile } from "./explain-collision.ts";
import type { UndoneSets } from "./locks.ts";
import { onlyResource } from "./only-resource.ts";
import { revertFile } from "./revert-file.ts";
import { fileTexts, readUndoFiles, type UndoFile } from "./undo-files.ts";

/** A file to change. */
export interface RevertedFile extends UndoFile {
  /** Undefined if the file is to be deleted. */
  readonly undone: string | undefined;
}

/** What undoing a commit changes in git. */
export interface PreparedUndo extends UndoneSets {
  readonly commit: LoggedCommit;
  readonly files: readonly RevertedFile[];
  /** The resources that change, sorted. */
  readonly ids: readonly ResourceId[];
  /** The paths of files that the commit changed too, and that aren't manifests. */
  readonly leftAlone: readonly string[];
}

/** What to undo, and where. */
export interface UndoTask extends Pick<UndoRequest, "resource" | "allowDelete"> {
  readonly commit: LoggedCommit;
  readonly head: string;
  readonly clone: Pick<WorkingClone, "revealed">;
  /** The files from which the resources at the head come; undefined if they can't be loaded. */
  readonly sources: ReadonlySet<string> | undefined;
  /** True if resources are also generated. */
  readonly generates: boolean;
}

/** Rejects with a FluxError if the commit can't be undone, or if there's nothing to undo. */
export async function prepareUndo(
  task: UndoTask,
  deps: PrepareDependencies,
  signal: AbortSignal,
): Promise<PreparedUndo> {
  const { commit, head, clone, allowDelete } = task;
  const all = await readUndoFiles(commit, { head, revealed: clone.revealed }, deps, signal);
  const manifests = await manifestsAmong(all, task, deps, signal);
  const files = await revertAll(manifests, task, deps, signal);
  const parse = (version: (file: UndoFile) => string | undefined): Promise<ResourceSet> =>
    deps.manifests.definedIn(fileTexts(files, version), signal);
  const now = await parse(({ now: text }) => text);
  const undoneTexts = new Map(files.map(({ path, undone: text }) => [path, text]));
  const undone = await parse(({ path }) => undoneTexts.get(path));
  const ids = changedBetween({ before: now, after: undone });
  const [before, after] = [await parse((file) => file.before), await parse((file) => file.after)];
  checkExact({ before, after, now, undone, ids }, commit);
  const deleted = ids.filter((id) => !undone.has(id));
  if (deleted.length > 0 && !allowDelete) {
    throw deletionError(deleted, commit);
  }
  const known = new Set(manifests.map(({ path }) => path));
  const leftAlone = commit.files.map(({ path }) => path).filter((path) => !known.has(path));
  return { commit, files, ids, now, undone, leftAlone: task.resource === "" ? leftAlone : [] };
}

export interface PrepareDependencies {
  readonly repo: Pick<Repo, "changeLog" | "contents" | "treeEntries">;
  readonly manifests: Pick<ManifestSource, "definedIn">;
}

/** The files with manifests that fluxd syncs, each reduced to the change of one resource if only that is asked for. */
async function manifestsAmong(
  files: readonly UndoFile[],
  { resource, sources, generates, commit }: UndoTask,
  deps: PrepareDependencies,
  signal: AbortSignal,
): Promise<readonly UndoFile[]> {
  const found: UndoFile[] = [];
  for (const each of files) {
    const file = resource === "" ? each : await onlyResource(resource, each, deps, signal);
    if (file !== undefined && (await definesResources(file, deps, signal))) {
      if (each.now === undefined || sources === undefined || sources.has(each.path)) {
        found.push(file);
      } else if (generates) {
        throw undoRefused(`${each.path} is an input of a generator (.flux.yaml)`, [
          "Revert the commit with git, so that you see what the generator makes of it.",
        ]);
      }
    }
  }
  if (found.length === 0) {
    const what = resource === "" ? "no manifests" : `nothing of ${resource} in a file`;
    throw undoRefused(`commit ${commit.revision.slice(0, 7)} changed ${what} that fluxd syncs`);
  }
  return found;
}

async function definesResources(
  file: UndoFile,
  { manifests }: PrepareDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  for (const text of [file.before, file.after]) {
    if (text !== undefined) {
      const { size } = await manifests.definedIn([{ path: file.path, content: Buffer.from(text) }], signal);
      if (size > 0) {
        return true;
      }
    }
  }
  return false;
}

async function revertAll(
  files: readonly UndoFile[],
  { commit, head }: UndoTask,
  deps: PrepareDependencies,
  signal: AbortSignal,
): Promise<readonly RevertedFile[]> {
  const stuck: StuckFile[] = [];
  const reverted: RevertedFile[] = [];
  for (const file of files) {
    const revert = revertFile(file);
    if (revert.kind === "changed") {
      reverted.push({ ...file, undone: revert.text });
    } else if (revert.kind !== "unchanged") {
      stuck.push({ file, revert });
    }
  }
  if (stuck.length > 0) {
    throw await collisionError(stuck, { commit, head }, deps, signal);
  }
  if (reverted.length === 0) {
    throw undoRefused(`commit ${commit.revision.slice(0, 7)} was undone already; its files are as before`);
  }
  return reverted;
}

interface Versions extends UndoneSets {
  readonly before: ResourceSet;
  readonly after: ResourceSet;
  readonly ids: readonly ResourceId[];
}

/**
 * Lines that look alike can make a merge change the wrong place. So nothing but what the commit changed may change, and
 * what nobody has changed since must be exactly as before.
 */
function checkExact({ before, after, now, undone, ids }: Versions, { revision }: LoggedCommit): void {
  const named = new Set(changedBetween({ before, after }));
  const wrong = ids.filter((id) => {
    const isUntouched = now.get(id)?.bytes === after.get(id)?.bytes;
    return !named.has(id) || (isUntouched && undone.get(id)?.bytes !== before.get(id)?.bytes);
  });
  if (wrong.length > 0) {
    throw undoRefused(
      `taking back the lines of commit ${revision.slice(0, 7)} would not give the earlier ${wrong.join(", ")}`,
      ["The files have changed too much since. Edit them by hand."],
    );
  }
}

function deletionError(deleted: readonly ResourceId[], { revision }: LoggedCommit): Error {
  return undoRefused(
    `commit ${revision.slice(0, 7)} added ${deleted.join(", ")}, so undoing it removes that from git`,
    [
      "With garbage collection (--sync-garbage-collection), fluxd then deletes it from the cluster,",
      "with all data in it. If you want that, use --allow-delete.",
    ],
  );
}
