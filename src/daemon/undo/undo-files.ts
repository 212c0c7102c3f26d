import { isUtf8 } from "node:buffer";
import type { LoggedCommit } from "@weir/flux";
import type { FileText } from "../../manifests/defined-in.ts";
import { isManifestFile } from "../history/changed-resources.ts";
import type { Repo, RevisionFile, WorkingClone } from "../ports.ts";
import { undoRefused } from "./errors.ts";
import type { FileTexts } from "./revert-file.ts";

/** A file that a commit changed: before it, after it, and now. */
export interface UndoFile extends FileTexts {
  /** The mode of the file if it has to be created. */
  readonly mode: number;
}

/**
 * The files with the names of manifests that a commit changed, as they are in git: what was decrypted is never read.
 * Rejects with a FluxError for a file that git-secret reveals, or that isn't text.
 */
export async function readUndoFiles(
  { files }: Pick<LoggedCommit, "files">,
  { head, revealed }: { readonly head: string } & Pick<WorkingClone, "revealed">,
  { repo }: UndoFilesDependencies,
  signal: AbortSignal,
): Promise<readonly UndoFile[]> {
  const manifests = files.filter(isManifestFile);
  const hidden = new Set(revealed.map(({ path }) => path));
  const entries = new Map((await repo.treeEntries(head, signal)).map((entry) => [entry.path, entry]));
  const now = (path: string): RevisionFile | undefined => entries.get(path);
  const ids = manifests.flatMap(({ path, before, after }) =>
    [before, after, now(path)].flatMap((version) => version?.id ?? []),
  );
  const contents = await repo.contents([...new Set(ids)], signal);
  return manifests.map(({ path, before, after }) => {
    const current = now(path);
    if (hidden.has(path)) {
      throw undoRefused(`${path} is hidden with git-secret, so fluxd doesn't change it`);
    }
    if (current !== undefined && !current.mode.startsWith("100")) {
      throw undoRefused(`${path} is a link now`);
    }
    const textOf = (id: string | undefined): string | undefined =>
      id === undefined ? undefined : decode(contents.get(id), path);
    return {
      path,
      before: textOf(before?.id),
      after: textOf(after?.id),
      now: textOf(current?.id),
      mode: before?.mode === "100755" ? 0o755 : 0o644,
    };
  });
}

export interface UndoFilesDependencies {
  readonly repo: Pick<Repo, "contents" | "treeEntries">;
}

/** The texts of one version of files, for parsing. */
export function fileTexts(
  files: readonly UndoFile[],
  version: (file: UndoFile) => string | undefined,
): readonly FileText[] {
  return files.flatMap((file) => {
    const text = version(file);
    return text === undefined ? [] : [{ path: file.path, content: Buffer.from(text) }];
  });
}

function decode(content: Uint8Array | undefined, path: string): string {
  if (content === undefined || !isUtf8(content)) {
    throw undoRefused(`${path} isn't text in UTF-8, so its versions can't be merged`);
  }
  return Buffer.from(content).toString("utf8");
}
