/** A file of a revision. `id` identifies its content: the same ID means the same bytes. */
export interface TreeEntry {
  readonly path: string;
  /** 100644; 100755 for an executable, 120000 for a symlink, 160000 for a submodule. */
  readonly mode: string;
  readonly id: string;
}

/** A file as git lists it. */
export interface ListedFile extends TreeEntry {
  /** In bytes; 0 for a submodule. */
  readonly size: number;
}

/** The limits for a commit, in bytes except for the number of files and folders. */
export interface TreeLimits {
  /** The size of git's list of the files. */
  readonly listing: number;
  readonly files: number;
  readonly content: number;
  readonly path: number;
}

/** Why a commit isn't checked out. */
export type TreeFault =
  | { readonly kind: "listing" | "files" }
  | { readonly kind: "content"; readonly largest: string; readonly size: number }
  | { readonly kind: "path"; readonly path: string };

/** The paths of files that differ between two commits, or that only one of them has. */
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
