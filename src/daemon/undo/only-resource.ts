import type { ResourceId } from "@weir/flux";
import { applyHunks, type Hunk, hunksBetween, splitLines } from "../../manifests/merge/line-hunks.ts";
import { changedBetween } from "../history/changed-resources.ts";
import type { ManifestSource, ResourceSet } from "../ports.ts";
import { undoRefused } from "./errors.ts";
import type { UndoFile } from "./undo-files.ts";

/**
 * Reduces the change of a file to what it did to one resource; undefined if it did nothing to it. Rejects with a
 * FluxError if the change can't be divided.
 */
export async function onlyResource(
  id: ResourceId,
  file: UndoFile,
  { manifests }: PartDependencies,
  signal: AbortSignal,
): Promise<UndoFile | undefined> {
  const { path } = file;
  const parse = (text: string | undefined): Promise<ResourceSet> =>
    manifests.definedIn(text === undefined ? [] : [{ path, content: Buffer.from(text) }], signal);
  const [before, after] = [await parse(file.before), await parse(file.after)];
  const changed = changedBetween({ before, after });
  if (!changed.includes(id)) {
    return undefined;
  }
  if (changed.length === 1) {
    return file;
  }
  const lines = splitLines(file.after ?? "");
  const concerns = async (hunks: readonly Hunk[]): Promise<boolean> => {
    const reverted = await parse(applyHunks(lines, hunks));
    return changedBetween({ before: after, after: reverted }).join() === id;
  };
  const own: Hunk[] = [];
  for (const hunk of hunksBetween(lines, splitLines(file.before ?? "")) ?? []) {
    own.push(...((await concerns([hunk])) ? [hunk] : []));
  }
  const reduced = applyHunks(lines, own);
  if ((await parse(reduced)).get(id)?.bytes !== before.get(id)?.bytes || !(await concerns(own))) {
    throw undoRefused(`the commit changed ${id} together with other resources of ${path}`, [
      "Undo the whole commit, or edit the file by hand.",
    ]);
  }
  return { ...file, before: reduced };
}

export interface PartDependencies {
  readonly manifests: Pick<ManifestSource, "definedIn">;
}
