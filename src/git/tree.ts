/** A file of a revision. `id` names its content: the same id is the same bytes. */
export interface TreeEntry {
  readonly path: string;
  /** 100644, 100755 for a program, 120000 for a symlink, 160000 for a submodule. */
  readonly mode: string;
  readonly id: string;
}

/** What a commit may hold, in bytes but for the number of files and folders. */
export interface TreeLimits {
  /** The list of them, as git prints it. */
  readonly listing: number;
  readonly files: number;
  readonly content: number;
  readonly path: number;
}

/** Why a commit is not checked out. */
export type TreeFault =
  | { readonly kind: "listing" | "files" }
  | { readonly kind: "content"; readonly largest: string; readonly size: number }
  | { readonly kind: "path"; readonly path: string };

/** The paths of the files that two commits have differently, or that one of them lacks. */
export function changedPaths(before: readonly TreeEntry[], after: readonly TreeEntry[]): readonly string[] {
  const rest = new Map(before.map((entry) => [entry.path, entry]));
  const paths: string[] = [];
  for (const { path, mode, id } of after) {
    const old = rest.get(path);
    if (old?.id !== id || old.mode !== mode) {
      paths.push(path);
    }
    rest.delete(path);
  }
  return [...paths, ...rest.keys()];
}
